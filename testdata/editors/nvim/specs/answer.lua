-- The window of an answer, with a scripted model that writes it word by word.
local script = vim.fn.tempname()
-- So long that it can't be there at once.
local reply = ('plum '):rep(20000) .. 'and pear.'
vim.fn.writefile({ vim.json.encode({ { contains = 'What is a pear tree?', reply = reply } }) }, script)
T.model('--script', script)
local client = T.project('internal/basket/basket.go')

local function answered()
  local text = T.text()
  return text:find('## How', 1, true) and not text:find('CTRL-C cancels', 1, true)
end

local function ask(question)
  vim.cmd('Aurora query ' .. question)
  T.wait('the answer', answered)
end

---The line of the window that holds the pattern.
local function row_of(pattern)
  for row, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    if line:find(pattern) then
      return row
    end
  end
  error('no line like ' .. pattern, 2)
end

T.test('the answer is shown while it is written', function()
  local seen = {}
  vim.cmd('Aurora query What is a pear tree?')
  local buf = vim.api.nvim_get_current_buf()
  vim.api.nvim_buf_attach(buf, false, {
    on_lines = function()
      seen[#seen + 1] = table.concat(vim.api.nvim_buf_get_lines(buf, 0, -1, false), '\n')
    end,
  })
  T.wait('the answer', answered)
  local while_written = vim.tbl_filter(function(text)
    return text:find('CTRL-C cancels', 1, true) and text:find('plum plum', 1, true)
  end, seen)
  T.ok(#while_written > 0, 'nothing was shown before the end')
  T.match('plum and pear%.', T.text())
  vim.cmd('close')
end)

T.test('its end has the sources', function()
  ask('What is ParsePrice?')
  T.match('`ParsePrice` is in', T.text())
  T.match('## Sources', T.text())
end)

T.test('what was written for nothing goes', function()
  local progress = require('aurora.status').handlers()['aurora/progress']
  local function report(delta)
    progress(nil, { queryId = 'q', stage = 'SYNTHESIZE', status = 'in_progress', data = delta }, { client_id = client.id })
  end
  vim.cmd('only')
  -- A request that is never sent, so that only these reports come.
  local request = client.request
  client.request = function()
    return true, 4711
  end
  vim.cmd('Aurora query who is never asked?')
  client.request = request
  report({ delta = 'A first ' })
  report({ delta = 'attempt\nin two lines' })
  T.wait('the first attempt', function()
    return T.text():find('A first attempt\nin two lines', 1, true)
  end)
  report({ delta = 'Another', void = true })
  T.wait('the second attempt', function()
    return T.text():find('Another', 1, true)
  end)
  T.ok(not T.text():find('A first', 1, true), T.text())
  T.keys('q')
end)

T.test('each phase folds what it told on its way', function()
  vim.cmd('only')
  ask('design a cache for the discounts of a basket')
  local row = row_of('^ +COLLECT')
  T.eq(1, vim.fn.foldlevel(row_of('^## Sources')))
  T.eq(2, vim.fn.foldlevel(row))
  T.eq(row, vim.fn.foldclosed(row))
  T.ok(vim.fn.foldclosedend(row) > row, 'there is nothing below the phase')
  T.eq(-1, vim.fn.foldclosed(row_of('^## How')))
  vim.api.nvim_win_set_cursor(0, { row, 0 })
  vim.cmd('normal! zo')
  T.eq(-1, vim.fn.foldclosed(row + 1))
  T.match('SG%d', vim.fn.getline(row + 1)) -- the parts end in any order
end)

T.test('gf on a number goes to that source', function()
  local answer, row = vim.api.nvim_get_current_win(), row_of('%[2%]')
  local line = vim.fn.getline(row)
  local place = vim.fn.getline(row_of('^2%. '))
  vim.api.nvim_win_set_cursor(0, { row, (line:find('[2]', 1, true)) })
  T.keys('gf')
  T.wait('the jump', function()
    return vim.api.nvim_get_current_win() ~= answer
  end)
  T.match(vim.pesc(vim.fn.fnamemodify(vim.api.nvim_buf_get_name(0), ':t')) .. ':' .. vim.fn.line('.'), place)
  vim.api.nvim_set_current_win(answer)
end)

T.test('Tab goes from source to source', function()
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  T.keys('<Tab>')
  T.eq(row_of('^1%. '), vim.fn.line('.'))
  T.keys('<Tab>')
  T.eq(row_of('^2%. '), vim.fn.line('.'))
  T.keys('<S-Tab>')
  T.eq(row_of('^1%. '), vim.fn.line('.'))
end)

T.test('a rating is taken, and shown', function()
  for key, word in pairs({ ['+'] = 'good', ['-'] = 'bad' }) do
    T.keys(key)
    T.wait('the rating', function()
      return T.text():find('Rated ' .. word, 1, true)
    end)
  end
  T.eq(0, T.count_messages('teaches nothing'))
end)

T.test('a follow-up is answered below', function()
  local buf = vim.api.nvim_get_current_buf()
  vim.ui.input = function(opts, done)
    T.match('Ask on', opts.prompt)
    done('What is FormatPrice?')
  end
  T.keys('i')
  local row = T.wait('the second question', function()
    local ok, row = pcall(row_of, '^# What is FormatPrice%?')
    return ok and row
  end)
  T.eq(row, vim.fn.line('.'))
  T.wait('its answer', function()
    return require('aurora.answer').running(client.id) == 0
  end)
  T.match('`FormatPrice` is in', T.text())
  T.eq(buf, vim.api.nvim_get_current_buf())
end)

T.test('the same question is asked again, deeper', function()
  T.keys('r')
  row_of('What is FormatPrice%? %(again, deeper: adversarial%)')
  T.wait('its answer', function()
    return require('aurora.answer').running(client.id) == 0
  end)
  T.match('COLLECT +ok', T.text())
  T.keys('r')
  row_of('deeper: debate')
  T.wait('its answer', function()
    return require('aurora.answer').running(client.id) == 0
  end)
  vim.cmd('Aurora deeper')
  T.message('the deepest answer')
end)

T.test('the last window stays', function()
  vim.cmd('only')
  T.keys('q')
  T.eq('', vim.api.nvim_buf_get_name(0))
end)
