-- The quickfix list with hits, and the news that the user went to one of them: Neovim tells nobody, so it is seen from the
-- current entry and the cursor.
local position = require('aurora.position')
local used = require('aurora.used')

local M = {}

local group = vim.api.nvim_create_augroup('aurora.quickfix', {})

---@class aurora.QuickfixList the latest of ours
---@field id integer
---@field client table
---@field hits table[] by entry
---@field told table<integer, boolean> entries that the sidecar has heard of
local list

---True when the cursor is in the file and on the line of the entry.
local function is_at(entry)
  return entry and entry.bufnr == vim.api.nvim_get_current_buf() and entry.lnum == vim.fn.line('.')
end

local function look()
  local now = vim.fn.getqflist({ id = 0, idx = 0 })
  if not list or now.id ~= list.id or vim.bo.buftype ~= '' then
    return
  end
  local at = now.idx
  if list.hits[at] and list.hits[at].id and not list.told[at] and is_at(vim.fn.getqflist()[at]) then
    list.told[at] = true
    used.opened(list.client, list.hits[at])
  end
end

---A quickfix entry for a hit; nil for one without a place.
---@return table|nil
local function item_of(client, hit, text)
  local place = M.place(client, hit)
  if place then
    place.text = text
  end
  return place
end

---Where a hit is: {filename, lnum, col}, from 1 and in bytes; nil for a memory without a place.
---@return table|nil
function M.place(client, hit)
  if hit.place then
    return vim.deepcopy(hit.place) -- a use that another server knows
  end
  if not hit.uri then
    return nil
  end
  local place = { filename = vim.uri_to_fname(hit.uri), lnum = 1, col = 1 }
  local range = hit.nameRange or hit.range
  if range then
    place.lnum, place.col = position.in_file(place.filename, range.start, client.offset_encoding)
  end
  return place
end

---Fills the quickfix list and opens it.
---@param client table
---@param title string
---@param hits table[]
---@param describe fun(hit: table, i: integer): string
---@return integer how many entries there are
function M.fill(client, title, hits, describe)
  local items, with_place = {}, {}
  for i, hit in ipairs(hits) do
    local item = item_of(client, hit, describe(hit, i))
    if item then
      items[#items + 1], with_place[#with_place + 1] = item, hit
    end
  end
  vim.fn.setqflist({}, ' ', { title = 'Aurora: ' .. title, items = items })
  list = { id = vim.fn.getqflist({ id = 0 }).id, client = client, hits = with_place, told = {} }
  vim.api.nvim_clear_autocmds({ group = group })
  if #items > 0 then
    vim.api.nvim_create_autocmd({ 'CursorMoved', 'BufEnter' }, { group = group, callback = look })
    vim.cmd('botright copen')
  end
  return #items
end

return M
