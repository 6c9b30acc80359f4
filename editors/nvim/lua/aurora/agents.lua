-- Agents: the questions that they put to the user, and whether what a project brings along may run.
local client_of = require('aurora.client')
local notify = require('aurora.notify')

local M = {}

---The reply to aurora/ask.
local function reply(answer)
  if type(answer) ~= 'string' or answer == '' then
    return { cancelled = true }
  end
  return { answer = answer }
end

---Waits for done(reply) where Neovim runs requests of servers in a coroutine (0.10 and later), so that the editor goes
---on meanwhile; nil where it does not.
local function wait_for(ask)
  local co, main = coroutine.running()
  if not co or main then
    return nil
  end
  ask(function(answer)
    -- Scheduled: the default vim.ui.select answers before it returns, which is before the yield.
    vim.schedule(function()
      coroutine.resume(co, reply(answer))
    end)
  end)
  return coroutine.yield()
end

---Asks by the command line, which blocks.
local function ask_at_once(prompt, params)
  if #(params.choices or {}) == 0 then
    return reply(vim.fn.input({ prompt = prompt .. ' ', default = params.default or '', cancelreturn = '' }))
  end
  local lines = { prompt }
  for i, choice in ipairs(params.choices) do
    lines[#lines + 1] = ('%d. %s'):format(i, choice)
  end
  return reply(params.choices[vim.fn.inputlist(lines)])
end

---Answers aurora/ask: a choice by vim.ui.select, a text by vim.ui.input.
local function on_ask(_, params)
  params = params or {}
  local prompt = ('%s asks: %s'):format(params.agentId or 'an agent', (params.question or ''):gsub('%s*\n%s*', ' '))
  local answer = wait_for(function(done)
    if #(params.choices or {}) > 0 then
      vim.ui.select(params.choices, { prompt = prompt, kind = 'aurora_ask' }, done)
    else
      vim.ui.input({ prompt = prompt .. ' ', default = params.default }, done)
    end
  end)
  return answer or ask_at_once(prompt, params)
end

---The handlers of what the server asks the user.
---@return table<string, function>
function M.handlers()
  return { ['aurora/ask'] = on_ask }
end

---:Aurora trust: the server shows what the project brings along and asks the user, by window/showMessageRequest;
---:Aurora! trust withdraws.
---@param client table
---@param buf integer
---@param withdraw boolean
function M.trust(client, buf, withdraw)
  client_of.request(client, 'aurora/trust', { trusted = not withdraw }, buf, function(result)
    for _, folder in ipairs(result.folders or {}) do
      local said = folder.trusted and 'trusted; its settings count after :Aurora restart'
        or withdraw and 'trusted no longer'
        or 'not trusted'
      notify.info(('%s is %s'):format(folder.path, said))
    end
  end)
end

return M
