-- :Aurora why: the commits, pull requests and notes behind lines, in a floating preview.
local client_of = require('aurora.client')

local M = {}

---@param client table
---@param params table of aurora/why
---@param buf integer
function M.request(client, params, buf)
  client_of.request(client, 'aurora/why', params, buf, function(result)
    local lines = vim.split(result.markdown or '', '\n', { plain = true })
    vim.lsp.util.open_floating_preview(lines, 'markdown', { focus_id = 'aurora.why', max_width = 100 })
  end)
end

return M
