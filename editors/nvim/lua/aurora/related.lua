-- :Aurora related: callers, callees and other neighbours of the symbol under the cursor, in the quickfix list.
local client_of = require('aurora.client')
local locate = require('aurora.locate')
local notify = require('aurora.notify')

local M = {}

M.directions = {
  'callers',
  'callees',
  'imports',
  'importers',
  'supertypes',
  'subtypes',
  'tests',
  'cochanged',
  'all',
}

---The name in the id of a chunk: main of code:cmd/main.go:main.
local function name_of(id)
  return type(id) == 'string' and id:match('^%a+:.-:(.+)$') or nil
end

---@param client table
---@param params table of aurora/related
---@param buf integer
function M.request(client, params, buf)
  client_of.request(client, 'aurora/related', params, buf, function(result)
    local edges = result.edges or {}
    local from = edges[1] and edges[1].from
    local title = ('%s of %s'):format(params.direction or 'callers', name_of(from) or 'the symbol')
    local hits = vim.tbl_map(function(edge)
      return edge.to
    end, edges)
    local count = require('aurora.quickfix').fill(client, title, hits, function(hit, i)
      local sure = edges[i].confidence
      local unsure = type(sure) == 'number' and sure < 0.5 and ' (unsure)' or ''
      return ('%s%s: %s  %s'):format(edges[i].kind or 'related', unsure, locate.name(hit), hit.signature or '')
    end)
    if count == 0 then
      local why = table.concat(result.notes or {}, '; ')
      local what = params.direction or 'callers'
      local reason = why == '' and ' for the symbol under the cursor' or ': ' .. why
      notify.info(('no %s found%s'):format(what, reason))
    end
  end)
end

return M
