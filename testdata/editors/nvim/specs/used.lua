local client = T.project('internal/basket/basket.go')

-- How active a memory is, as hits show it.
local function activation(words)
  local hits = T.request(client, 'aurora/search', { query = words, scope = { types = { 'knowledge' } } }).hits or {}
  for _, hit in ipairs(hits) do
    if hit.source == 'memory' then -- sections of documents are knowledge, too
      return hit.scores.activation
    end
  end
end

T.test('opening a remembered hit raises its activation', function()
  vim.cmd('Aurora remember Orchards close at dusk')
  T.message('remembered')
  local before = T.wait('the note', function()
    return activation('orchards dusk')
  end)
  T.select(T.line_like('knowledge'))
  vim.cmd('Aurora search orchards dusk')
  T.wait('its text', function()
    return vim.bo.buftype == 'nofile' and T.text():find('Orchards')
  end)
  T.match('basket%.go:%d+', T.text())
  T.wait('more activation', function()
    return activation('orchards dusk') > before
  end)
  vim.cmd('close')
end)

T.test('a bad rating sinks it', function()
  local before = activation('orchards dusk')
  vim.cmd('Aurora rate bad')
  T.message('rated 1 result')
  T.wait('less activation', function()
    return activation('orchards dusk') < before
  end)
end)

T.test('what is copied from a context counts', function()
  T.open('internal/basket/basket.go')
  vim.cmd('Aurora context volumeDiscount')
  T.wait('the context', function()
    return vim.bo.filetype == 'markdown' and T.text():find('volumeDiscount')
  end)
  local sent = T.uses(client)
  vim.cmd('normal! yy')
  T.eq('copied', sent[1].hits[1].action)
  T.match('^code:', sent[1].hits[1].id)
  vim.cmd('close')
end)

T.test('what is no rating is refused', function()
  vim.cmd('Aurora rate splendid')
  T.message('usage: :Aurora rate')
end)

T.test('thanking for an answer is no question', function()
  T.open('internal/basket/basket.go')
  vim.cmd('Aurora query where is volumeDiscount defined?')
  T.wait('the answer', function()
    return T.text():find('## Sources')
  end)
  vim.cmd('Aurora query thanks!')
  T.wait('the reply', function()
    return T.text():find('Noted')
  end)
end)
