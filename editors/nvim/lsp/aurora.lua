-- For those who prefer vim.lsp.enable('aurora') (Neovim 0.11 and later); the plugin then starts nothing itself.
return require('aurora.client').lsp_config()
