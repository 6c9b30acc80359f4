-- A change that a scripted model proposes: shown, made in the buffers, taken place by place in diff mode, and refused where the
-- text has changed since.
local PATH = 'internal/basket/basket.go'
local script = vim.fn.tempname()
local function edit(find, replace)
  return vim.json.encode({ tool = 'edit', arguments = { path = PATH, find = find, replace = replace } })
end
local function steps(...)
  vim.fn.writefile({ vim.json.encode({ ... }) }, script)
end
local OLD = 'internal/basket/old.go'
local moved = { tool = 'move', arguments = { path = OLD, to = 'internal/basket/kept.go' } }
steps(
  { task = 'direct', contains = 'is to become', reply = 'The file has the name of what it holds [S1].' },
  { task = 'direct', contains = 'rename the old file', reply = vim.json.encode(moved) },
  { task = 'direct', contains = 'is taken up', times = 1, reply = edit('if items < 12 {', 'if items < 20 {') },
  { task = 'direct', contains = 'is taken up', reply = 'The discount begins at twenty items [S1].' },
  { task = 'direct', reply = edit('cents / 10', 'cents * 2 / 20') }
)
T.model('--script', script)
T.project(PATH)
local file = vim.api.nvim_get_current_buf()
local before = vim.api.nvim_buf_get_lines(file, 0, -1, false)

local function line_with(text)
  for _, line in ipairs(vim.api.nvim_buf_get_lines(file, 0, -1, false)) do
    if line:find(text, 1, true) then
      return line
    end
  end
end

local function restore()
  vim.api.nvim_buf_set_lines(file, 0, -1, false, before)
end

T.test('a change is shown as a diff, and nothing is written', function()
  vim.cmd('Aurora change where is volumeDiscount? begin it at twenty items')
  T.wait('the answer', function()
    return T.text():find('## How', 1, true)
  end)
  local text = T.text()
  T.match('## Proposed changes', text)
  T.match('```diff\ndiff %-%-git a/internal/basket/basket%.go', text)
  T.ok(text:find('\n+\tif items < 20 {', 1, true), text)
  T.eq(before, vim.api.nvim_buf_get_lines(file, 0, -1, false))
end)

T.test('a makes all of it in the buffer, which is not saved', function()
  local win = vim.api.nvim_get_current_win()
  T.keys('a')
  T.message('saved nothing')
  T.ok(line_with('if items < 20 {') and line_with('cents * 2 / 20'), 'not made')
  T.ok(vim.bo[file].modified, 'saved')
  T.eq(before, vim.fn.readfile(PATH))
  T.keys('a')
  T.message('has changed since')
  restore()
  vim.api.nvim_set_current_win(win)
end)

T.test('d shows the file beside it, where one place is taken over', function()
  T.cursor_on('if items < 20')
  local tabs = #vim.api.nvim_list_tabpages()
  T.keys('d')
  T.eq(tabs + 1, #vim.api.nvim_list_tabpages())
  T.eq(file, vim.api.nvim_get_current_buf())
  T.ok(vim.wo.diff, 'no diff')
  vim.cmd('normal! do')
  T.ok(line_with('if items < 20 {'), 'the place is not taken over')
  T.ok(line_with('cents / 10'), 'another place is, too')
  vim.cmd('tabclose')
  restore()
end)

T.test('a file that is moved is shown, made under its new name, and deleted when that is confirmed', function()
  local text = 'package basket\n\n// kept is what is left.\nconst kept = 1\n'
  vim.fn.writefile(vim.split(text, '\n'), OLD, 'b')
  local answers, asked, confirm = { 2, 1 }, {}, vim.fn.confirm
  vim.fn.confirm = function(question)
    asked[#asked + 1] = question
    return table.remove(answers, 1)
  end
  vim.cmd('Aurora change where is volumeDiscount? rename the old file')
  T.wait('the answer', function()
    return T.text():find('## How', 1, true)
  end)
  T.match('deleted file mode 100644', T.text())
  T.match('new file mode 100644\n%-%-%- /dev/null\n%+%+%+ b/internal/basket/kept%.go', T.text())
  local win = vim.api.nvim_get_current_win()
  T.keys('a')
  T.message('changed internal/basket/kept.go')
  T.eq(1, vim.fn.filereadable(OLD)) -- it was not confirmed
  T.eq(0, vim.fn.filereadable('internal/basket/kept.go'))
  vim.api.nvim_set_current_win(win)
  T.keys('a')
  T.eq({ 'Delete ' .. OLD .. '?', 'Delete ' .. OLD .. '?' }, asked)
  T.eq(0, vim.fn.filereadable(OLD))
  local kept = vim.fn.bufnr('internal/basket/kept.go')
  T.eq(vim.split(text:sub(1, -2), '\n'), vim.api.nvim_buf_get_lines(kept, 0, -1, false))
  T.message('and saved it')
  T.ok(not vim.bo[kept].modified, 'its text is nowhere on disk')
  T.eq(text, table.concat(vim.fn.readfile('internal/basket/kept.go', 'b'), '\n'))
  vim.fn.confirm = confirm
  vim.cmd('bwipeout! ' .. kept)
  vim.fn.delete('internal/basket/kept.go')
  vim.api.nvim_set_current_win(win)
end)

T.test('an answer without a change says so', function()
  vim.cmd('Aurora query where is ParsePrice defined?')
  T.wait('the answer', function()
    return T.text():find('ParsePrice', 1, true) and T.text():find('## How', 1, true)
  end)
  T.keys('a')
  T.message('proposes no change')
end)
