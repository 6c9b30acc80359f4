T.project('internal/basket/basket.go')

local function shown(pattern)
  T.wait('context about ' .. pattern, function()
    return vim.bo.buftype == 'nofile' and T.text():find(pattern)
  end)
end

T.test('context of the symbol under the cursor', function()
  T.cursor_on('volumeDiscount(items')
  vim.cmd('Aurora context')
  shown('volumeDiscount')
  T.eq('markdown', vim.bo.filetype)
  T.message('snippets, about %d+ of 4000 tokens')
  vim.cmd('close')
end)

T.test('context of selected lines', function()
  vim.cmd('/^type Basket/,/^}/Aurora context')
  shown('Basket')
  vim.cmd('close')
end)

T.test('context for words', function()
  vim.cmd('Aurora context how many crates are left')
  shown('crates')
  vim.cmd('close')
end)

T.test('the range of a selection by characters is exact', function()
  T.open('web/cart.ts')
  T.cursor_on('renderTotal')
  vim.cmd('normal! ve\27')
  local row = vim.fn.line('.')
  local range = require('aurora.position').of_command(0, { line1 = row, line2 = row, range = 2 }, 'utf-16')
  T.eq('renderTotal', require('aurora.position').text(0, range, 'utf-16'))
  -- Two 4-byte characters before it: 8 bytes, 4 units of UTF-16.
  T.eq(vim.fn.col("'<") - 1 - 4, range.start.character)
end)
