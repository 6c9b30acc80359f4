T.project('internal/basket/basket.go')

T.test('a search offers hits as name, type and place', function()
  local offered = T.select(T.line_like('^ParsePrice'))
  vim.cmd('Aurora search ParsePrice')
  local lines = offered().lines
  T.match('^ParsePrice%s+function%s+internal/price/price%.go:%d+$', lines[1])
  T.wait('the jump', function()
    return vim.api.nvim_buf_get_name(0):find('price%.go$')
  end)
  local hit = offered().items[1]
  T.eq('ParsePrice', vim.fn.expand('<cword>'))
  T.ok(vim.fn.line('.') > hit.range.start.line, 'the cursor must be in the hit')
end)

T.test('a jump behind four-byte characters lands on the exact column', function()
  local offered = T.select(T.line_like('^renderTotal'))
  vim.cmd('Aurora search renderTotal')
  offered()
  T.wait('the jump', function()
    return vim.api.nvim_buf_get_name(0):find('cart%.ts$')
  end)
  T.eq('renderTotal', vim.fn.expand('<cword>'))
  local before = vim.fn.getline('.'):sub(1, vim.fn.col('.') - 1)
  T.eq('/* 🍎🍏 */ export function ', before)
end)

T.test('cancelling the picker stays here', function()
  local before = vim.api.nvim_buf_get_name(0)
  local offered = T.select(T.line_like('^never chosen$'))
  vim.cmd('Aurora search StockKeeper')
  offered()
  T.eq(before, vim.api.nvim_buf_get_name(0))
end)

T.test('with a bang the hits go to the quickfix list', function()
  vim.cmd('Aurora! search crates left')
  T.wait('the quickfix window', function()
    return vim.bo.buftype == 'quickfix'
  end)
  local info = vim.fn.getqflist({ title = 1, items = 1 })
  T.eq('Aurora: crates left', info.title)
  local names = {}
  for _, item in ipairs(info.items) do
    names[#names + 1] = vim.fn.bufname(item.bufnr)
    T.ok(item.lnum > 0 and item.col > 0, vim.inspect(item))
  end
  T.match('stock%.py', table.concat(names, '\n'))
  vim.cmd('cclose')
end)

T.test('an empty result says why', function()
  vim.cmd('Aurora search zyxwvutsrq')
  local text = T.message("nothing found for 'zyxwvutsrq'")
  T.ok(#text > #"aurora: nothing found for 'zyxwvutsrq'. ", 'no reason given: ' .. text)
end)

T.test('no words: the usage is shown', function()
  vim.cmd('Aurora search')
  T.message('usage: :Aurora%[!%] search')
end)

T.test('workspace symbols go to the quickfix list', function()
  T.open('internal/basket/basket.go')
  vim.fn.setqflist({}, 'r')
  vim.lsp.buf.workspace_symbol('ParsePrice')
  local first = T.wait('the quickfix list', function()
    return vim.fn.getqflist()[1]
  end)
  T.match('ParsePrice', first.text)
  T.match('price%.go', vim.fn.bufname(first.bufnr))
end)
