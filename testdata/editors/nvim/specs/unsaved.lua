local client = T.project('internal/basket/basket.go')

local function names(words)
  local found = {}
  for _, hit in ipairs(T.request(client, 'aurora/search', { query = words, limit = 10 }).hits or {}) do
    found[#found + 1] = hit.name
  end
  return table.concat(found, ' ')
end

T.test('typed text is found before it is saved', function()
  vim.api.nvim_buf_set_lines(0, -1, -1, false, {
    '',
    '// 🍐 pearTreeHeight is typed and not saved.',
    'func pearTreeHeight() int { return 3 }',
  })
  T.ok(vim.bo.modified, 'the buffer must be unsaved')
  T.wait('the new function', function()
    return names('pearTreeHeight'):find('pearTreeHeight')
  end)
end)

T.test('editing behind four-byte characters keeps both sides in step', function()
  local row = T.cursor_on('// 🍐 pearTreeHeight')
  vim.cmd('normal! f🍐a🍏🍎')
  vim.api.nvim_buf_set_lines(0, row, row + 1, false, { 'func plumTreeHeight() int { return 4 }' })
  T.wait('the renamed function', function()
    return names('plumTreeHeight'):find('plumTreeHeight')
  end)
  T.wait('the old name to go', function()
    return not names('pearTreeHeight'):find('pearTreeHeight')
  end)
end)

T.test('a dropped change is forgotten', function()
  vim.cmd('edit!')
  T.wait('the function to go', function()
    return not names('plumTreeHeight'):find('plumTreeHeight')
  end)
end)

T.test('a saved file is found by its new text', function()
  vim.api.nvim_buf_set_lines(0, -1, -1, false, { '', 'func quinceCount() int { return 5 }' })
  vim.cmd('silent write')
  T.wait('the saved function', function()
    return names('quinceCount'):find('quinceCount')
  end)
end)

T.test("another program's save is noticed", function()
  local file = assert(io.open(T.dir .. '/tools/barn.py', 'w'))
  file:write('def barn_door_width():\n    return 4\n')
  file:close()
  T.wait('the function of the new file', function()
    return names('barn_door_width'):find('barn_door_width')
  end)
end)
