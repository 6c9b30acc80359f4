local client = T.project('internal/basket/basket.go')

local function act(pattern, at)
  T.cursor_on(at)
  local offered = T.select(T.line_like(pattern))
  vim.lsp.buf.code_action()
  return offered()
end

T.test('the actions are offered, of our own kind', function()
  local offered = act('^never chosen$', 'volumeDiscount(items')
  local all = table.concat(offered.lines, '\n')
  T.match('[Rr]elated', all)
  T.match('[Cc]ontext', all)
  T.match('[Rr]emember', all)
  local here = { line = 0, character = 0 }
  local actions = T.request(client, 'textDocument/codeAction', {
    textDocument = { uri = vim.uri_from_bufnr(0) },
    range = { start = here, ['end'] = here },
    context = { diagnostics = {} },
  })
  for _, action in ipairs(actions or {}) do
    T.match('aurora', action.kind)
    T.ok(not action.isPreferred, action.title .. ' must not be preferred')
  end
end)

T.test('find related fills the quickfix list', function()
  act('[Rr]elated', 'volumeDiscount(items')
  local list = T.wait('the quickfix list', function()
    local list = vim.fn.getqflist()
    return #list > 0 and list
  end)
  local all = table.concat(vim.tbl_map(function(entry)
    return entry.text
  end, list), '\n')
  T.match('TotalCents', all)
  for _, entry in ipairs(list) do
    if entry.text:match('^caller: TotalCents ') then
      local line = vim.fn.readfile(vim.api.nvim_buf_get_name(entry.bufnr))[entry.lnum]
      T.match('^volumeDiscount%(', line:sub(entry.col)) -- the call, not who calls
    end
  end
  vim.cmd('cclose')
end)

T.test('assemble context opens a document', function()
  act('[Cc]ontext', 'volumeDiscount(items')
  T.wait('the context', function()
    return vim.bo.buftype == 'nofile' and T.text():find('volumeDiscount')
  end)
  vim.cmd('close')
end)

T.test('remember this stores a note', function()
  local prompts = {}
  vim.ui.input = function(opts, done)
    prompts[#prompts + 1] = opts.prompt
    done('the discount was agreed with the farmers')
  end
  act('[Rr]emember', 'volumeDiscount(items')
  T.message('remembered')
end)
