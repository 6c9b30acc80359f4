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

return M
