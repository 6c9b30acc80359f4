T.project('internal/basket/basket.go')

T.test('a hover tells of the symbol under the cursor', function()
  T.cursor_on('volumeDiscount(len')
  T.match('volumeDiscount', T.hover())
  T.close_floats()
end)

T.test('a hover behind four-byte characters is about the right symbol', function()
  T.open('web/cart.ts')
  T.ready()
  T.cursor_on('renderTotal')
  T.match('renderTotal', T.hover())
  T.close_floats()
end)

T.test('a hover in a CRLF file', function()
  T.open('windows/orders.py')
  T.ready()
  T.cursor_on('read_order(line) for')
  T.match('read_order', T.hover())
  T.close_floats()
end)

T.test('links read as their text in every Neovim', function()
  T.open('internal/basket/basket.go')
  T.ready()
  T.cursor_on('volumeDiscount(len')
  local text = T.hover()
  T.match('Defined in', text)
  if vim.fn.has('nvim-0.10') == 0 then -- later ones conceal the address
    T.ok(not text:find('file://', 1, true), text)
  end
  T.close_floats()
  T.eq({ 'In a/b_c.go:3, x* [y] and f(x)', '```c', '[a](file:///b) \\*', '```', 'after a' }, require('aurora.hover').plain({
    'In [a/b\\_c.go:3](file:///w/a/b_c.go#L3), x\\* \\[y\\] and f(x)',
    '```c', '[a](file:///b) \\*', '```', 'after [a](file:///b)',
  }))
end)

T.test('where nothing is known, the answer is empty and quick', function()
  local client = T.client()
  local params = {
    textDocument = { uri = vim.uri_from_bufnr(0) },
    position = { line = 1, character = 0 },
  }
  T.eq(nil, T.request(client, 'textDocument/hover', params))
end)
