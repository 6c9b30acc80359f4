-- What a user's configuration may call. Loading it starts nothing.
local M = {}

---Sets options; the same as assigning to vim.g.aurora. Calling it is never required.
---@param options table|nil see |aurora-options|
function M.setup(options)
  vim.g.aurora = vim.tbl_deep_extend('force', vim.g.aurora or {}, options or {})
end

---One short text for a statusline: '', 'aurora', 'aurora: indexing 45%', 'aurora: asking' ...
---@return string
function M.statusline()
  return require('aurora.status').statusline()
end

---The hovers of all servers of the buffer in one window, each asked in its own encoding. Neovim 0.11 and later does the
---same with vim.lsp.buf.hover().
function M.hover()
  if vim.fn.has('nvim-0.11') == 1 then
    return vim.lsp.buf.hover()
  end
  require('aurora.hover').show()
end

---Asks the user for a question, and answers it in a split.
---@param about_selection boolean|nil the question is about the lines of the last selection
function M.ask(about_selection)
  vim.ui.input({ prompt = 'Ask Aurora: ' }, function(question)
    if question and question:match('%S') then
      local range = about_selection and "'<,'>" or ''
      vim.cmd(range .. 'Aurora query ' .. question:gsub('[\r\n]+', ' '))
    end
  end)
end

return M
