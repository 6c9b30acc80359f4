-- :Aurora search: hits in a picker, or in the quickfix list.
local client_of = require('aurora.client')
local config = require('aurora.config')
local locate = require('aurora.locate')
local notify = require('aurora.notify')

local M = {}

local MAX_NAME = 40 -- screen cells; a longer name is not padded

local function pad(text, width)
  return text .. (' '):rep(math.max(0, width - vim.fn.strdisplaywidth(text)))
end

---One line for each hit, in columns: name, type, path:line.
---@param hits table[]
---@return string[]
function M.lines(hits)
  local widest_name, widest_type = 0, 0
  for _, hit in ipairs(hits) do
    widest_name = math.min(MAX_NAME, math.max(widest_name, vim.fn.strdisplaywidth(locate.name(hit))))
    widest_type = math.max(widest_type, #(hit.type or ''))
  end
  local lines = {}
  for i, hit in ipairs(hits) do
    lines[i] = ('%s  %s  %s%s'):format(
      pad(locate.name(hit), widest_name),
      pad(hit.type or '', widest_type),
      locate.label(hit),
      hit.weak and '  weak' or ''
    )
  end
  return lines
end

---What the user should know about the result, '' when nothing.
local function remark(result)
  local index = result.index or {}
  if index.state == 'indexing' or index.state == 'starting' then
    return (' (still indexing, %d files so far)'):format(index.files or 0)
  end
  return ''
end

local function nothing_found(words, result)
  local why = table.concat(result.notes or {}, ' ')
  notify.warn(("nothing found for '%s'%s. %s"):format(words, remark(result), why))
end

local function pick(client, words, result)
  local lines = M.lines(result.hits)
  local index_of = {}
  for i, hit in ipairs(result.hits) do
    index_of[hit] = i
  end
  vim.ui.select(result.hits, {
    prompt = ('Aurora: %s%s'):format(words, remark(result)),
    kind = 'aurora.hit',
    format_item = function(hit)
      return lines[index_of[hit]]
    end,
  }, function(hit)
    if hit then
      locate.open(client, hit)
    end
  end)
end

local function fill_quickfix(client, words, result)
  local count = require('aurora.quickfix').fill(client, words, result.hits, function(hit)
    return ('%s  %s'):format(locate.name(hit), hit.signature or hit.type or '')
  end)
  if count == 0 then
    notify.info(('all %d hits are memories without a place; :Aurora search lists them'):format(#result.hits))
  end
end

---Searches while one types where a picker can, else asks for the words.
---@param buf integer where the command was given
---@param words string what to begin with
function M.live(buf, words)
  client_of.with(buf, function(client)
    if require('aurora.picker').live(client, buf, words) then
      return
    end
    vim.ui.input({ prompt = 'Search: ', default = words }, function(given)
      if given and given:match('%S') then
        M.run(buf, given, false)
      end
    end)
  end)
end

---@param buf integer where the command was given
---@param words string
---@param to_quickfix boolean
function M.run(buf, words, to_quickfix)
  client_of.with(buf, function(client)
    if not to_quickfix and require('aurora.picker').live(client, buf, words) then
      return
    end
    local params = { query = words, limit = config.get().search_limit }
    client_of.request(client, 'aurora/search', params, buf, function(result)
      result.hits = result.hits or {}
      if #result.hits == 0 then
        return nothing_found(words, result)
      end
      local show = to_quickfix and fill_quickfix or pick
      show(client, words, result)
    end)
  end)
end

return M
