-- :Aurora remember: stores a note, with the place it is about.
local client_of = require('aurora.client')
local notify = require('aurora.notify')

local M = {}

---Stores content.
---@param client table
---@param params table of aurora/remember; content must not be empty
---@param buf integer
function M.store(client, params, buf)
  client_of.request(client, 'aurora/remember', params, buf, function(result)
    if result.created == false then
      notify.info('this was remembered before (' .. (result.id or '') .. ')')
    else
      notify.info('remembered ' .. (result.id or ''))
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
  vim.ui.input({ prompt = 'Remember: ' }, function(text)
    if text and text:match('%S') then
      M.store(client, vim.tbl_extend('force', params, { content = text }), buf)
    end
  end)
end

return M
