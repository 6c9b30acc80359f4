-- Programs in place of the sidecar, for what the real one never does.
local compat = require('aurora.compat')
local repository = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h:h:h:h:h')
local scripted = repository .. '/editors/vscode/test/servers/scripted.mjs'

local function ended()
  return #compat.clients({ name = 'aurora', _uninitialized = true }) == 0 and require('aurora.client').idle()
end

---Opens a file of the project with another program.
local function with(cmd, file)
  vim.g.aurora = { cmd = cmd }
  T.open(file)
end

---Lets the next file start a program again.
local function afresh()
  T.wait('the end of it', ended)
  T.messages = {}
  vim.cmd('silent! %bwipeout!')
end

---Asks for the sidecar in spite of what happened before.
local function start(cmd, file, seconds)
  afresh()
  vim.g.aurora = { cmd = cmd, enabled = false }
  T.open(file)
  vim.g.aurora = { cmd = cmd, start_timeout_seconds = seconds }
  vim.cmd('Aurora start')
end

T.test('a program that is not executable', function()
  local plain = vim.fn.tempname()
  vim.fn.writefile({ '#!/bin/sh' }, plain)
  with({ plain }, 'internal/basket/basket.go')
  T.message('is not executable: chmod %+x')
  T.eq(1, #T.messages)
end)

T.test('a program that says nothing is ended, and that is said once', function()
  start({ 'node', scripted, 'hang' }, 'tools/stock.py', 1)
  T.message('did not answer within 1 s.*:Aurora start')
  T.wait('its end', ended)
  T.open('web/cart.ts')
  T.eq(1, T.count_messages('.'), vim.inspect(T.messages))
  T.ok(ended(), 'a file has started it again')
end)

T.test('a program that crashes at the start', function()
  start({ 'node', scripted, 'crash' }, 'tools/stock.py')
  T.message('ended unexpectedly %(exit status 3%)')
end)

T.test('another language server', function()
  start({ 'node', scripted, 'stranger' }, 'tools/stock.py')
  T.message('Scripted is not AURORA: correct cmd')
  T.wait('its end', ended)
end)

T.test('a program of a later version', function()
  start({ 'node', scripted, 'newer' }, 'tools/stock.py')
  T.message('speaks version 2 of the protocol, this plugin version 1: update the plugin')
  T.wait('its end', ended)
end)

T.test('a hostile answer is text, and nothing in it acts', function()
  start({ 'node', scripted, 'hostile' }, 'tools/stock.py')
  T.client()
  local width, wins = vim.o.textwidth, #vim.api.nvim_list_wins()
  vim.cmd('Aurora query what is it?')
  T.wait('the answer', function()
    return T.text():find('The end [1].', 1, true) and T.text():find('## How', 1, true)
  end)
  T.match('<script>document', T.text())
  T.eq(width, vim.bo.textwidth)
  T.eq(wins + 1, #vim.api.nvim_list_wins())
  for _, link in ipairs({ 'command:workbench', 'file:///etc/passwd', '/etc/passwd' }) do
    local buf = vim.api.nvim_get_current_buf()
    T.cursor_on(link)
    T.keys('gf')
    T.eq(buf, vim.api.nvim_get_current_buf())
  end
  T.message('outside of the project')
  T.keys('q')
end)

T.test('and with the right program all is well', function()
  require('aurora.client').stop()
  start(T.cmd, 'internal/basket/basket.go')
  T.ready()
  T.eq(0, T.count_messages('ended') + T.count_messages('answer'))
end)
