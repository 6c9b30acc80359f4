-- File events are off, as if the disk told of no changes.
vim.env.AURORA_INDEX_WATCHER_ENABLED = 'false'
local client = T.project('internal/basket/basket.go')

local function found(words)
  for _, hit in ipairs(T.request(client, 'aurora/search', { query = words, limit = 10 }).hits or {}) do
    if hit.name == words then
      return true
    end
  end
  return false
end

T.test('who comes back to the editor finds what was written elsewhere', function()
  local file = assert(io.open(T.dir .. '/tools/cellar.py', 'w'))
  file:write('def cellar_stairs():\n    return 13\n')
  file:close()
  T.ok(not found('cellar_stairs'), 'without file events the new file is not known')
  vim.cmd('doautocmd FocusGained')
  T.wait('the function of the new file', function()
    return found('cellar_stairs')
  end)
end)
