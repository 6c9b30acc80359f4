-- Search while one types, for the pickers: debounced, and what is overtaken is cancelled.
local client_of = require('aurora.client')
local config = require('aurora.config')
local locate = require('aurora.locate')

local M = {}

-- How long a pause between keys makes a search (milliseconds).
local PAUSE_MS = 40

---@class aurora.Entry a line of a picker
---@field text string name, type and place, in columns
---@field hit table|nil none for a line that only says something
---@field path string|nil absolute; none for a memory
---@field lnum integer|nil from 1
---@field col integer|nil from 1, in bytes
---@field lines string[]|nil what a memory holds

---@param client table
---@param result table of aurora/search
---@return aurora.Entry[]
function M.entries(client, result)
  local hits = result.hits or {}
  local texts = require('aurora.search').lines(hits)
  local entries = {}
  for i, hit in ipairs(hits) do
    local place = require('aurora.quickfix').place(client, hit)
    entries[i] = {
      text = texts[i],
      hit = hit,
      path = place and place.filename,
      lnum = place and place.lnum,
      col = place and place.col,
      lines = not place and locate.memory_lines(hit) or nil,
    }
  end
  if #entries == 0 then
    local why = table.concat(result.notes or {}, ' ')
    entries[1] = { text = '(nothing found) ' .. why, lines = { why } }
  end
  return entries
end

---@class aurora.Live
---@field search fun(words: string, done: fun(entries: aurora.Entry[]|nil)) done gets nil when other words overtook these
---@field stop fun() no search runs after it

---@param client table
---@param buf integer whose unsaved text is searched, too
---@return aurora.Live
function M.new(client, buf)
  local serial, cancel_request, overtaken = 0, nil, nil

  local function overtake()
    serial = serial + 1
    if cancel_request then
      cancel_request()
    end
    if overtaken then
      overtaken(nil)
    end
    cancel_request, overtaken = nil, nil
    return serial
  end

  local function request(words, finish)
    local params = { query = words, limit = config.get().search_limit }
    local from = vim.api.nvim_buf_is_valid(buf) and buf or 0
    cancel_request = client_of.request(client, 'aurora/search', params, from, function(result)
      finish(M.entries(client, result))
    end, function(err)
      finish({ { text = '(' .. (err.message or 'the search failed') .. ')', lines = { err.message or '' } } })
    end)
  end

  local function search(words, done)
    local mine = overtake()
    if not words or not words:match('%S') then
      return done({})
    end
    overtaken = done
    vim.defer_fn(function()
      if mine == serial then
        request(words, function(entries)
          if mine == serial then
            cancel_request, overtaken = nil, nil
            done(entries)
          end
        end)
      end
    end, PAUSE_MS)
  end

  return { search = search, stop = overtake }
end

---Goes to what was chosen; a line that only says something goes nowhere.
---@param client table
---@param entry aurora.Entry|nil
---@param how string|nil a command that makes a window for it, such as 'vsplit'
function M.open(client, entry, how)
  if not entry or not entry.hit then
    return
  end
  if how and entry.path then
    vim.cmd(how)
  end
  locate.open(client, entry.hit)
end

return M
