-- :Aurora memory: the records that a person should look at, and what becomes of each.
local client_of = require('aurora.client')
local notify = require('aurora.notify')

local M = {}

-- Most records to choose from.
local LIMIT = 50

---The first line of a record, with the reasons why it is listed.
local function line_of(record)
  local title = vim.trim(record.content or ''):match('[^\n]*')
  if vim.fn.strchars(title) > 60 then
    title = vim.fn.strcharpart(title, 0, 60) .. '…'
  end
  return ('%s  (%s)'):format(title, table.concat(record.review or {}, '; '))
end

---Changes a record, and lists what is left.
local function revise(client, buf, params, told)
  client_of.request(client, 'aurora/revise', params, buf, function()
    notify.info(told)
    M.review(client, buf)
  end)
end

local acts = {
  {
    name = 'accept: it is right as it is',
    run = function(client, buf, record)
      revise(client, buf, { id = record.hit.id, accept = true }, 'accepted')
    end,
  },
  {
    name = 'edit',
    run = function(client, buf, record)
      vim.ui.input({ prompt = 'Record: ', default = record.content }, function(text)
        if text and text:match('%S') then
          revise(client, buf, { id = record.hit.id, content = text, accept = true }, 'changed')
        end
      end)
    end,
  },
  {
    name = 'forget',
    run = function(client, buf, record)
      client_of.request(client, 'aurora/forget', { ids = { record.hit.id } }, buf, function()
        notify.info('forgotten (:Aurora restore brings it back)')
        M.review(client, buf)
      end)
    end,
  },
}

---Lets the user edit a record that a review is about. One of several lines is shown only: it is edited elsewhere.
---@param client table
---@param buf integer
---@param id string
function M.edit(client, buf, id)
  client_of.request(client, 'aurora/records', { id = id }, buf, function(result)
    local record = (result.records or {})[1]
    if not record then
      return
    end
    if record.file and record.hit.uri then
      return vim.cmd('edit ' .. vim.fn.fnameescape(vim.uri_to_fname(record.hit.uri)))
    end
    if not record.editable or record.content:find('\n') then
      return notify.info('this note can not be edited here:\n' .. record.content)
    end
    vim.ui.input({ prompt = 'Record: ', default = record.content }, function(text)
      if text and text:match('%S') then
        client_of.request(client, 'aurora/revise', { id = id, content = text, accept = true }, buf, function()
          notify.info('changed')
        end)
      end
    end)
  end)
end

---Lets the user choose what becomes of a record. Only what is one line can be edited here.
local function decide(client, buf, record)
  local offered = vim.tbl_filter(function(act)
    return act.name ~= 'edit' or (record.editable and not record.content:find('\n'))
  end, acts)
  vim.ui.select(offered, {
    prompt = line_of(record),
    kind = 'aurora.record.act',
    format_item = function(act)
      return act.name
    end,
  }, function(act)
    if act then
      act.run(client, buf, record)
    end
  end)
end

---Lists what a person should look at: what agents remembered, what is stale, contradicted or about to end.
---@param client table
---@param buf integer
function M.review(client, buf)
  client_of.request(client, 'aurora/records', { view = 'review', limit = LIMIT }, buf, function(result)
    local records = result.records or {}
    if #records == 0 then
      return notify.info('there is nothing to review in memory')
    end
    vim.ui.select(records, {
      prompt = ('Review memory (%d)'):format(result.total or #records),
      kind = 'aurora.record',
      format_item = line_of,
    }, function(record)
      if record then
        decide(client, buf, record)
      end
    end)
  end)
end

return M
