local compat = require('aurora.compat')

T.test('a file of a project starts the sidecar', function()
  local client = T.project('internal/basket/basket.go')
  T.eq(T.dir, client.config.root_dir)
  T.eq('utf-16', client.offset_encoding)
  T.ok(client.server_capabilities.hoverProvider, 'no hover')
end)

T.test('a second file of any type is served by the same one', function()
  local first = T.client()
  T.open('tools/stock.py')
  T.eq(first.id, T.client().id)
  T.open('docs/guide.md')
  T.eq(first.id, T.client().id)
end)

T.test('so is a file without a filetype', function()
  T.open('NOTES')
  T.eq('', vim.bo.filetype)
  T.client()
end)

T.test('and a file that does not exist yet', function()
  T.open('internal/basket/refund.go')
  T.client()
end)

T.test('a file outside of any project starts nothing', function()
  local dir = vim.fn.tempname()
  vim.fn.mkdir(dir, 'p')
  T.open(dir .. '/lonely.go')
  T.open(vim.env.HOME .. '/lonely.go')
  -- Attaching is scheduled: what was scheduled before this runs first.
  local later = false
  vim.schedule(function()
    later = true
  end)
  T.wait('the scheduled work', function()
    return later
  end)
  T.eq(1, #compat.clients({ name = 'aurora' }))
  T.eq(0, #compat.clients({ bufnr = vim.api.nvim_get_current_buf(), name = 'aurora' }))
end)

T.test('nor do a buffer without a name, one of another file system, and one that is no file', function()
  local function nothing()
    local later = false
    vim.schedule(function()
      later = true
    end)
    T.wait('the scheduled work', function()
      return later
    end)
    T.eq(0, #compat.clients({ bufnr = vim.api.nvim_get_current_buf(), name = 'aurora' }))
  end
  T.open('internal/basket/basket.go')
  T.client()
  vim.cmd('enew')
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'package basket' })
  vim.bo.filetype = 'go'
  nothing()
  vim.cmd('enew!')
  vim.api.nvim_buf_set_name(0, 'fugitive://' .. T.dir .. '/.git//0/internal/basket/basket.go')
  vim.bo.filetype = 'go'
  nothing()
  vim.cmd('new')
  vim.bo.buftype = 'nofile'
  vim.bo.filetype = 'go'
  nothing()
  vim.cmd('only!')
end)

T.test('a second project has a sidecar of its own', function()
  local dir = vim.fn.tempname()
  vim.fn.mkdir(dir .. '/deep/er', 'p')
  vim.fn.writefile({ 'module example.com/other' }, dir .. '/go.mod')
  T.open(dir .. '/deep/er/other.go')
  T.eq(vim.loop.fs_realpath(dir), vim.loop.fs_realpath(T.client().config.root_dir))
  T.eq(2, #compat.clients({ name = 'aurora' }))
end)

T.test(':Aurora stop and start', function()
  T.open('internal/price/price.go')
  vim.cmd('Aurora stop')
  T.wait('no sidecar', function()
    return #compat.clients({ name = 'aurora' }) == 0
  end)
  vim.cmd('Aurora start')
  T.client()
  T.eq(0, T.count_messages('unexpectedly'))
end)
