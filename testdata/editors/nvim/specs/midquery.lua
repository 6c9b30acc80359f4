-- What a user sees when the sidecar is killed while it answers: with a model that never replies, the question is under
-- way for sure. Without the checker between: the editor must see the signal itself.
local compat = require('aurora.compat')
vim.g.aurora = { cmd = { os.getenv('AURORA_BIN'), 'serve' } }
local model = T.model('--fault', 'hang')

local function running()
  return compat.clients({ name = 'aurora' })
end

---Asks, and waits until the model has been asked.
local function ask()
  vim.cmd('Aurora query how are all the prices of a basket rounded?')
  T.wait('the question to be under way', function()
    return T.text():find('ASSESS', 1, true) or T.text():find('SYNTHESIZE', 1, true)
  end)
  T.eq('aurora: asking', require('aurora').statusline())
end

local function sidecar()
  for _, pid in ipairs(vim.api.nvim_get_proc_children(vim.fn.getpid())) do
    if pid ~= vim.fn.jobpid(model) then
      return pid
    end
  end
end

---The process that editors share, which the sidecar only talks to.
local function daemon()
  local out = vim.fn.system({ os.getenv('AURORA_BIN'), 'daemon', 'list', '--json' })
  return assert(tonumber(out:match('"pid":%s*(%d+)')), out)
end

local function killed(pid)
  compat.uv.kill(pid, 9)
  T.wait('the answer to give up', function()
    return T.text():find('The sidecar ended before it answered.', 1, true)
  end)
  T.match(':Aurora restart', T.text())
  T.wait('no sidecar', function()
    return #running() == 0
  end)
  T.eq(0, require('aurora.answer').running(1))
end

T.project('internal/basket/basket.go')

T.test('a sidecar killed in mid-query: the window says so, and one message', function()
  ask()
  killed(sidecar())
  T.message('ended unexpectedly')
  T.eq(1, T.count_messages('^aurora:')) -- newer Neovims have one of their own
  vim.cmd('close')
  T.eq('aurora: stopped', require('aurora').statusline())
end)

T.test('typing goes on without it', function()
  vim.api.nvim_buf_set_lines(0, -1, -1, false, { '// written without a sidecar' })
  T.match('without a sidecar', T.text())
end)

T.test('and the next one knows what was typed meanwhile', function()
  vim.cmd('Aurora restart')
  local client = T.ready()
  T.wait('the line', function()
    local hits = T.request(client, 'aurora/search', { query = '"written without a sidecar"' }).hits or {}
    return hits[1] and hits[1].source == 'overlay'
  end)
end)

T.test('the shared process killed in mid-query: the same', function()
  ask()
  local before = T.count_messages('ended unexpectedly')
  killed(daemon())
  T.wait('the message', function()
    return T.count_messages('ended unexpectedly') == before + 1
  end)
  vim.cmd('close')
  vim.cmd('Aurora restart')
  T.ready()
end)

T.test('a window closed in mid-query cancels, and nothing is drawn later', function()
  ask()
  T.keys('q')
  T.eq(0, require('aurora.answer').running(T.client().id))
  T.eq('aurora', require('aurora').statusline())
end)

T.test('CTRL-C and :Aurora cancel end a question whose model never replies', function()
  ask()
  T.keys('<C-c>')
  T.match('Cancelled', T.text())
  vim.cmd('close')
  ask()
  vim.cmd('wincmd p')
  vim.cmd('Aurora cancel')
  T.message('1 question cancelled')
  T.eq('aurora', require('aurora').statusline())
  vim.cmd('Aurora cancel')
  T.message('no question is running')
  vim.cmd('only')
end)
