-- The <Plug> maps, which do nothing until a user maps keys to them: name, modes, what it runs, what it does.
return {
  { 'search', 'n', '<Cmd>Aurora search<CR>', 'search while you type' },
  { 'search-word', 'n', "<Cmd>execute 'Aurora search' expand('<cword>')<CR>", 'search for the word under the cursor' },
  { 'query', 'n', "<Cmd>lua require('aurora').ask()<CR>", 'ask a question' },
  { 'query', 'x', ":<C-U>lua require('aurora').ask(true)<CR>", 'ask a question about the selection' },
  { 'context', 'n', '<Cmd>Aurora context<CR>', 'context of the symbol under the cursor' },
  { 'context', 'x', ':Aurora context<CR>', 'context of the selection' },
  { 'related', 'n', '<Cmd>Aurora related<CR>', 'callers of the symbol under the cursor' },
  { 'related-all', 'n', '<Cmd>Aurora related all<CR>', 'all neighbours of the symbol under the cursor' },
  { 'remember', 'n', '<Cmd>Aurora remember<CR>', 'remember a note, with this place' },
  { 'remember', 'x', ':Aurora remember<CR>', 'remember the selection' },
  { 'hover', 'n', "<Cmd>lua require('aurora').hover()<CR>", 'the hovers of all servers in one window' },
  { 'sources', 'n', '<Cmd>Aurora sources<CR>', 'the sources of the latest answer, in the quickfix list' },
  { 'cancel', 'n', '<Cmd>Aurora cancel<CR>', 'cancel the questions that run' },
  { 'rate-good', 'n', '<Cmd>Aurora rate good<CR>', 'rate what you looked at last as good' },
  { 'rate-bad', 'n', '<Cmd>Aurora rate bad<CR>', 'rate what you looked at last as bad' },
  { 'status', 'n', '<Cmd>Aurora status<CR>', 'show how the sidecar is' },
}
