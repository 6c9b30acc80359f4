-- What a user's init.lua would hold, for the runs by keyboard: nvim --clean --cmd 'luafile keyboard.lua' FILE
vim.opt.swapfile = false
vim.opt.shortmess:append('I')
vim.g.aurora = { cmd = vim.json.decode(os.getenv('AURORA_CMD')) }
vim.opt.laststatus = 2
vim.opt.statusline = "%f %m%=[%{luaeval(\"require('aurora').statusline()\")}] %l,%c"
vim.keymap.set('n', 'K', vim.lsp.buf.hover)
vim.keymap.set('n', 'ga', function()
  vim.lsp.buf.code_action()
end)
