-- The user's options: vim.g.aurora over the defaults, checked.
local M = {}

---@class aurora.Options
M.defaults = {
  -- false: nothing starts by itself; :Aurora start still works.
  enabled = true,
  -- The server's command line.
  cmd = { 'aurora', 'serve' },
  -- How long the server may take to answer when it starts, before it is ended (seconds).
  start_timeout_seconds = 20,
  -- What makes a folder a project. A list inside the list holds markers of equal rank; an earlier entry beats a
  -- later one, however far up it is found.
  root_markers = {
    { '.aurora', '.git', '.hg', '.jj' },
    { 'go.work', 'go.mod', 'package.json', 'pyproject.toml', 'setup.py', 'Cargo.toml', 'pom.xml', 'Makefile' },
  },
  -- Only files of these types; empty means every file, those without a type included.
  filetypes = {},
  -- Larger buffers are left alone (bytes).
  max_file_bytes = 5 * 1024 * 1024,
  -- What shows hits: 'auto' takes telescope, snacks or fzf-lua, whichever is there, else 'select' (vim.ui.select()).
  picker = 'auto',
  -- Most hits of :Aurora search.
  search_limit = 20,
  -- Most tokens of :Aurora context.
  context_tokens = 4000,
  -- Tell, after a commit that states a decision, that it can be remembered.
  offer_after_commit = true,
  -- Show what was decided at the end of the lines that it is about, with a sign.
  decisions = false,
  -- The server's settings, with the keys of ~/.aurora/config.json.
  settings = {},
  -- Added to the client's capabilities.
  capabilities = {},
}

local PICKERS = { 'auto', 'select', 'telescope', 'snacks', 'fzf-lua' }

---Why an option can't be used, or nil.
local function problem(key, value)
  local default = M.defaults[key]
  if default == nil then
    return ('%s is not an option'):format(key)
  end
  if type(value) ~= type(default) then
    return ('%s must be a %s, not a %s'):format(key, type(default), type(value))
  end
  if type(default) == 'number' and value < 1 then
    return ('%s must be 1 or more'):format(key)
  end
  if key == 'picker' and not vim.tbl_contains(PICKERS, value) then
    return 'picker must be one of ' .. table.concat(PICKERS, ', ')
  end
  if key == 'cmd' and type(value[1]) ~= 'string' then
    return "cmd must be a list such as { 'aurora', 'serve' }"
  end
end

---@return string[] what is wrong with vim.g.aurora, a sentence each
function M.problems()
  local given = vim.g.aurora
  if given == nil then
    return {}
  end
  if type(given) ~= 'table' then
    return { 'vim.g.aurora must be a table' }
  end
  local found = {}
  for key, value in pairs(given) do
    found[#found + 1] = problem(key, value)
  end
  table.sort(found)
  return found
end

---The effective options. A value that can't be used is reported once and its default stays.
---@return aurora.Options
function M.get()
  local options = vim.deepcopy(M.defaults)
  local given = vim.g.aurora
  for key, value in pairs(type(given) == 'table' and given or {}) do
    if not problem(key, value) then
      options[key] = value
    end
  end
  for _, sentence in ipairs(M.problems()) do
    require('aurora.notify').once('option ' .. sentence, sentence .. ' (:help aurora-options)')
  end
  return options
end

return M
