-- Result windows: a split with a buffer that belongs to no file. q closes it.
local M = {}

local function unique(name)
  local candidate, n = 'aurora://' .. name, 1
  while vim.fn.bufexists(candidate) == 1 do
    n = n + 1
    candidate = ('aurora://%s (%d)'):format(name, n)
  end
  return candidate
end

---How many lines two lists have in common, from the start or from the end.
local function common(a, b, most, from_end)
  local count = 0
  while count < most do
    local i, j = count + 1, count + 1
    if from_end then
      i, j = #a - count, #b - count
    end
    if a[i] ~= b[j] then
      break
    end
    count = count + 1
  end
  return count
end

---Replaces the text of a result buffer. Lines that stay are left alone, so that the cursor and folds stay, too.
---@param buf integer
---@param lines string[]
function M.fill(buf, lines)
  local old = vim.api.nvim_buf_get_lines(buf, 0, -1, false)
  local shorter = math.min(#old, #lines)
  local before = common(old, lines, shorter, false)
  local after = common(old, lines, shorter - before, true)
  vim.bo[buf].modifiable = true
  vim.api.nvim_buf_set_lines(buf, before, #old - after, false, vim.list_slice(lines, before + 1, #lines - after))
  vim.bo[buf].modifiable = false
  vim.bo[buf].modified = false
end

---@class aurora.Scratch
---@field name string shown in the window's status line
---@field lines string[]
---@field filetype string
---@field client table the sidecar that commands given in the buffer ask
---@field editable boolean|nil

local function close()
  if not pcall(vim.cmd, 'close') then
    vim.cmd('enew') -- the last window stays
  end
end

-- Lines of a window below which half of it is too little to read in.
local ENOUGH = 16

---Makes room: half of this window, or where it is low, a part of the whole screen; where there is none, another tab page.
local function split()
  local low = vim.api.nvim_win_get_height(0) < ENOUGH
  if not pcall(vim.cmd, low and ('botright %dsplit'):format(math.max(5, math.floor(vim.o.lines / 3))) or 'belowright split') then
    vim.cmd('tab split')
  end
end

---A window of this tab page whose buffer may make place for another one of its kind.
local function replaceable(kind)
  for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    if vim.b[vim.api.nvim_win_get_buf(win)].aurora_replaceable == kind then
      return win
    end
  end
end

---Opens a split below and goes there; or goes to a window whose buffer was declared replaceable (b:aurora_replaceable, the
---name), where CTRL-O comes back to that.
---@param opts aurora.Scratch
---@return integer buf
function M.open(opts)
  local buf = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(buf, unique(opts.name))
  vim.bo[buf].bufhidden = 'wipe'
  vim.b[buf].aurora_client = opts.client.id
  local win = replaceable(opts.name)
  if win then
    vim.api.nvim_set_current_win(win)
    vim.bo.bufhidden = 'hide'
    vim.cmd("normal! m'")
  else
    split()
  end
  vim.api.nvim_win_set_buf(0, buf)
  -- gf and gF find the project's files from here.
  vim.bo[buf].path = (opts.client.config.root_dir or ''):gsub('[ ,]', '\\%0') .. ',,'
  vim.bo[buf].filetype = opts.filetype
  M.fill(buf, opts.lines)
  vim.bo[buf].modifiable = opts.editable == true
  vim.keymap.set('n', 'q', close, { buffer = buf, desc = 'Close' })
  return buf
end

return M
