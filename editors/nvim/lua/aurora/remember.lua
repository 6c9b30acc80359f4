-- :Aurora remember: stores a note, with the place it is about.
local client_of = require('aurora.client')
local notify = require('aurora.notify')

local M = {}

---A note that was typed and could not be stored: the next one begins with it.
local draft

---Stores content.
---@param client table
---@param params table of aurora/remember; content must not be empty
---@param buf integer
function M.store(client, params, buf)
  client_of.request(client, 'aurora/remember', params, buf, function(result)
    draft = nil
    local where = result.path and vim.fn.fnamemodify(result.path, ':~:.') or result.id or ''
    if result.created == false then
      notify.info('this was remembered before (' .. where .. ')')
    else
      notify.info('remembered ' .. where)
    end
  end)
end

---Stores params.content; asks the user for it when it is missing.
---@param client table
---@param params table of aurora/remember
---@param buf integer
function M.ask(client, params, buf)
  if params.content and params.content:match('%S') then
    return M.store(client, params, buf)
  end
  vim.ui.input({ prompt = 'Remember: ', default = draft }, function(text)
    if text and text:match('%S') then
      draft = text
      M.store(client, vim.tbl_extend('force', params, { content = text }), buf)
    end
  end)
end

return M
