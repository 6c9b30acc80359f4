-- Which picker shows hits: one of those that the user has, with live search and a preview, else vim.ui.select().
local config = require('aurora.config')
local notify = require('aurora.notify')

local M = {}

-- In the order in which 'auto' looks for them: name, a module that only a working one has.
local KNOWN = {
  { name = 'telescope', module = 'telescope.pickers' },
  { name = 'snacks', module = 'snacks.picker' },
  { name = 'fzf-lua', module = 'fzf-lua' },
}

local function there(known)
  return (pcall(require, known.module))
end

---@return string the effective picker: telescope, snacks, fzf-lua or select
function M.chosen()
  local wanted = config.get().picker
  for _, known in ipairs(KNOWN) do
    if (wanted == known.name or wanted == 'auto') and there(known) then
      return known.name
    end
  end
  if wanted ~= 'auto' and wanted ~= 'select' then
    notify.once('picker ' .. wanted, ('the picker %s is not installed; vim.ui.select() is used'):format(wanted))
  end
  return 'select'
end

---Opens a picker that searches while one types.
---@param client table
---@param buf integer where the command was given
---@param words string what to begin with
---@return boolean false when there is none
function M.live(client, buf, words)
  local name = M.chosen()
  if name == 'select' then
    return false
  end
  local live = require('aurora.live').new(client, buf)
  local ok, err = pcall(require('aurora.picker.' .. name:gsub('%-', '_')).open, client, live, words)
  if not ok then
    notify.once('picker ' .. name, ('%s did not work, vim.ui.select() is used: %s'):format(name, tostring(err)))
  end
  return ok
end

return M
