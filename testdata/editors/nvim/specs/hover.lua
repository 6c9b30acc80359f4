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

T.test('where nothing is known, the answer is empty and quick', function()
  local client = T.client()
  local params = {
    textDocument = { uri = vim.uri_from_bufnr(0) },
    position = { line = 1, character = 0 },
  }
  T.eq(nil, T.request(client, 'textDocument/hover', params))
end)
