-- What a change leaves behind, as hints after a save.
local client = T.project('internal/basket/basket.go')
local unrelated = 'Not related: do not show this again'

local function hints()
  return vim.tbl_filter(function(d)
    return d.source == 'AURORA'
  end, vim.diagnostic.get(0))
end

local function fixes()
  local row = vim.fn.line('.') - 1
  local answer = T.request(client, 'textDocument/codeAction', {
    textDocument = { uri = vim.uri_from_bufnr(0) },
    range = { start = { line = row, character = 0 }, ['end'] = { line = row, character = 0 } },
    context = { diagnostics = {}, only = { 'quickfix' } },
  })
  local found = {}
  for _, action in ipairs(answer or {}) do
    found[action.title] = action
  end
  return found
end

local function save()
  local row = vim.fn.search('return cents / 10')
  T.ok(row > 0, 'no line to change')
  vim.fn.setline(row, (vim.fn.getline(row):gsub('cents / 10', 'cents / 11')))
  vim.cmd('silent write')
end

T.test('nothing is shown unasked', function()
  T.request(client, 'aurora/remember', { content = 'A tenth, as the farmers agreed', sourceRef = 'internal/basket/basket.go:35' })
  save()
  T.request(client, 'aurora/status', vim.empty_dict())
  T.eq(0, #hints())
end)

T.test('a hint about a note comes with a save', function()
  local params = { settings = { aurora = { ['lsp.review'] = 'save' } } }
  if vim.fn.has('nvim-0.11') == 1 then
    client:notify('workspace/didChangeConfiguration', params)
  else
    client.notify('workspace/didChangeConfiguration', params)
  end
  T.wait('the hint', function()
    return #hints() == 1
  end)
  T.eq(vim.diagnostic.severity.HINT, hints()[1].severity)
  T.match('as the farmers agreed', hints()[1].message)
end)

T.test('what is not related is never shown again', function()
  vim.api.nvim_win_set_cursor(0, { hints()[1].lnum + 1, 0 })
  local found = fixes()
  T.ok(found['The note is still true'] and found['Change the note'] and found[unrelated], vim.inspect(found))
  local resolved = found[unrelated].command and found[unrelated] or T.request(client, 'codeAction/resolve', found[unrelated])
  T.request(client, 'workspace/executeCommand', resolved.command)
  T.wait('the hint to go', function()
    return #hints() == 0
  end)
end)
