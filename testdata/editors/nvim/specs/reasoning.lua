-- A question that a scripted model reasons about, from the first phase to the file that is written down: progress in the
-- window, an agent that asks the person, a review that fails once and its retry, and a question that is cancelled in the
-- middle of a call.
local script = vim.fn.tempname()
vim.fn.writefile({ vim.json.encode({
  { contains = 'kumquat', fault = 'hang' },
  { task = 'verify_agent_output', times = 1, scores = 0.6, issue = 'nothing looks at the rebate' },
}) }, script)
T.model('--script', script)

vim.fn.mkdir('.aurora', 'p')
vim.fn.writefile(
  { '[{"id": "curious", "type": "executable", "path": "sh", "args": [".aurora/curious.sh"]}]' },
  '.aurora/agents.json'
)
vim.fn.writefile({
  'read -r task',
  'case "$task" in',
  [[*user_response*) echo '{"summary": "The season is autumn.", "confidence": 0.9}' ;;]],
  [[*) echo '{"ask": {"question": "Which season?", "choices": ["spring", "autumn"]}}' ;;]],
  'esac',
}, '.aurora/curious.sh')

local asked = {}
vim.ui.select = function(items, opts, done)
  asked[#asked + 1] = opts.prompt
  done(items[2], 2)
end
vim.fn.inputlist = function(lines)
  asked[#asked + 1] = lines[1]
  return 2
end

local client = T.project('internal/basket/basket.go')
T.request(client, 'aurora/trust', { trusted = true })
asked = {}

---The conversations that were written down.
local function written()
  return vim.fn.glob(os.getenv('HOME') .. '/.aurora/logs/conversations/**/*.md', true, true)
end

T.test('phases, a retry and a question of an agent lead to a verified answer', function()
  local shown = {}
  vim.cmd('Aurora query design volumeDiscount and its rebate anew')
  local buf = vim.api.nvim_get_current_buf()
  vim.api.nvim_buf_attach(buf, false, {
    on_lines = function()
      shown[#shown + 1] = table.concat(vim.api.nvim_buf_get_lines(buf, 0, -1, false), '\n')
    end,
  })
  T.wait('the answer', function()
    local text = T.text()
    return text:find('season is autumn', 1, true) and not text:find('CTRL-C cancels', 1, true)
  end)
  T.ok(#asked > 0, 'nobody was asked')
  T.match('Which season', asked[1])
  local seen = table.concat(shown, '\n')
  for _, phase in ipairs({ 'ASSESS', 'DECOMPOSE', 'VERIFY', 'COLLECT', 'SYNTHESIZE' }) do
    T.ok(seen:find(phase, 1, true), phase .. ' was never shown')
  end
  T.match('internal/basket/basket.go', T.text())
end)

T.test('the history tells of the review that failed and of the retry', function()
  local record = T.request(client, 'aurora/history', { queryId = 'last' }).record
  T.ok(vim.inspect(record):find('nothing looks at the rebate', 1, true), 'no word of the review')
  T.ok(vim.inspect(record):find('RETRY (0.60)', 1, true), 'no word of the retry')
end)

T.test('the conversation stands in a file', function()
  local file = T.wait('the file', function()
    return written()[1]
  end)
  local text = table.concat(vim.fn.readfile(file), '\n')
  for _, words in ipairs({ 'Phase 1: ASSESS', 'Phase 9: RESPOND', 'Which season?', 'season is autumn' }) do
    T.ok(text:find(words, 1, true), ('%s lacks %q:\n%s'):format(file, words, text))
  end
end)

T.test('CTRL-C ends a question while the model is asked, and nothing of it is kept', function()
  local before = #written()
  vim.cmd('Aurora query compare volumeDiscount with a kumquat')
  T.wait('the question to be under way', function()
    return T.text():find('ASSESS', 1, true)
  end)
  T.keys('<C-c>')
  T.match('Cancelled', T.text())
  T.request(client, 'aurora/status', vim.empty_dict())
  T.wait('no activity', function()
    return require('aurora').statusline() == 'aurora'
  end)
  T.eq(before, #written())
end)
