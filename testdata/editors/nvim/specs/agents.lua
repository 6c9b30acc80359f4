-- An agent that a project brings along, on a scripted model: left alone until the project is trusted; then it asks.
local function write(path, lines)
  vim.fn.mkdir(vim.fn.fnamemodify(path, ':h'), 'p')
  vim.fn.writefile(lines, path)
end

write('.aurora/agents.json', { '[{"id": "curious", "type": "executable", "path": "sh", "args": [".aurora/curious.sh"]}]' })
write('.aurora/curious.sh', {
  'read -r task',
  'case "$task" in',
  [[*user_response*) said=$(printf '%s' "$task" | sed 's/.*"user_response":"\([^"]*\)".*/\1/')]],
  [[  echo "{\"summary\": \"The season is $said.\", \"confidence\": 0.9}" ;;]],
  [[*'"subgoal":{"id":"SG2"'*) echo '{"ask": {"question": "Which season?", "choices": ["spring", "autumn"]}}' ;;]],
  [[*) echo '{"ask": {"question": "Say a season", "default": "winter"}}' ;;]],
  'esac',
})

local model = ''
local job = vim.fn.jobstart({ vim.env.AURORA_BIN, 'dev', 'llm', '--listen', '127.0.0.1:0' }, {
  on_stdout = function(_, data)
    model = model .. table.concat(data, '\n')
  end,
})
vim.env.AURORA_LLM_BASE_URL = T.wait('a scripted model', function()
  return model:match('AURORA_LLM_BASE_URL=(%S+)')
end)
vim.env.AURORA_LLM_MODEL = 'scripted'

-- Questions of an agent, answered as a person would: by the editor's own means where it has them, else at the command
-- line.
local asked = {}
vim.ui.select = function(items, opts, done)
  asked[#asked + 1] = opts.prompt
  done(items[2], 2)
end
vim.ui.input = function(opts, done)
  asked[#asked + 1] = opts.prompt
  done('summer')
end
vim.fn.inputlist = function(lines)
  asked[#asked + 1] = lines[1]
  return 2
end
vim.fn.input = function(opts)
  asked[#asked + 1] = opts.prompt
  return 'summer'
end

local client = T.project('internal/basket/basket.go')

local function answer()
  return T.request(client, 'aurora/query', { query = 'design volumeDiscount and its rebate anew', force = true }).answer
end

T.test('an agent of a project that is not trusted is left alone', function()
  local text = answer()
  T.ok(not text:find('season'), text)
  T.eq({}, asked)
end)

T.test(':Aurora trust shows what the project brings along, and lets it run', function()
  vim.cmd('Aurora trust')
  T.message('is trusted; its settings count')
  T.match('curious: runs sh .aurora/curious.sh', asked[1])
end)

T.test('an agent asks for a choice and for a text', function()
  asked = {}
  local text = answer()
  T.match('The season is autumn', text)
  T.match('The season is summer', text)
  table.sort(asked)
  T.match('^curious asks: Say a season', asked[1])
  T.match('^curious asks: Which season%?', asked[2])
end)

T.test('an agent that has changed since waits for the user to see that', function()
  vim.fn.writefile({ 'echo \'{"summary": "The season is stolen.", "confidence": 0.9}\'' }, '.aurora/curious.sh')
  asked = {}
  T.ok(not answer():find('season'), 'it ran all the same')
  T.eq({}, asked)
  vim.cmd('Aurora trust')
  T.wait('a second trust', function()
    return T.count_messages('is trusted; its settings count') == 2
  end)
  T.match('has changed since', asked[1])
end)

T.test('trust can be withdrawn', function()
  vim.cmd('Aurora! trust')
  T.message('trusted no longer')
  asked = {}
  T.ok(not answer():find('season'), 'it ran all the same')
  T.eq({}, asked)
end)

vim.fn.jobstop(job)
