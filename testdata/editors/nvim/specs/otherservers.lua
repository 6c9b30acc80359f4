-- What another language server of a buffer knows of a name is merged with what is related.
local compat = require('aurora.compat')
local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h')

T.project('web/cart.ts')

local function attach()
  local caps = vim.lsp.protocol.make_client_capabilities()
  caps.offsetEncoding = { 'utf-8' }
  local id = compat.start({
    name = 'utf8-server',
    cmd = { 'node', here .. '/../utf8-server.js' },
    root_dir = T.dir,
    capabilities = caps,
    on_init = function(other, result)
      other.offset_encoding = result.offsetEncoding -- Neovim before 0.9 leaves it to the configuration
    end,
  })
  local panel = T.open('web/CartPanel.tsx')
  local cart = T.open('web/cart.ts')
  vim.lsp.buf_attach_client(cart, id)
  vim.lsp.buf_attach_client(panel, id)
  T.wait('the second server', function()
    return compat.clients({ bufnr = panel, name = 'utf8-server' })[1]
  end)
  return panel
end

---Asks until there is a list: an index that has not read the file yet says so instead.
local function related(direction)
  vim.fn.setqflist({}, 'r', { title = '', items = {} })
  local function filled()
    return #vim.fn.getqflist() > 0
  end
  T.wait('the quickfix list', function()
    vim.cmd('Aurora related ' .. direction)
    return vim.wait(4000, filled, 10) -- longer than other servers are waited for
  end)
  local list = vim.fn.getqflist()
  vim.cmd('cclose')
  return list
end

local function texts(list)
  return table.concat(vim.tbl_map(function(entry)
    return entry.text
  end, list), '\n')
end

T.test('without another server the list is the index\'s alone', function()
  T.cursor_on('renderTotal')
  local said = texts(related('callers'))
  T.match('caller: CartPanel', said)
  T.ok(not said:find('by utf8'), said)
end)

local panel = attach()

T.test('a caller that the other server knows says so, and its other uses follow', function()
  T.cursor_on('renderTotal')
  local list = related('callers')
  T.match('caller %(also by utf8%-server%): CartPanel', texts(list))
  local use = list[#list]
  T.match('^use, by utf8%-server: import { ShoppingCart, renderTotal }', use.text)
  T.eq({ panel, 1, 24 }, { use.bufnr, use.lnum, use.col })
  T.eq(2, #list) -- neither the definition nor the call inside CartPanel is listed again
end)

T.test('a place after four-byte characters is asked for in the other server\'s own encoding', function()
  vim.api.nvim_buf_set_lines(0, -1, -1, false, { '/* 🍎🍏 */ renderTotal(new ShoppingCart());' })
  T.cursor_on('renderTotal(new')
  T.match('use, by utf8%-server: /%* 🍎🍏 %*/ renderTotal', texts(related('callers')))
  vim.cmd('undo')
end)

T.test('what a name calls is not asked of others', function()
  T.cursor_on('renderTotal')
  local said = texts(related('callees'))
  T.ok(not said:find('utf8'), said)
end)
