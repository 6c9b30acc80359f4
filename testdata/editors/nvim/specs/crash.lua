-- Without the checker between: the editor must see the signal itself.
local compat = require('aurora.compat')
vim.g.aurora = { cmd = { os.getenv('AURORA_BIN'), 'serve' } }

local function kill()
  local pids = vim.api.nvim_get_proc_children(vim.fn.getpid())
  T.eq(1, #pids)
  compat.uv.kill(pids[1], 9)
  T.wait('the end', function()
    return #compat.clients({ name = 'aurora' }) == 0
  end)
end

T.test('a killed sidecar is reported, once', function()
  T.project('internal/basket/basket.go')
  kill()
  T.match('signal 9.*:Aurora restart', T.message('ended unexpectedly'))
  T.eq('aurora: stopped', require('aurora').statusline())
end)

T.test('opening a file does not start it again behind the user\'s back', function()
  T.open('tools/stock.py')
  local later = false
  vim.schedule(function()
    later = true
  end)
  T.wait('the scheduled work', function()
    return later
  end)
  T.eq(0, #compat.clients({ name = 'aurora' }))
end)

T.test(':Aurora restart brings it back for every open file', function()
  vim.cmd('Aurora restart')
  T.client(vim.fn.bufnr('basket.go'))
  T.client(vim.fn.bufnr('stock.py'))
  T.ready()
  T.eq(1, T.count_messages('ended unexpectedly'))
end)

T.test(':Aurora restart replaces one that runs', function()
  local before = T.client().id
  vim.cmd('Aurora restart')
  T.wait('another sidecar', function()
    local client = compat.clients({ name = 'aurora', bufnr = vim.api.nvim_get_current_buf() })[1]
    return client and client.id ~= before
  end)
  T.eq(1, #compat.clients({ name = 'aurora' }))
  T.eq(1, T.count_messages('ended unexpectedly'))
end)

T.test('a second crash is reported again', function()
  T.ready()
  kill()
  T.wait('the second report', function()
    return T.count_messages('ended unexpectedly') == 2
  end)
end)
