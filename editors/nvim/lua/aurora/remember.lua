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

---Asks who a note is for where the person is in a team, and stores it.
---@param client table
---@param params table of aurora/remember
---@param buf integer
local function store_for(client, params, buf)
  if params.shared then
    return M.store(client, params, buf)
  end
  client_of.request(client, 'aurora/status', vim.empty_dict(), buf, function(status)
    if not (status.memory or {}).team then
      return M.store(client, params, buf)
    end
    vim.ui.select({ 'For me', 'For the team' }, { prompt = 'Who is it for?' }, function(choice)
      if choice then
        M.store(client, vim.tbl_extend('force', params, { team = choice == 'For the team' or nil }), buf)
      end
    end)
  end)
end

---Stores params.content; asks the user for it when it is missing.
---@param client table
---@param params table of aurora/remember
---@param buf integer
function M.ask(client, params, buf)
  if params.content and params.content:match('%S') then
    return store_for(client, params, buf)
  end
  vim.ui.input({ prompt = 'Remember: ', default = draft }, function(text)
    if text and text:match('%S') then
      draft = text
      store_for(client, vim.tbl_extend('force', params, { content = text }), buf)
    end
  end)
end

return M
