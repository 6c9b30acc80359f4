-- Another server that counts in UTF-8 serves the same buffer.
local compat = require('aurora.compat')
local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h')

local client = T.project('web/cart.ts')

T.test('a second server with another encoding serves the same file', function()
  local caps = vim.lsp.protocol.make_client_capabilities()
  caps.offsetEncoding = { 'utf-8' }
  local id = compat.start({
    name = 'utf8-server',
    cmd = { 'node', here .. '/../utf8-server.js' },
    root_dir = T.dir,
    capabilities = caps,
    on_init = function(other, result)
      -- Neovim before 0.9 leaves it to the configuration.
      other.offset_encoding = result.offsetEncoding
    end,
  })
  vim.lsp.buf_attach_client(0, id)
  local other = T.wait('the second server', function()
    return compat.clients({ bufnr = vim.api.nvim_get_current_buf(), name = 'utf8-server' })[1]
  end)
  T.eq('utf-8', other.offset_encoding)
  T.eq('utf-16', client.offset_encoding)
end)

T.test('both see the same text after an edit behind four-byte characters', function()
  T.cursor_on('renderTotal')
  vim.cmd('normal! i🍐_')
  vim.cmd('undo')
  T.cursor_on('renderTotal')
  vim.cmd('normal! cwrenderWholeTotal')
  T.wait('the new name', function()
    local hits = T.request(client, 'aurora/search', { query = 'renderWholeTotal', limit = 5 }).hits or {}
    return hits[1] and hits[1].name == 'renderWholeTotal'
  end)
  local other = compat.clients({ name = 'utf8-server' })[1]
  T.eq(T.text() .. '\n', T.request(other, 'utf8/text', { textDocument = { uri = vim.uri_from_bufnr(0) } }).text)
end)

T.test('a command of ours sends positions in our own encoding', function()
  T.cursor_on('renderWholeTotal')
  local position = require('aurora.position').cursor(0, client.offset_encoding)
  T.eq(vim.fn.col('.') - 1 - 4, position.character) -- two 4-byte characters: 8 bytes, 4 units
end)

T.test('both servers answer a hover, none is lost', function()
  T.cursor_on('renderWholeTotal')
  local params = { textDocument = { uri = vim.uri_from_bufnr(0) }, position = { line = vim.fn.line('.') - 1, character = 0 } }
  local replies = vim.lsp.buf_request_sync(0, 'textDocument/hover', params, 10000)
  T.eq(2, vim.tbl_count(replies or {}))
end)

T.test('one window has the hovers of both', function()
  vim.api.nvim_buf_set_lines(0, -1, -1, false, { 'renderWholeTotal();' })
  T.cursor_on('renderWholeTotal();')
  local text = T.wait('both hovers', function()
    T.close_floats() -- a hover where one is shown enters its window
    require('aurora').hover()
    vim.wait(500, T.floats, 10)
    local shown = T.floats()
    return shown and shown:find('renderWholeTotal') and shown
  end)
  T.match('the other server was here', text)
  local windows = vim.tbl_filter(function(win)
    return vim.api.nvim_win_get_config(win).relative ~= ''
  end, vim.api.nvim_list_wins())
  T.eq(1, #windows)
  T.close_floats()
end)

T.test('where only the other server knows something, nothing of ours disturbs', function()
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  vim.api.nvim_buf_set_lines(0, 0, 0, false, { '' })
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  vim.lsp.buf.hover()
  local shown = vim.trim(T.wait('the hover', T.floats)):gsub('^```\n(.*)\n```$', '%1') -- 0.11 shows plain text as code
  T.match('^the other server was here$', shown)
  T.eq(0, T.count_messages('No information'))
  T.close_floats()
end)
