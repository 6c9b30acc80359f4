local client = T.project('internal/basket/basket.go')

local function found(words, pattern)
  for _, hit in ipairs(T.request(client, 'aurora/search', { query = words, limit = 10 }).hits or {}) do
    if hit.type == 'knowledge' and (hit.snippet or ''):find(pattern) then
      return hit
    end
  end
end

T.test('a note is remembered and then found', function()
  T.cursor_on('volumeDiscount(items')
  vim.cmd('Aurora remember The harvest rebate was agreed with the farmers in spring')
  T.message('remembered')
  T.wait('the note', function()
    return found('harvest rebate', 'farmers')
  end)
end)

T.test('the same note again is said to be known', function()
  vim.cmd('Aurora remember The harvest rebate was agreed with the farmers in spring')
  T.message('remembered before')
end)

T.test('a selection is remembered with the words about it', function()
  vim.cmd('/^func volumeDiscount/Aurora remember nobody may raise the winterly threshold')
  local hit = T.wait('the note', function()
    return found('winterly threshold', 'winterly')
  end)
  T.match('volumeDiscount', hit.snippet)
end)

T.test('without words, the user is asked', function()
  vim.ui.input = function(opts, done)
    T.match('Remember', opts.prompt)
    done('ladders are checked in autumn')
  end
  vim.cmd('Aurora remember')
  T.wait('the note', function()
    return found('ladders autumn', 'ladders')
  end)
end)

T.test('choosing a note opens its text', function()
  T.select(T.line_like('knowledge'))
  vim.cmd('Aurora search ladders autumn')
  T.wait('the note', function()
    return vim.bo.buftype == 'nofile' and T.text():find('ladders')
  end)
end)
