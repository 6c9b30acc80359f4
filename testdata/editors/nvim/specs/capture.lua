local client = T.project('internal/basket/basket.go')

local function git(...)
  local out = vim.fn.system({ 'git', '-C', T.dir, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ... })
  T.ok(vim.v.shell_error == 0, out)
end

-- Commits code with a message.
local function commit(line, message)
  local path = T.dir .. '/internal/basket/basket.go'
  vim.fn.writefile({ line }, path, 'a')
  git('commit', '-q', '-a', '-m', message)
end

git('config', 'user.email', 'ada@example.com')
commit(
  '// Crates are weighed at the gate.',
  'Weigh apples on arrival\n\nWe decided to weigh crates at the gate instead of in the barn, '
    .. 'because the barn scale drifts in winter.'
)
commit(
  '// Ladders are counted in autumn.',
  'Count ladders in autumn\n\nLadders are counted in autumn rather than in spring, '
    .. 'since half of them are lent out until the harvest ends.'
)

-- Chooses the offer with a word, and what becomes of it; the list that follows is closed.
local function decide(word, act)
  local asked = 0
  vim.ui.select = function(items, opts, done)
    asked = asked + 1
    local wanted = asked == 1 and word or asked == 2 and act
    for _, item in ipairs(items) do
      if wanted and opts.format_item(item):find(wanted) then
        return done(item)
      end
    end
    done(nil)
  end
  vim.cmd('Aurora capture')
end

T.test('what a commit says of a decision is offered, and remembered', function()
  decide('barn', 'remember')
  T.message('remembered')
  T.wait('a record', function()
    return T.request(client, 'aurora/records', { query = 'gate' }).total == 1
  end)
end)

T.test('an offer can be dismissed, and does not come back', function()
  decide('adders', 'never')
  T.message('will not be offered again')
  vim.cmd('Aurora capture')
  T.message('nothing to remember in %d commits')
end)

T.test('after a commit, what it says is told once', function()
  commit(
    '// Baskets are lined with straw.',
    'Line baskets\n\nBaskets are lined with straw instead of paper, because paper sticks to wet plums.'
  )
  vim.cmd('doautocmd ShellCmdPost')
  T.match(':Aurora capture remembers it', T.message('wet plums'))
end)

T.test('never means never', function()
  vim.cmd('Aurora capture never')
  T.message('nothing of this repository is offered after a commit')
  vim.cmd('Aurora capture sometimes')
  T.message('usage: :Aurora capture')
end)
