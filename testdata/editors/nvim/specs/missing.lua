local compat = require('aurora.compat')
vim.g.aurora = { cmd = { 'aurora-that-is-not-there', 'serve' } }

T.test('a missing program is said once, with a way out', function()
  T.open('internal/basket/basket.go')
  T.match(':checkhealth aurora', T.message('is not installed or not on PATH'))
  T.open('tools/stock.py')
  T.open('docs/guide.md')
  local later = false
  vim.schedule(function()
    later = true
  end)
  T.wait('the scheduled work', function()
    return later
  end)
  T.eq(1, #T.messages)
  T.eq(0, #compat.clients())
end)

T.test('the message fits on one line, so no key has to be pressed', function()
  T.ok(vim.fn.strdisplaywidth(T.messages[1]) < 100, T.messages[1])
end)

T.test('a command says it, too', function()
  vim.cmd('Aurora search apples')
  T.wait('the second message', function()
    return T.count_messages('is not installed') == 2
  end)
  T.eq('', require('aurora').statusline())
end)

T.test('a program that is no server is reported and not tried for ever', function()
  vim.g.aurora = { cmd = { 'false' } }
  T.open('web/cart.ts')
  T.message('ended unexpectedly %(exit status 1%)')
  T.open('internal/price/price.go')
  T.eq(1, T.count_messages('ended unexpectedly'))
end)

T.test('enabled = false starts nothing by itself', function()
  vim.g.aurora = { cmd = T.cmd, enabled = false }
  T.open('windows/orders.py')
  local later = false
  vim.schedule(function()
    later = true
  end)
  T.wait('the scheduled work', function()
    return later
  end)
  T.eq(0, #compat.clients())
end)
