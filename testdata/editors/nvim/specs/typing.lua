-- A file of ten thousand lines, typed into as fast as Neovim takes keys, while questions and searches are under way.
local LINES, TYPED = 10000, 100
local PATH = 'internal/basket/long.go'

T.model('--fault', 'hang')

local lines = { 'package basket', '' }
while #lines < LINES do
  local n = #lines
  vim.list_extend(lines, { ('func step%d(n int) int {'):format(n), ('\treturn n + %d // 🍎'):format(n), '}', '' })
end
vim.fn.writefile(lines, PATH)

local child = T.child()
local function run(code, ...)
  return child('nvim_exec_lua', code, { ... })
end

T.test('questions and searches are under way', function()
  run([[
    _G.errors = {}
    vim.notify = function(text, level)
      if level == vim.log.levels.ERROR then table.insert(errors, text) end
    end
    vim.g.aurora = { cmd = ... }
  ]], T.cmd)
  child('nvim_command', 'edit ' .. PATH)
  child('nvim_command', 'setlocal formatoptions= noautoindent nocindent nosmartindent indentexpr=')
  T.wait('a ready index', function()
    return run([[
      local client = require('aurora.client').all()[1]
      return client ~= nil and (require('aurora.status').of_client(client.id) or {}).state == 'ready'
    ]])
  end)
  run([[
    _G.answered = 0
    local client, buf = require('aurora.client').all()[1], vim.api.nvim_get_current_buf()
    _G.code = buf
    function _G.search() -- the answer to one search starts the next
      require('aurora.client').request(client, 'aurora/search', { query = 'basket total', limit = 5 }, buf, function()
        answered = answered + 1
        if enough then _G.finished = true else search() end
      end)
    end
    search()
    for _, question in ipairs({ 'how are all prices rounded?', 'why is every discount computed twice?' }) do
      vim.cmd('Aurora query ' .. question)
      vim.cmd('wincmd p')
    end
    vim.api.nvim_set_current_buf(buf)
  ]])
  T.wait('the questions and the first search', function()
    return run([[return answered > 0 and require('aurora.answer').running(require('aurora.client').all()[1].id) == 2]])
  end)
end)

T.test('every key arrives', function()
  child('nvim_win_set_cursor', 0, { LINES / 2, 0 })
  local want = {}
  for n = 1, TYPED do
    want[n] = ('// 🍐 typed while asked %d, as fast as it goes'):format(n)
  end
  local before = run('return answered')
  child('nvim_input', 'O')
  for n = 1, TYPED do
    child('nvim_input', want[n] .. (n < TYPED and '<CR>' or '<Esc>'))
  end
  T.wait('the last key', function()
    return child('nvim_buf_line_count', 0) == #lines + TYPED and child('nvim_get_mode').mode == 'n'
  end)
  T.eq(want, child('nvim_buf_get_lines', 0, LINES / 2 - 1, LINES / 2 - 1 + TYPED, true))
  T.wait('searches to go on', function()
    return run('return answered') > before
  end)
end)

T.test('what was typed is found where it stands', function()
  child('nvim_input', 'Gofunc quinceAfterTyping() int { return 1 }<Esc>')
  run([[
    _G.found = false
    local client = require('aurora.client').all()[1]
    local function look()
      local params = { query = 'quinceAfterTyping', limit = 1 }
      require('aurora.client').request(client, 'aurora/search', params, code, function(result)
        local hit = (result.hits or {})[1]
        if hit and hit.name == 'quinceAfterTyping' then
          _G.found = hit.range.start.line + 1
        else
          look()
        end
      end, function(err)
        table.insert(errors, vim.inspect(err))
      end)
    end
    look()
  ]])
  T.eq(#lines + TYPED + 1, T.wait('the function', function()
    T.eq({}, run('return errors'))
    return run('return found')
  end))
end)

T.test('nothing went wrong, and the questions can be cancelled', function()
  child('nvim_command', 'Aurora cancel')
  run('enough = true')
  T.wait('the last search', function()
    return run('return finished == true')
  end)
  T.eq({ {}, 0 }, run([[
    return { errors, require('aurora.answer').running(require('aurora.client').all()[1].id) }
  ]]))
  run([[require('aurora.client').stop()]])
  T.wait('the sidecar to end', function()
    return run([[return require('aurora.client').idle()]])
  end)
end)
