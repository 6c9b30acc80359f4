-- The test harness of the Neovim plugin, for Neovim 0.7 and later. scripts/test-nvim.sh runs it, one spec a process:
--   AURORA_SPEC=specs/hover.lua AURORA_CMD='["aurora","serve"]' nvim --clean --headless --cmd 'set rtp^=editors/nvim' \
--     -c 'luafile harness.lua'
-- in a copy of testdata/project. Exit status: 0 all passed, 1 a test failed, 2 the spec itself broke.
local T = { passed = 0, failed = 0, messages = {} }

-- How long a wait may take; the state waited for is looked at every 10 ms.
local TIMEOUT_MS = 60000

local function say(text)
  io.stdout:write(text .. '\n')
  io.stdout:flush()
end

function T.test(name, body)
  local ok, err = xpcall(body, debug.traceback)
  if ok then
    T.passed = T.passed + 1
    say('ok      ' .. name)
  else
    T.failed = T.failed + 1
    say('FAILED  ' .. name .. '\n' .. tostring(err))
    if #T.messages > 0 then
      say('messages: ' .. vim.inspect(T.messages))
    end
  end
end

function T.eq(want, got)
  if not vim.deep_equal(want, got) then
    error(('want %s\ngot  %s'):format(vim.inspect(want), vim.inspect(got)), 2)
  end
end

function T.match(pattern, got)
  if not tostring(got):find(pattern) then
    error(('no %q in %s'):format(pattern, vim.inspect(got)), 2)
  end
end

function T.ok(value, what)
  if not value then
    error(what or 'not true', 2)
  end
end

---Waits, handling events, until f() is true-ish; returns its value.
function T.wait(what, f)
  local value
  local deadline = vim.loop.hrtime() + TIMEOUT_MS * 1e6 -- vim.wait counts whole milliseconds, of which a quick f() takes none
  vim.wait(TIMEOUT_MS, function()
    value = f()
    return value or vim.loop.hrtime() > deadline
  end, 10)
  if not value then
    error('timed out: ' .. what, 2)
  end
  return value
end

---The text of every floating window, nil when there is none.
function T.floats()
  local lines = {}
  for _, win in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(win).relative ~= '' then
      vim.list_extend(lines, vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(win), 0, -1, false))
    end
  end
  return #lines > 0 and table.concat(lines, '\n') or nil
end

function T.close_floats()
  for _, win in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(win).relative ~= '' then
      vim.api.nvim_win_close(win, true)
    end
  end
end

---The text of the current buffer.
function T.text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
end

---Opens a file of the project.
function T.open(path)
  vim.cmd('edit ' .. vim.fn.fnameescape(path))
  return vim.api.nvim_get_current_buf()
end

---The sidecar of a buffer, once it answers.
function T.client(buf)
  buf = buf or vim.api.nvim_get_current_buf()
  local compat = require('aurora.compat')
  return T.wait('a sidecar for ' .. vim.api.nvim_buf_get_name(buf), function()
    return compat.clients({ bufnr = buf, name = 'aurora' })[1]
  end)
end

---Sends a request and returns its result; fails on an error.
function T.request(client, method, params)
  local reply
  require('aurora.compat').call(client, 'request', method, params, function(err, result)
    reply = { err = err, result = result }
  end, vim.api.nvim_get_current_buf())
  T.wait('the answer to ' .. method, function()
    return reply
  end)
  if reply.err then
    error(('%s: %s'):format(method, vim.inspect(reply.err)), 2)
  end
  return reply.result
end

---The sidecar of the current buffer, once it has told that its index is ready.
function T.ready()
  local client = T.client()
  T.wait('a ready index', function()
    local status = require('aurora.status').of_client(client.id)
    return status and status.state == 'ready'
  end)
  return client
end

---Asks for a hover until it is there, and returns its text: on a busy machine the sidecar answers nothing rather than
---late.
function T.hover()
  return T.wait('the hover', function()
    vim.lsp.buf.hover()
    vim.wait(500, T.floats, 10)
    return T.floats()
  end)
end

---Opens a file and waits for the ready sidecar.
function T.project(path)
  T.open(path)
  return T.ready()
end

---Puts the cursor on the first character of text, on the first line that holds it.
function T.cursor_on(text)
  for row, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local col = line:find(text, 1, true)
    if col then
      vim.api.nvim_win_set_cursor(0, { row, col - 1 })
      return row, col - 1
    end
  end
  error('the buffer does not hold ' .. text, 2)
end

---Waits for a message of the plugin.
function T.message(pattern)
  return T.wait('a message like ' .. pattern, function()
    for _, text in ipairs(T.messages) do
      if text:find(pattern) then
        return text
      end
    end
  end)
end

---How many messages match.
function T.count_messages(pattern)
  local count = 0
  for _, text in ipairs(T.messages) do
    count = count + (text:find(pattern) and 1 or 0)
  end
  return count
end

---Starts the scripted model, which ends with Neovim; sidecars that start from now on use it.
---@param ... string arguments of aurora dev llm
function T.model(...)
  local lines = {}
  local job = vim.fn.jobstart({ os.getenv('AURORA_BIN'), 'dev', 'llm', '--listen', '127.0.0.1:0', ... }, {
    on_stdout = function(_, data)
      vim.list_extend(lines, data)
    end,
  })
  T.ok(job > 0, 'the scripted model did not start')
  vim.env.AURORA_LLM_MODEL = 'scripted'
  vim.env.AURORA_LLM_BASE_URL = T.wait('the address of the scripted model', function()
    return table.concat(lines, '\n'):match('AURORA_LLM_BASE_URL=(%S+)')
  end)
  return job
end

---Starts another Neovim with the plugin, which takes keys as from a terminal.
---@return fun(method: string, ...): any calls its API
function T.child()
  local plugin = vim.fn.fnamemodify(vim.api.nvim_get_runtime_file('plugin/aurora.lua', false)[1], ':h:h')
  local channel = vim.fn.jobstart({ vim.v.progpath, '--embed', '--headless', '--clean', '--cmd', 'set rtp^=' .. plugin,
    '--cmd', 'set noswapfile' }, { rpc = true })
  T.ok(channel > 0, 'no second Neovim')
  return function(method, ...)
    return vim.rpcrequest(channel, method, ...)
  end
end

---Presses keys, as if typed.
function T.keys(keys)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(keys, true, false, true), 'x', false)
end

---The aurora/didUse notifications that go to a sidecar from now on; they are sent all the same.
function T.uses(client)
  local sent, notify = {}, client.notify
  client.notify = function(...)
    local arguments = { ... }
    for i, argument in ipairs(arguments) do
      if argument == 'aurora/didUse' then
        sent[#sent + 1] = arguments[i + 1]
      end
    end
    return notify(...)
  end
  return sent
end

---Answers the next vim.ui.select by choose(items, lines); its items are returned by the function it returns.
function T.select(choose)
  local seen
  vim.ui.select = function(items, opts, on_choice)
    local lines = {}
    for i, item in ipairs(items) do
      lines[i] = (opts.format_item or tostring)(item)
    end
    seen = { items = items, lines = lines, prompt = opts.prompt, kind = opts.kind }
    local i = choose(items, lines)
    on_choice(items[i], i)
  end
  return function()
    return T.wait('a choice to be offered', function()
      return seen
    end)
  end
end

---The index of the first line that matches; nil cancels the choice.
function T.line_like(pattern)
  return function(_, lines)
    for i, line in ipairs(lines) do
      if line:find(pattern) then
        return i
      end
    end
  end
end

_G.T = T

local function prepare()
  vim.opt.swapfile = false
  vim.opt.shortmess:append('I')
  vim.notify = function(text)
    T.messages[#T.messages + 1] = text
  end
  vim.notify_once = vim.notify
  -- A prompt would wait for ever.
  vim.ui.input = function(opts)
    error('nobody answers: ' .. tostring(opts.prompt))
  end
  T.dir = vim.fn.getcwd()
  local cmd = assert(os.getenv('AURORA_CMD'), 'AURORA_CMD is not set')
  T.cmd = vim.json.decode(cmd)
  vim.g.aurora = { cmd = T.cmd }
end

---Ends every server in an orderly way, so that the checker sees the whole session.
local function stop_all()
  local compat = require('aurora.compat')
  require('aurora.client').stop()
  for _, client in ipairs(compat.clients()) do
    if client.name ~= 'aurora' then
      compat.call(client, 'stop')
    end
  end
  T.wait('the servers to end', function()
    return #compat.clients() == 0 and require('aurora.client').idle()
  end)
end

local function run(spec)
  local ok, err = xpcall(function()
    prepare()
    dofile(spec)
    T.test('every server ends when asked to', stop_all)
  end, debug.traceback)
  if not ok then
    say('BROKEN  ' .. spec .. '\n' .. tostring(err))
    say('messages: ' .. vim.inspect(T.messages))
    os.exit(2)
  end
  say(('%d passed, %d failed'):format(T.passed, T.failed))
  vim.cmd(T.failed > 0 and 'cquit 1' or 'qall!')
end

-- A Lua error does not end headless Neovim, so run() ends it itself.
run(assert(os.getenv('AURORA_SPEC'), 'AURORA_SPEC is not set'))
