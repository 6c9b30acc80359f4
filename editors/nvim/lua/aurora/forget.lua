-- :Aurora forget and :Aurora restore: forgetting remembered records, and taking that back.
local client_of = require('aurora.client')
local notify = require('aurora.notify')

local M = {}

-- Most records to choose from.
local LIMIT = 50

-- What was forgotten here last, for :Aurora! restore.
local latest

---The first line of a text, short enough for a message.
local function title(text)
  local line = vim.trim(text or ''):match('[^\n]*')
  return vim.fn.strchars(line) > 60 and vim.fn.strcharpart(line, 0, 60) .. '…' or line
end

local function forget(client, buf, record)
  client_of.request(client, 'aurora/forget', { ids = { record.id } }, buf, function(result)
    if (result.deleted or 0) == 0 then
      return notify.info('it was forgotten before')
    end
    latest = result.ids
    notify.info(('forgotten: %s (:Aurora! restore brings it back)'):format(title(record.text)))
  end)
end

---Lets the user choose one of some records, each with id, text and kind.
local function choose(records, prompt, on_choice)
  vim.ui.select(records, {
    prompt = prompt,
    kind = 'aurora.record',
    format_item = function(record)
      return ('%s  (%s)'):format(title(record.text), record.kind)
    end,
  }, function(record)
    if record then
      on_choice(record)
    end
  end)
end

---The records that a search finds; memory only.
local function found(result)
  local records = {}
  for _, hit in ipairs(result.hits or {}) do
    if hit.source == 'memory' then
      records[#records + 1] = { id = hit.id, text = hit.snippet, kind = hit.type }
    end
  end
  return records
end

---The latest records, without the patterns that questions left: nobody wrote these.
local function listed(result)
  local records = {}
  for _, record in ipairs(result.records or {}) do
    if not record.pattern then
      local kind = record.decision and 'decision' or record.hit.type
      records[#records + 1] = { id = record.hit.id, text = record.content, kind = kind }
    end
  end
  return records
end

---Offers the records that words find, without words the latest notes, and forgets the one that is chosen.
---@param client table
---@param buf integer
---@param words string
function M.forget(client, buf, words)
  local method, params, read = 'aurora/records', { view = 'recent', limit = LIMIT }, listed
  if words ~= '' then
    local scope = { types = { 'knowledge', 'reasoning' } }
    method, params, read = 'aurora/search', { query = words, limit = LIMIT, scope = scope }, found
  end
  client_of.request(client, method, params, buf, function(result)
    local records = read(result)
    if #records == 0 then
      return notify.info(words == '' and 'there are no notes' or ("nothing is remembered for '%s'"):format(words))
    end
    choose(records, 'Forget', function(record)
      forget(client, buf, record)
    end)
  end)
end

local function bring_back(client, buf, ids)
  client_of.request(client, 'aurora/restore', { ids = ids }, buf, function(result)
    local restored = result.restored or 0
    latest = nil
    notify.info(restored > 0 and 'remembered again' or 'it can not be brought back any more')
  end)
end

---Brings a forgotten record back: the one that is chosen, or at once the one that was forgotten here last.
---@param client table
---@param buf integer
---@param at_once boolean
function M.restore(client, buf, at_once)
  if at_once and latest then
    return bring_back(client, buf, latest)
  end
  client_of.request(client, 'aurora/restore', { limit = LIMIT }, buf, function(result)
    local records = vim.tbl_map(function(record)
      return { id = record.id, text = record.title, kind = ('deleted for good %s'):format((record['until'] or ''):sub(1, 10)) }
    end, result.forgotten or {})
    if #records == 0 then
      return notify.info('nothing was forgotten in the last 30 days')
    end
    choose(records, 'Bring back', function(record)
      bring_back(client, buf, { record.id })
    end)
  end)
end

return M
