-- How long Neovim takes for a key without a server, with one that does nothing, and with the sidecar:
-- scripts/bench-nvim.sh. The key goes in as from a terminal, and counts as done when the text has changed. Rounds take
-- turns, so that what else the machine does meets all.
local LINES, KEYS, ROUNDS = 10000, 600, 5
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

---Milliseconds for each of KEYS keys, and the CPU seconds that Neovim took for all.
local function round(name)
  local call, channel = start(name)
  local times = {}
  call('nvim_win_set_cursor', 0, { LINES / 2, 0 })
  call('nvim_input', 'O')
  local before = call('nvim_exec_lua', 'local u = vim.loop.getrusage() return u.utime.sec + u.utime.usec / 1e6', {})
  local tick = call('nvim_buf_get_changedtick', 0)
  for i = 1, KEYS do
    local started = uv.hrtime()
    call('nvim_input', i % 40 == 0 and '<CR>' or 'x')
    local now
    repeat
      now = call('nvim_buf_get_changedtick', 0)
    until now ~= tick
    tick = now
    times[i] = (uv.hrtime() - started) / 1e6
  end
  local cpu = call('nvim_exec_lua', 'local u = vim.loop.getrusage() return u.utime.sec + u.utime.usec / 1e6', {}) - before
  vim.fn.jobstop(channel)
  return times, cpu
end

local function summary(name, times, cpu)
  table.sort(times)
  local function at(share)
    return times[math.max(1, math.ceil(#times * share))]
  end
  io.stdout:write(('%-12s p50 %.3f ms  p95 %.3f ms  p99 %.3f ms  CPU of Neovim %.3f ms a key\n'):format(
    name, at(0.5), at(0.95), at(0.99), cpu / #times * 1000))
end

local ok, err = pcall(function()
  local names, all, cpu = { 'no server', 'idle server', 'sidecar' }, {}, {}
  round(names[1]) -- not counted: the caches are cold
  for _ = 1, ROUNDS do
    for _, name in ipairs(names) do
      local times, spent = round(name)
      all[name] = vim.list_extend(all[name] or {}, times)
      cpu[name] = (cpu[name] or 0) + spent
    end
  end
  for _, name in ipairs(names) do
    summary(name, all[name], cpu[name])
  end
end)
if not ok then
  io.stderr:write(tostring(err) .. '\n')
end
vim.cmd(ok and 'qall!' or 'cquit 1')
