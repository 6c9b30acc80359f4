-- Two Neovims on one project.
local client = T.project('internal/basket/basket.go')
local child = T.child()

local function run(code, ...)
  return child('nvim_exec_lua', code, { ... })
end

local function hit(words)
  return (T.request(client, 'aurora/search', { query = words, limit = 5 }).hits or {})[1] or {}
end

T.test('a second Neovim joins the process of the first', function()
  run('vim.g.aurora = { cmd = ... }', T.cmd)
  child('nvim_command', 'edit tools/stock.py')
  T.wait('a ready index', function()
    return run([[
      local client = require('aurora.client').all()[1]
      return client ~= nil and (require('aurora.status').of_client(client.id) or {}).state == 'ready'
    ]])
  end)
  local out = vim.fn.system({ os.getenv('AURORA_BIN'), 'daemon', 'list', '--json' })
  T.eq(1, select(2, out:gsub('"pid":', '')))
end)

T.test('what is typed in one is found in the other', function()
  child('nvim_buf_set_lines', 0, -1, -1, true, { 'def loganberry():', '    return 5' })
  T.wait('the function', function()
    return hit('loganberry').name == 'loganberry'
  end)
end)

T.test('each is told of what it has on its own screen', function()
  child('nvim_command', 'edit internal/basket/basket.go')
  child('nvim_buf_set_lines', 0, 0, 0, true, { '// one', '// two', '// three', '', 'func boysenberry() {}' })
  T.wait('the function', function()
    return hit('boysenberry').name == 'boysenberry'
  end)
  T.cursor_on('volumeDiscount(len')
  T.match('volumeDiscount', T.hover())
  T.close_floats()
  child('nvim_command', 'edit! internal/basket/basket.go')
end)

T.test('what is remembered in one is known in the other', function()
  child('nvim_command', 'Aurora remember the tayberry is counted twice')
  T.wait('the note', function()
    return (hit('tayberry counted').snippet or ''):find('tayberry')
  end)
end)

T.test('the end of one leaves the other as it is', function()
  run([[require('aurora.client').stop()]])
  T.wait('its end', function()
    return run([[return require('aurora.client').idle()]])
  end)
  T.wait('its text to go', function()
    return hit('loganberry').name ~= 'loganberry'
  end)
  T.eq('TotalCents', hit('TotalCents').name)
end)
