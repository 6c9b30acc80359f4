local client = T.project('internal/basket/basket.go')

-- Two records of agents wait for a review.
for _, content in ipairs({ 'Harvest crates are counted twice', 'Ladders are checked in autumn' }) do
  T.request(client, 'aurora/remember', { content = content, agent = 'coder' })
end

local function left()
  return T.request(client, 'aurora/records', { view = 'review' }).total
end

-- Chooses the record with a word, and what becomes of it; the list that follows is closed.
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
  vim.cmd('Aurora memory')
end

T.test('a record of an agent is listed with the reason, and can be edited', function()
  vim.ui.input = function(opts, done)
    T.match('Harvest crates', opts.default)
    done('Harvest crates are counted once')
  end
  decide('Harvest crates.*by the agent coder', 'edit')
  T.message('changed')
  T.wait('one record less', function()
    return left() == 1
  end)
end)

T.test('what is accepted leaves the review, which is empty then', function()
  decide('Ladders', 'accept')
  T.message('accepted')
  T.message('nothing to review')
  T.ok(left() == 0, 'something is left')
end)

T.test('a record can be forgotten from the review', function()
  T.request(client, 'aurora/remember', { content = 'Barrels leak in May', agent = 'coder' })
  decide('Barrels', 'forget')
  T.message('forgotten')
  T.wait('nothing left', function()
    return left() == 0
  end)
end)
