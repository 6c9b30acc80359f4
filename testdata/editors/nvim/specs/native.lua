-- vim.lsp.enable('aurora'), which Neovim has since 0.11.
local compat = require('aurora.compat')
if not vim.lsp.enable then
  T.test('this Neovim has no vim.lsp.enable', function() end)
  return
end

T.test("vim.lsp.enable('aurora') starts one sidecar, not two", function()
  vim.lsp.enable('aurora')
  local client = T.project('internal/basket/basket.go')
  T.eq(T.dir, client.config.root_dir)
  T.eq(1, #compat.clients({ name = 'aurora' }))
  T.eq('utf-16', client.offset_encoding)
end)

T.test('a file without a filetype joins it', function()
  local before = T.client().id
  T.open('NOTES')
  T.eq(before, T.client().id)
  T.eq(1, #compat.clients({ name = 'aurora' }))
end)

T.test('the commands use it', function()
  T.select(T.line_like('^ParsePrice'))
  vim.cmd('Aurora search ParsePrice')
  T.wait('the jump', function()
    return vim.api.nvim_buf_get_name(0):find('price%.go$')
  end)
  vim.cmd('Aurora status')
  T.match('ready', T.wait('the window', T.floats))
  T.eq(1, #compat.clients({ name = 'aurora' }))
end)
