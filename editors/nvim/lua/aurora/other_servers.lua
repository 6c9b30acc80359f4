-- What the other language servers of a buffer know of a name, beside what the sidecar's index says.
local compat = require('aurora.compat')
local position = require('aurora.position')

local M = {}

local METHOD = 'textDocument/references'
-- How long the other servers may take; what comes later is left out.
local LIMIT_MS = 3000
-- More uses than a person looks through are left out.
local MOST_USES = 200
-- The kinds of edges whose other end holds the use itself.
local HOLDS_USE = { caller = true, reference = true, read = true, write = true, type = true, test = true, subtype = true }

---@class aurora.Use a use of a name
---@field server string who says so
---@field uri string
---@field row integer zero-based
---@field place table {filename, lnum, col}, from 1 and in bytes

---The servers of a buffer that know references; the sidecar is none of them.
local function servers(buf)
  return vim.tbl_filter(function(client)
    return client.name ~= 'aurora' and compat.call(client, 'supports_method', METHOD)
  end, compat.clients({ bufnr = buf }))
end

---@param client table
---@param location table
---@return aurora.Use
local function use_of(client, location)
  local filename = vim.uri_to_fname(location.uri)
  local lnum, col = position.in_file(filename, location.range.start, client.offset_encoding)
  return {
    server = client.name,
    uri = vim.uri_from_fname(filename),
    row = location.range.start.line,
    place = { filename = filename, lnum = lnum, col = col },
  }
end

---Asks the other servers of a buffer who uses the name at a place, without its definition.
---@param buf integer
---@param at table position
---@param encoding string of at
---@param done fun(uses: aurora.Use[]) called once
function M.references(buf, at, encoding, done)
  local asked = servers(buf)
  local left, finished, uses = #asked, false, {}
  local function finish()
    if not finished then
      finished = true
      done(uses)
    end
  end
  if left == 0 then
    return finish()
  end
  local row, byte = position.in_buffer(buf, at, encoding)
  for _, client in ipairs(asked) do
    local params = {
      textDocument = position.document(buf),
      position = position.of_byte(buf, row, byte, client.offset_encoding),
      context = { includeDeclaration = false },
    }
    local function on_response(err, result)
      if not finished and not err and type(result) == 'table' then
        for _, location in ipairs(result) do
          if #uses < MOST_USES then
            uses[#uses + 1] = use_of(client, location)
          end
        end
      end
      left = left - 1
      if left == 0 then
        finish()
      end
    end
    if not compat.call(client, 'request', METHOD, params, on_response, buf) then
      on_response({ message = 'it has ended' })
    end
  end
  vim.defer_fn(finish, LIMIT_MS)
end

local function holds(hit, use)
  return hit.uri
    and hit.range
    and vim.uri_from_fname(vim.uri_to_fname(hit.uri)) == use.uri
    and hit.range.start.line <= use.row
    and use.row <= hit.range['end'].line
end

---@param edges table[]
---@param uses aurora.Use[]
---@return table<table, string> by an edge that holds a use: the server that knows it
---@return aurora.Use[] what no edge holds
function M.compare(edges, uses)
  local confirmed, others = {}, {}
  for _, use in ipairs(uses) do
    local held = false
    for _, edge in ipairs(edges) do
      if HOLDS_USE[edge.kind] and holds(edge.to, use) then
        confirmed[edge], held = use.server, true
      end
    end
    if not held then
      others[#others + 1] = use
    end
  end
  return confirmed, others
end

return M
