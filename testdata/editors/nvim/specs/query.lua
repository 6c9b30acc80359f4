T.project('internal/basket/basket.go')

local function answered()
  return T.text():find('## How', 1, true)
end

T.test('a question is answered in a split, with sources and the nine phases', function()
  local before = #vim.api.nvim_list_wins()
  vim.cmd('Aurora query where is ParsePrice defined?')
  T.wait('the split', function()
    return #vim.api.nvim_list_wins() == before + 1
  end)
  T.eq('markdown', vim.bo.filetype)
  T.wait('the answer', answered)
  local text = T.text()
  T.match('^# where is ParsePrice defined%?', text)
  T.match('## Sources', text)
  T.match('internal/price/price%.go:%d+', text)
  T.match('not verified', text)
  local phases = 'ASSESS RETRIEVE DECOMPOSE VERIFY ROUTE COLLECT SYNTHESIZE RECORD RESPOND'
  for phase in phases:gmatch('%u+') do
    T.match(phase, text:upper())
  end
  T.match('skipped', text)
end)

T.test('Enter on a source goes there, in the window above', function()
  local answer = vim.api.nvim_get_current_win()
  T.cursor_on('1. ')
  local line = tonumber(vim.api.nvim_get_current_line():match(':(%d+)'))
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes('<CR>', true, false, true), 'x', false)
  T.wait('the jump', function()
    return vim.api.nvim_get_current_win() ~= answer and vim.bo.buftype == ''
  end)
  T.eq(line, vim.fn.line('.'))
  vim.api.nvim_set_current_win(answer)
end)

T.test('gF finds the file of a source', function()
  local answer_win = vim.api.nvim_get_current_win()
  T.cursor_on('internal/price/price.go')
  vim.cmd('wincmd F')
  T.match('internal/price/price%.go$', vim.api.nvim_buf_get_name(0))
  vim.cmd('close')
  vim.api.nvim_set_current_win(answer_win)
end)

T.test(':Aurora sources fills the quickfix list', function()
  vim.cmd('Aurora sources')
  T.match('ParsePrice', vim.fn.getqflist({ title = 1 }).title)
  T.ok(#vim.fn.getqflist() > 0, 'no entries')
  vim.cmd('cclose')
end)

T.test('without a model nothing is deeper, and that is said', function()
  local before = T.text()
  T.keys('r')
  T.message('needs a model')
  vim.cmd('Aurora deeper')
  T.wait('the same again', function()
    return T.count_messages('needs a model') == 2
  end)
  T.eq(before, T.text())
end)

T.test('the next answer takes the place of one that is complete, and CTRL-O comes back', function()
  local wins, first = #vim.api.nvim_list_wins(), vim.api.nvim_get_current_buf()
  vim.cmd('Aurora query what calls volumeDiscount?')
  T.wait('the other answer', function()
    return vim.api.nvim_get_current_buf() ~= first and answered()
  end)
  T.eq(wins, #vim.api.nvim_list_wins())
  T.match('^# what calls volumeDiscount', T.text())
  T.keys('<C-o>')
  T.eq(first, vim.api.nvim_get_current_buf())
  T.match('^# where is ParsePrice', T.text())
end)

T.test('a question from a low window gets more room than half of it', function()
  vim.cmd('only')
  vim.cmd('enew')
  vim.cmd('1new')
  vim.cmd('Aurora query what calls volumeDiscount?')
  T.wait('the answer', answered)
  T.ok(vim.api.nvim_win_get_height(0) >= 5, vim.api.nvim_win_get_height(0))
  vim.cmd('only')
  vim.cmd('enew')
end)

T.test('q closes the answer', function()
  vim.cmd('only')
  vim.cmd('Aurora query what calls volumeDiscount?')
  T.wait('the answer', answered)
  vim.api.nvim_feedkeys('q', 'x', false)
  T.eq(1, #vim.api.nvim_list_wins())
end)

---Stops or continues the sidecar, which runs below the checker.
local function signal(name)
  local checker = vim.api.nvim_get_proc_children(vim.fn.getpid())[1]
  vim.loop.kill(vim.api.nvim_get_proc_children(checker)[1], name)
end

T.test('CTRL-C cancels a question that is not answered yet, for good', function()
  local client = require('aurora.client').all()[1]
  signal('sigstop')
  vim.cmd('Aurora query where is FormatPrice defined?')
  T.match('Asking', T.text())
  T.eq('aurora: asking', require('aurora').statusline())
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes('<C-c>', true, false, true), 'x', false)
  T.match('Cancelled', T.text())
  signal('sigcont')
  T.request(client, 'aurora/status', vim.empty_dict()) -- answered after the question, had it gone on
  T.match('Cancelled', T.text())
  vim.api.nvim_feedkeys('q', 'x', false)
end)

T.test('a question of 120 kB comes to an end, answered or refused', function()
  vim.cmd('Aurora query ' .. ('why '):rep(30000))
  T.wait('an end', function()
    return not T.text():find('Asking', 1, true)
  end)
  vim.cmd('close')
end)

T.test('the statusline is quiet afterwards', function()
  T.wait('no activity', function()
    return require('aurora').statusline() == 'aurora'
  end)
end)
