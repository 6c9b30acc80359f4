local aurora = require('aurora')

T.test('nothing runs: the statusline is empty', function()
  T.eq('', aurora.statusline())
end)

T.test('the statusline follows the sidecar, and says so', function()
  local events, texts = 0, {}
  vim.api.nvim_create_autocmd('User', {
    pattern = 'AuroraStatus',
    callback = function()
      events = events + 1
      texts[#texts + 1] = aurora.statusline()
    end,
  })
  T.project('internal/basket/basket.go')
  T.wait("'aurora' once all is quiet", function()
    return aurora.statusline() == 'aurora'
  end)
  T.ok(events > 0, 'no User AuroraStatus')
  T.eq('aurora: starting', texts[1])
end)

T.test('progress and reported states are shown', function()
  local id = T.client().id
  local handlers = require('aurora.status').handlers()
  local function progress(value)
    handlers['$/progress'](nil, { token = 'test', value = value }, { client_id = id, method = '$/progress' })
  end
  progress({ kind = 'begin', title = 'Indexing', percentage = 0 })
  progress({ kind = 'report', percentage = 45, message = '45 of 100 files' })
  T.eq('aurora: indexing 45%', aurora.statusline())
  progress({ kind = 'end' })
  T.eq('aurora', aurora.statusline())
  local function report(fields)
    handlers['aurora/didChangeStatus'](nil, fields, { client_id = id })
  end
  report({ state = 'indexing', files = { indexed = 1, total = 4, failed = 0 } })
  T.eq('aurora: indexing 25%', aurora.statusline())
  report({ state = 'degraded' })
  T.eq('aurora: degraded', aurora.statusline())
  report({ state = 'ready' })
  T.eq('aurora', aurora.statusline())
end)

T.test(':Aurora status shows a window', function()
  vim.cmd('Aurora status')
  local text = T.wait('the window', T.floats)
  T.match('Aurora .*: ready', text)
  T.match('files%s+%d+ of %d+ indexed', text)
  T.match('model%s+none configured', text)
  T.close_floats()
end)

T.test(':Aurora refresh tells what it does', function()
  vim.cmd('Aurora refresh')
  T.message('files will be read again')
end)

T.test(':Aurora completes', function()
  T.eq({ 'search' }, vim.fn.getcompletion('Aurora se', 'cmdline'))
  T.eq({ 'start', 'status', 'stop' }, vim.fn.getcompletion('Aurora st', 'cmdline'))
  T.eq({ 'callees', 'callers', 'cochanged' }, (function()
    local found = vim.fn.getcompletion('Aurora related c', 'cmdline')
    table.sort(found)
    return found
  end)())
  T.eq({ 'subtypes', 'supertypes' }, (function()
    local found = vim.fn.getcompletion('Aurora related su', 'cmdline')
    table.sort(found)
    return found
  end)())
  T.eq({ 'search' }, vim.fn.getcompletion('Aur se', 'cmdline'))
  T.eq({ 'tests' }, vim.fn.getcompletion('Aur related te', 'cmdline'))
end)

T.test('an unknown subcommand is named', function()
  vim.cmd('Aurora sing')
  T.message('sing is not a command of :Aurora')
end)

T.test(':Aurora related lists the callers', function()
  T.cursor_on('volumeDiscount(len')
  vim.cmd('Aurora related callers')
  T.wait('the caller', function()
    for _, entry in ipairs(vim.fn.getqflist()) do
      if entry.text:find('TotalCents') then
        return true
      end
    end
  end)
  vim.cmd('cclose')
end)
