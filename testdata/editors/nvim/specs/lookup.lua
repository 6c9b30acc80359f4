-- A question that a scripted model looks two things up for before it answers: what it looked up is told in the answer's
-- window, and what it found is a source that can be opened.
local script = vim.fn.tempname()
local function call(tool, arguments)
  return vim.json.encode({ tool = tool, arguments = arguments })
end
vim.fn.writefile({ vim.json.encode({
  { task = 'direct', times = 1, reply = call('callers', { name = 'volumeDiscount' }) },
  { task = 'direct', times = 1, reply = call('read', { path = 'internal/price/price.go', first = 1, last = 20 }) },
  { task = 'direct', reply = 'It is called where a basket is summed up [S1].' },
}) }, script)
T.model('--script', script)
T.project('internal/basket/basket.go')

T.test('what a model looks up is told, and its answer comes after it', function()
  vim.cmd('Aurora query where is volumeDiscount used?')
  T.wait('the answer', function()
    return T.text():find('## How', 1, true)
  end)
  local text = T.text()
  T.match('It is called where a basket is summed up', text)
  local first = text:find('looked up: callers [^\n]*volumeDiscount')
  local second = text:find('looked up: read [^\n]*price%.go')
  T.ok(first and second and first < second, text)
end)

T.test('a source of it opens', function()
  T.cursor_on('1. ')
  local line = tonumber(vim.api.nvim_get_current_line():match(':(%d+)'))
  T.keys('<CR>')
  T.wait('the jump', function()
    return vim.bo.buftype == ''
  end)
  T.eq(line, vim.fn.line('.'))
end)
