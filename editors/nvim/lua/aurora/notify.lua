-- Messages to the user: one line each, so that none asks for a key press, and always with the product's name.
local M = {}

local shown = {}

local function say(text, level)
  vim.schedule(function()
    vim.notify('aurora: ' .. text:gsub('%s*\n%s*', ' '), level, { title = 'Aurora' })
  end)
end

function M.info(text)
  say(text, vim.log.levels.INFO)
end

function M.warn(text)
  say(text, vim.log.levels.WARN)
end

function M.error(text)
  say(text, vim.log.levels.ERROR)
end

---Warns the first time only.
---@param key string
---@param text string
function M.once(key, text)
  if not shown[key] then
    shown[key] = true
    M.warn(text)
  end
end

---Lets M.once(key) speak again.
function M.forget(key)
  shown[key] = nil
end

---Shows a response error: the server's sentence and what it says to do about it.
---@param err table {code, message, data = {kind, detail, remedy}}
function M.response_error(err)
  local data = type(err.data) == 'table' and err.data or {}
  local text = err.message or 'the request failed'
  if type(data.remedy) == 'string' and data.remedy ~= '' then
    text = text .. ' - ' .. data.remedy
  end
  M.error(text)
end

return M
