T.project('internal/basket/basket.go')

T.test('there are no maps by default, and every <Plug> map is there', function()
  for _, mode in ipairs({ 'n', 'x', 'i', 'o' }) do
    for _, map in ipairs(vim.api.nvim_get_keymap(mode)) do
      if (map.desc or ''):find('^Aurora') then
        T.match('^<Plug>%(aurora%-', map.lhs)
      end
    end
  end
  for _, map in ipairs(require('aurora.maps')) do
    T.ok(vim.fn.maparg(('<Plug>(aurora-%s)'):format(map[1]), map[2]) ~= '', map[1] .. ' is not mapped')
  end
end)

local function press(name)
  vim.keymap.set({ 'n', 'x' }, '<F5>', ('<Plug>(aurora-%s)'):format(name), { remap = true })
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes('<F5>', true, false, true), 'mx', false)
end

T.test('a map searches for the word under the cursor', function()
  T.cursor_on('volumeDiscount(len')
  local offered = T.select(T.line_like('^never chosen$'))
  press('search-word')
  T.match('^volumeDiscount', offered().lines[1])
end)

T.test('a map asks about the selection', function()
  vim.ui.input = function(_, done)
    done('what is done here | and why?')
  end
  T.cursor_on('volumeDiscount(items')
  vim.cmd('normal! V')
  press('query')
  T.wait('the answer', function()
    return T.text():find('## How', 1, true)
  end)
  T.match('^# what is done here | and why%?', T.text())
  vim.cmd('close')
end)

T.test('a map shows context of the selection', function()
  T.cursor_on('volumeDiscount(items')
  vim.cmd('normal! V')
  press('context')
  T.wait('the context', function()
    return vim.bo.filetype == 'markdown' and T.text():find('volumeDiscount')
  end)
  vim.cmd('close')
end)
