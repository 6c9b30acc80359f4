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

T.test('a note that could not be stored is offered again', function()
  local long = ('a note that has no end '):rep(60000)
  vim.ui.input = function(_, done)
    done(long)
  end
  vim.cmd('Aurora remember')
  T.message('more than')
  local offered
  vim.ui.input = function(opts, done)
    offered = opts.default
    done('sickles hang in the barn')
  end
  vim.cmd('Aurora remember')
  T.ok(offered == long, 'what was typed is lost')
  T.message('remembered know:sickles') -- before that it may be found, and not yet be known as stored
  T.wait('the note', function()
    return found('sickles barn', 'sickles')
  end)
  vim.ui.input = function(opts)
    offered = opts.default
  end
  vim.cmd('Aurora remember')
  T.ok(offered == nil, 'a stored note is offered again')
end)

T.test('with ! a note is a file that a team may commit', function()
  T.cursor_on('volumeDiscount(items')
  vim.cmd('Aurora! remember Quinces are weighed, never counted')
  T.message('remembered .*%.aurora/notes/quinces%-are%-weighed')
  local note = T.wait('the note', function()
    return found('quinces weighed', 'Quinces')
  end)
  T.ok(note.citations[1].name == 'volumeDiscount', 'it cites ' .. vim.inspect(note.citations))
end)

T.test('where a team is joined, and only there, a note can be for it', function()
  local home = vim.fn.expand('~/.aurora')
  vim.fn.mkdir(home, 'p')
  vim.fn.writefile({ '{"url": "postgres://alice@127.0.0.1:1/team"}' }, home .. '/team.json')
  local waiting = function()
    return vim.json.decode(vim.fn.system({ os.getenv('AURORA_BIN'), 'team', 'status', '--json' })).waiting
  end
  local offered
  T.select(T.line_like('For me'))
  vim.cmd('Aurora remember Medlars are mine to think about')
  T.message('remembered know:medlars')
  T.eq(0, waiting())
  offered = T.select(T.line_like('For the team'))
  vim.cmd('Aurora remember Pears are everyone\'s to think about')
  T.message('remembered know:pears')
  T.eq(2, #offered().lines)
  T.eq(1, waiting())
  vim.fn.delete(home .. '/team.json')
  vim.ui.select = function()
    error('asked without a team')
  end
  vim.cmd('Aurora remember Plums are asked of nobody')
  T.message('remembered know:plums')
end)

T.test('choosing a note opens its text', function()
  T.select(T.line_like('knowledge'))
  vim.cmd('Aurora search ladders autumn')
  T.wait('the note', function()
    return vim.bo.buftype == 'nofile' and T.text():find('ladders')
  end)
end)

local function known(words)
  return found(words, words) ~= nil
end

T.test('a forgotten note is gone, and :Aurora! restore brings it back', function()
  T.select(T.line_like('harvest rebate'))
  vim.cmd('Aurora forget harvest rebate')
  T.message('forgotten: The harvest rebate.*:Aurora! restore')
  T.ok(not known('harvest'), 'the note is still found')
  vim.cmd('Aurora! restore')
  T.message('remembered again')
  T.wait('the note', function()
    return known('harvest')
  end)
end)

T.test('what was forgotten can be chosen from, too', function()
  T.select(T.line_like('ladders'))
  vim.cmd('Aurora forget')
  T.message('forgotten: ladders')
  local offered = T.select(T.line_like('ladders'))
  vim.cmd('Aurora restore')
  T.match('deleted for good %d%d%d%d%-', offered().lines[1])
  T.wait('the note', function()
    return known('ladders')
  end)
end)

T.test('without words the latest notes are offered, decisions and one about a file that is there among them', function()
  T.request(client, 'aurora/remember', {
    content = 'We chose crates over sacks', tags = { 'decision' }, sourceRef = 'internal/basket/basket.go:1',
  })
  T.select(T.line_like('crates over sacks.*decision'))
  vim.cmd('Aurora forget')
  T.message('forgotten: We chose crates over sacks')
  T.ok(not known('crates'), 'the note is still found')
  vim.cmd('Aurora! restore')
  T.wait('the note', function()
    return known('crates')
  end)
end)

T.test('where there is nothing to forget or to bring back, that is said', function()
  vim.cmd('Aurora forget zeppelin')
  T.message("nothing is remembered for 'zeppelin'")
  vim.cmd('Aurora restore')
  T.message('nothing was forgotten')
end)
