T.project('internal/basket/basket.go')

local function entries(pattern)
  local found
  T.wait('a quickfix entry like ' .. pattern, function()
    for _, item in ipairs(vim.fn.getqflist()) do
      if item.text:find(pattern) then
        found = item
        return true
      end
    end
  end)
  return found
end

T.test('why a line is as it is', function()
  T.cursor_on('volumeDiscount(items')
  vim.cmd('Aurora why')
  T.wait('the commit', function()
    local shown = T.floats()
    return shown and shown:find('Open the shop')
  end)
  T.close_floats()
end)

T.test('why needs a file', function()
  for _, command in ipairs({ 'why', 'related' }) do
    vim.cmd('copen')
    vim.cmd('Aurora ' .. command)
    T.message('usage: :Aurora ' .. command)
    vim.cmd('cclose')
  end
end)

T.test('nothing to review', function()
  vim.cmd('Aurora review')
  T.message('0 found in 0 changed files')
end)

T.test('a function with another parameter leaves its callers behind', function()
  local row = vim.fn.search('^func volumeDiscount')
  T.ok(row > 0, 'no function volumeDiscount')
  local line = vim.fn.getline(row)
  vim.fn.setline(row, (line:gsub('volumeDiscount%(', 'volumeDiscount(share float64, ')))
  vim.cmd('silent write')
  T.wait('the index', function()
    vim.cmd('silent Aurora review')
    vim.wait(200)
    for _, item in ipairs(vim.fn.getqflist()) do
      if item.text:find('volumeDiscount takes') then
        return true
      end
    end
  end)
  local changed = entries('^volumeDiscount takes 3 arguments now, and 1 call still passes another number')
  T.eq('W', changed.type)
  T.eq(row, changed.lnum)
  local caller = entries('calls it with 2 arguments$')
  T.eq('I', caller.type)
  T.match('basket', vim.fn.bufname(caller.bufnr))
  T.match('volumeDiscount%(', vim.fn.getbufline(caller.bufnr, caller.lnum)[1])
  vim.cmd('cclose')
end)

T.test('an unknown branch is told', function()
  vim.cmd('Aurora review nobody..')
  T.message('no such tag, branch or commit')
end)
