-- :Aurora related: callers, callees and other neighbours of the symbol under the cursor, in the quickfix list.
local client_of = require('aurora.client')
local locate = require('aurora.locate')
local notify = require('aurora.notify')

local M = {}

M.directions = { 'callers', 'callees', 'imports', 'cochanged', 'all' }

---@param client table
---@param params table of aurora/related
---@param buf integer
function M.request(client, params, buf)
  client_of.request(client, 'aurora/related', params, buf, function(result)
    local edges = result.edges or {}
    local title = ('%s (%s)'):format(type(result.from) == 'string' and result.from or 'related', params.direction or 'callers')
    local hits = vim.tbl_map(function(edge)
      return edge.to
    end, edges)
    local count = locate.quickfix(client, title, hits, function(hit, i)
      return ('%s: %s  %s'):format(edges[i].kind or 'related', locate.name(hit), hit.signature or '')
    end)
    if count == 0 then
      local why = table.concat(result.notes or {}, ' ')
      notify.info(('no %s found for the symbol under the cursor. %s'):format(params.direction or 'callers', why))
    end
  end)
end

return M
