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

local function set_trust(client, buf, trusted)
  client_of.request(client, 'aurora/trust', { trusted = trusted }, buf, function(result)
    local paths = vim.tbl_map(function(folder)
      return folder.path
    end, result.folders or {})
    local said = trusted and 'trusted; its settings count after :Aurora restart' or 'trusted no longer'
    notify.info(table.concat(paths, ', ') .. ' is ' .. said)
  end)
end

---What an agent of the project does, on one line.
local function what(agent)
  if agent.endpoint and agent.endpoint ~= '' then
    return ('%s (sends to %s)'):format(agent.id, agent.endpoint)
  end
  return ('%s (%s)'):format(agent.id, agent.path ~= nil and 'runs ' .. agent.path or 'instructions for the model')
end

---:Aurora trust: shows what the project brings along and asks; :Aurora! trust withdraws.
---@param client table
---@param buf integer
---@param withdraw boolean
function M.trust(client, buf, withdraw)
  if withdraw then
    return set_trust(client, buf, false)
  end
  client_of.request(client, 'aurora/agents', { refresh = false }, buf, function(result)
    local brought = {}
    for _, agent in ipairs(result.agents or {}) do
      if agent.origin == 'project' then
        brought[#brought + 1] = what(agent)
      end
    end
    local list = #brought > 0 and table.concat(brought, ', ') or 'no agents now'
    local prompt = ('Let what this project brings along run programs and send data? It has %s'):format(list)
    vim.ui.select({ 'No', 'Trust this project' }, { prompt = prompt, kind = 'aurora_trust' }, function(_, choice)
      if choice == 2 then
        set_trust(client, buf, true)
      end
    end)
  end)
end

return M
