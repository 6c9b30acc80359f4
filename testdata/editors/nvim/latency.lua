-- How long Neovim takes for a key without a server, with one that does nothing, and with the sidecar, and how long after
-- its sending the first text of an answer is in the window: scripts/bench-nvim.sh. A key goes in as from a terminal, and
-- counts as done when the text has changed. Three Neovims run side by side and take turns every few keys, so that what
-- else the machine does meets all; their medians are compared turn by turn.
local LINES, KEYS, TURNS, QUESTIONS = 10000, 20, 90, 21
local plugin = os.getenv('PLUGIN')
local uv = vim.uv or vim.loop

local lines = { 'package basket', '' }
while #lines < LINES do
  local n = #lines
  vim.list_extend(lines, { ('func step%d(n int) int {'):format(n), ('\treturn n + %d'):format(n), '}', '' })
end
vim.fn.writefile(lines, 'internal/basket/long.go')

local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h')

local function start(name)
  local with = name == 'sidecar'
  local args = { vim.v.progpath, '--embed', '--headless', '--clean', '--cmd', 'set noswapfile' }
  if with then
    vim.list_extend(args, { '--cmd', 'set rtp^=' .. plugin })
  end
  local channel = vim.fn.jobstart(args, { rpc = true })
  local function call(method, ...)
    return vim.rpcrequest(channel, method, ...)
  end
  if with then
    call('nvim_exec_lua', 'vim.g.aurora = { cmd = { ..., "serve" } }', { os.getenv('AURORA_BIN') })
  end
  call('nvim_command', 'edit internal/basket/long.go')
  if name == 'idle server' then
    call('nvim_exec_lua', [[
      local id = vim.lsp.start_client({ name = 'idle', cmd = { 'node', ... }, root_dir = vim.loop.cwd() })
      vim.lsp.buf_attach_client(0, id)
    ]], { here .. '/utf8-server.js' })
    assert(vim.wait(60000, function()
      return call('nvim_exec_lua', 'return #vim.lsp.get_active_clients() == 1', {})
    end, 50), 'the other server does not start')
  end
  assert(not with or vim.wait(60000, function()
    return call('nvim_exec_lua', [[
      local client = require('aurora.client').all()[1]
      return client ~= nil and (require('aurora.status').of_client(client.id) or {}).state == 'ready'
    ]], {})
  end, 50), 'the index does not get ready')
  return call, channel
end

---CPU seconds that a Neovim has taken.
local function cpu_of(call)
  return call('nvim_exec_lua', 'local u = vim.loop.getrusage() return u.utime.sec + u.utime.usec / 1e6', {})
end

---Milliseconds for each of KEYS keys.
local function type_keys(call)
  local times, tick = {}, call('nvim_buf_get_changedtick', 0)
  for i = 1, KEYS do
    local started = uv.hrtime()
    call('nvim_input', i == KEYS and '<CR>' or 'x')
    local now
    repeat
      now = call('nvim_buf_get_changedtick', 0)
    until now ~= tick
    tick = now
    times[i] = (uv.hrtime() - started) / 1e6
  end
  return times
end

---What a share of the values stays below.
local function quantile(values, share)
  local sorted = vim.list_extend({}, values)
  table.sort(sorted)
  return sorted[math.max(1, math.ceil(#sorted * share))]
end

local function typing()
  local names, calls, channels, all, medians, cpu = { 'no server', 'idle server', 'sidecar' }, {}, {}, {}, {}, {}
  for _, name in ipairs(names) do
    calls[name], channels[name] = start(name)
    calls[name]('nvim_win_set_cursor', 0, { LINES / 2, 0 })
    calls[name]('nvim_input', 'O')
    type_keys(calls[name]) -- not counted: the caches are cold
    all[name], medians[name], cpu[name] = {}, {}, cpu_of(calls[name])
  end
  for turn = 1, TURNS do
    for i = 1, #names do
      local name = names[(i + turn) % #names + 1] -- nobody is always first
      local times = type_keys(calls[name])
      vim.list_extend(all[name], times)
      table.insert(medians[name], quantile(times, 0.5))
    end
  end
  for _, name in ipairs(names) do
    local times = all[name]
    io.stdout:write(('%-12s p50 %.3f ms  p95 %.3f ms  CPU of Neovim %.3f ms a key\n'):format(
      name, quantile(times, 0.5), quantile(times, 0.95), (cpu_of(calls[name]) - cpu[name]) / #times * 1000))
    vim.fn.jobstop(channels[name])
  end
  for i = 1, 2 do
    local ratios = {}
    for turn = 1, TURNS do
      ratios[turn] = medians.sidecar[turn] / medians[names[i]][turn]
    end
    io.stdout:write(('sidecar by %s, turn by turn: %.2f (quartiles %.2f and %.2f)\n'):format(
      names[i], quantile(ratios, 0.5), quantile(ratios, 0.25), quantile(ratios, 0.75)))
  end
end

---How long after a server has sent it the first text of an answer is in the window.
local function first_text()
  local channel = vim.fn.jobstart({ vim.v.progpath, '--embed', '--headless', '--clean', '--cmd', 'set noswapfile', '--cmd',
    'set rtp^=' .. plugin }, { rpc = true })
  local server = vim.fn.fnamemodify(here, ':h:h:h') .. '/editors/vscode/test/servers/scripted.mjs'
  vim.rpcrequest(channel, 'nvim_exec_lua', [[vim.g.aurora = { cmd = { 'node', ..., 'hostile' } }]], { server })
  vim.rpcrequest(channel, 'nvim_command', 'edit internal/basket/basket.go')
  assert(vim.wait(30000, function()
    return vim.rpcrequest(channel, 'nvim_exec_lua', [[
      local client = require('aurora.client').all()[1]
      return client ~= nil and require('aurora.client').ready(client.id) == true
    ]], {})
  end, 20), 'the scripted server does not start')
  local took = {}
  for i = 1, QUESTIONS do
    vim.rpcrequest(channel, 'nvim_exec_lua', [[
      _G.took = nil
      vim.cmd('Aurora query write and wait ' .. ...)
      local function look()
        local sent = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), ' '):match('Sent at (%d+)%.')
        if sent and not took then
          local seconds, micros = vim.loop.gettimeofday()
          _G.took = seconds * 1000 + micros / 1000 - tonumber(sent)
        end
      end
      vim.defer_fn(function()
        vim.api.nvim_buf_attach(0, false, { on_lines = look })
        look()
      end, 0)
    ]], { tostring(i) })
    assert(vim.wait(30000, function()
      return vim.rpcrequest(channel, 'nvim_exec_lua', 'return took ~= nil', {})
    end, 20), 'no text of the answer')
    took[i] = vim.rpcrequest(channel, 'nvim_exec_lua', 'return took', {})
    vim.rpcrequest(channel, 'nvim_exec_lua', [[vim.cmd('Aurora cancel') vim.cmd('close')]], {})
  end
  vim.fn.jobstop(channel)
  io.stdout:write(('first text   p50 %.0f ms  p95 %.0f ms after the server has sent it\n'):format(
    quantile(took, 0.5), quantile(took, 0.95)))
end

local ok, err = pcall(function()
  typing()
  first_text()
end)
if not ok then
  io.stderr:write(tostring(err) .. '\n')
end
vim.cmd(ok and 'qall!' or 'cquit 1')
