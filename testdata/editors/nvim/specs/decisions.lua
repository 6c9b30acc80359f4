-- What was decided, at the end of the lines that it is about.
local client = T.project('internal/basket/basket.go')
T.ready()

local namespace = vim.api.nvim_create_namespace('aurora.decisions')

---The texts at the ends of lines, by line.
local function shown()
  local found = {}
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, namespace, 0, -1, { details = true })) do
    local text = mark[4].virt_text and mark[4].virt_text[1][1] or ''
    found[mark[2] + 1] = (found[mark[2] + 1] or '') .. text
  end
  return found
end

local function remember(content, place)
  T.request(client, 'aurora/remember', { content = content, tags = { 'decision' }, sourceRef = place })
end

T.test('nothing is shown that nobody has asked for', function()
  remember('We round down: the till has no half cents', 'internal/basket/basket.go:26')
  require('aurora.decisions').update_all()
  T.request(client, 'aurora/status', vim.empty_dict()) -- answered after what was asked before
  T.eq({}, shown())
end)

T.test('with the option, notes stand at their lines, also those that come later', function()
  vim.g.aurora = vim.tbl_extend('force', vim.g.aurora or {}, { decisions = true })
  vim.cmd('edit')
  T.wait('the first', function()
    return (shown()[26] or ''):find('We round down: the till has no half cents', 1, true)
  end)
  remember('A tenth, as the farmers agreed', 'internal/basket/basket.go:35')
  T.wait('the second', function()
    return (shown()[35] or ''):find('A tenth, as the farmers agreed', 1, true)
  end)
end)

T.test('a note whose code has changed says so', function()
  vim.cmd([[silent! %s/return cents \/ 10/return 7 * offset(cents, items) - surcharge(items, cents) % 13/]])
  vim.cmd('silent write')
  T.wait('the mark', function()
    require('aurora.decisions').update_all() -- on a busy machine the sidecar needs longer than the plugin waits for it
    return (shown()[35] or ''):find('stale', 1, true)
  end)
end)

T.test('a file about which nothing is known has none', function()
  T.open('tools/stock.py')
  T.ready()
  T.request(client, 'aurora/records', { uri = vim.uri_from_bufnr(0) })
  T.eq({}, shown())
end)
