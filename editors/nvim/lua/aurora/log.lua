-- :Aurora log: where the sidecar writes what happened.
local M = {}

---Files that may hold the sidecar's log, the best first: its own, then the editor's, which keeps its stderr.
---@return string[]
function M.candidates()
  local home = vim.env.AURORA_HOME or vim.fn.expand('~/.aurora')
  local editor = vim.lsp.log and vim.lsp.log.get_filename and vim.lsp.log.get_filename() or vim.lsp.get_log_path()
  return { home .. '/logs/aurora.log', editor }
end

---@return string|nil the log that exists
function M.path()
  for _, path in ipairs(M.candidates()) do
    if vim.fn.filereadable(path) == 1 then
      return path
    end
  end
end

---Opens the log at its end.
function M.open()
  local path = M.path()
  if not path then
    return require('aurora.notify').info('there is no log yet: ' .. table.concat(M.candidates(), ', '))
  end
  vim.cmd('belowright split ' .. vim.fn.fnameescape(path))
  vim.bo.autoread = true
  vim.bo.readonly = true
  vim.cmd('normal! G')
end

return M
