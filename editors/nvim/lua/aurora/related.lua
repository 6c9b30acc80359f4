-- :Aurora related: callers, callees and other neighbours of the symbol under the cursor, in the quickfix list.
local client_of = require('aurora.client')
local locate = require('aurora.locate')
local notify = require('aurora.notify')
local position = require('aurora.position')
local other_servers = require('aurora.other_servers')

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

-- The directions whose edges other language servers know, too.
local asks_others = { callers = true, all = true }

---@param client table
---@param params table of aurora/related
---@param result table
---@param uses aurora.Use[] that other language servers know
local function show(client, params, result, uses)
  local edges = result.edges or {}
  local from = edges[1] and edges[1].from
  local direction = params.direction or 'callers'
  local title = ('%s of %s'):format(direction, name_of(from) or 'the symbol')
  local confirmed, others = other_servers.compare(edges, uses)
  local hits, texts = {}, {}
  for _, edge in ipairs(edges) do
    local sure = edge.confidence
    local by = confirmed[edge]
    local note = by and (' (also by %s)'):format(by) or type(sure) == 'number' and sure < 0.5 and ' (unsure)' or ''
    edge.to.nameRange = edge.at or edge.to.nameRange -- one goes to the call, not to who calls
    hits[#hits + 1] = edge.to
    texts[#hits] = ('%s%s: %s  %s'):format(edge.kind or 'related', note, locate.name(edge.to), edge.to.signature or '')
  end
  for _, use in ipairs(others) do
    hits[#hits + 1] = use
    texts[#hits] = ('use, by %s: %s'):format(use.server, vim.trim(position.line_of_file(use.place.filename, use.row)))
  end
  local count = require('aurora.quickfix').fill(client, title, hits, function(_, i)
    return texts[i]
  end)
  if count == 0 then
    local why = table.concat(result.notes or {}, '; ')
    local reason = why == '' and ' for the symbol under the cursor' or ': ' .. why
    notify.info(('no %s found%s'):format(direction, reason))
  end
end

---@param client table
---@param params table of aurora/related
---@param buf integer
function M.request(client, params, buf)
  local result, uses
  local function both()
    if result and uses then
      show(client, params, result, uses)
    end
  end
  client_of.request(client, 'aurora/related', params, buf, function(found)
    result = found
    both()
  end)
  if params.position and asks_others[params.direction or 'callers'] then
    other_servers.references(buf, params.position, client.offset_encoding, function(found)
      uses = found
      both()
    end)
  else
    uses = {}
  end
end

return M
