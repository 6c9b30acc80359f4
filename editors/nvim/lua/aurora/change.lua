-- What an answer proposes for files: into the buffers, or beside them as a diff. Nothing is saved but new files, before others are
-- deleted, whose text they may have.
local notify = require('aurora.notify')

local M = {}

---Lines without what ends them.
local function lines_of(text)
  local lines = vim.split(text, '\r?\n')
  if lines[#lines] == '' then
    lines[#lines] = nil
  end
  return lines
end

local function same(a, b)
  if #a ~= #b then
    return false
  end
  for i = 1, #a do
    if a[i] ~= b[i] then
      return false
    end
  end
  return true
end

---The lines of a file as they would be, nil where what an edit is about stands there no more.
---@param lines string[]
---@param edits table[] {range, oldText, newText} of whole lines, the first one first
---@return string[]|nil
function M.changed(lines, edits)
  lines = vim.list_slice(lines, 1, #lines)
  for i = #edits, 1, -1 do
    local edit = edits[i]
    local old, first = lines_of(edit.oldText), edit.range.start.line
    if not same(vim.list_slice(lines, first + 1, first + #old), old) then
      return nil
    end
    local new = vim.list_slice(lines, 1, first)
    vim.list_extend(new, lines_of(edit.newText))
    vim.list_extend(new, lines, first + #old + 1)
    lines = new
  end
  return lines
end

---The buffer of a change, with its lines as they are and as they would be; nil where it can't be made, which is said.
local function prepare(change)
  local path = vim.uri_to_fname(change.uri)
  if change.created and vim.fn.filereadable(path) == 1 then
    return notify.warn(change.path .. ' is there already; ask again')
  end
  local buf = vim.uri_to_bufnr(change.uri)
  vim.fn.bufload(buf)
  vim.bo[buf].buflisted = true
  local before = vim.api.nvim_buf_get_lines(buf, 0, -1, false)
  local after = M.changed(change.created and {} or before, change.edits)
  if not after then
    return notify.warn(change.path .. ' has changed since; ask again')
  end
  return buf, after
end

---Takes a file away with its buffer, as far as nothing of it is unsaved; says so where it can't.
local function delete(change, buf)
  local path = vim.uri_to_fname(change.uri)
  if vim.bo[buf].modified then
    return notify.warn(change.path .. ' is not saved, so it stays')
  end
  if vim.fn.delete(path) ~= 0 then
    return notify.warn(change.path .. ' can\'t be deleted')
  end
  vim.api.nvim_buf_delete(buf, {})
end

---Writes the new files that are not written yet; false where one can't be, which is said.
local function save(new)
  for _, made in ipairs(new) do
    local buf, change = made[1], made[3]
    if vim.bo[buf].modified then
      vim.fn.mkdir(vim.fn.fnamemodify(vim.uri_to_fname(change.uri), ':h'), 'p')
      local ok, problem = pcall(vim.api.nvim_buf_call, buf, function()
        vim.cmd('silent write')
      end)
      if not ok then
        notify.warn(('%s can\'t be saved, so nothing is deleted: %s'):format(change.path, problem))
        return false
      end
    end
  end
  return true
end

---Makes all changes in their buffers, or none of them. Files that are to go are asked for, one by one.
---@param changes table[] of an answer
function M.make(changes)
  local ready = {}
  for _, change in ipairs(changes) do
    local buf, after = prepare(change)
    if not buf then
      return
    end
    ready[#ready + 1] = { buf, after, change }
  end
  local changed, new, saved = {}, {}, false
  for _, made in ipairs(ready) do
    local buf, after, change = made[1], made[2], made[3]
    if not change.deleted then
      vim.api.nvim_buf_set_lines(buf, 0, -1, false, after)
      changed[#changed + 1] = change.path
      new[#new + 1] = change.created and made or nil
    end
  end
  for _, made in ipairs(ready) do
    local buf, change = made[1], made[3]
    if change.deleted and vim.fn.confirm('Delete ' .. change.path .. '?', '&Yes\n&No', 2) == 1 then
      if not save(new) then
        return
      end
      saved = #new > 0
      delete(change, buf)
    end
  end
  if #changed > 0 then
    local files = #changed == 1 and changed[1] or #changed .. ' files'
    notify.info(('changed %s, and saved %s; u takes it back there'):format(files, not saved and 'nothing' or #changed == 1 and 'it' or 'the new ones'))
  end
end

---Opens a file in a tab page, beside the text that is proposed for it: with "do" a change is made there.
---@param change table
function M.diff(change)
  local buf, after = prepare(change)
  if not buf then
    return
  end
  vim.cmd('tab split')
  vim.api.nvim_win_set_buf(0, buf)
  local file = vim.api.nvim_get_current_win()
  vim.cmd('diffthis')
  vim.cmd('rightbelow vnew')
  vim.bo.buftype, vim.bo.bufhidden, vim.bo.swapfile = 'nofile', 'wipe', false
  vim.api.nvim_buf_set_name(0, ('aurora://proposed %d/%s'):format(vim.api.nvim_get_current_buf(), change.path))
  vim.api.nvim_buf_set_lines(0, 0, -1, false, after)
  vim.bo.filetype, vim.bo.modifiable = vim.bo[buf].filetype, false
  vim.cmd('diffthis')
  vim.api.nvim_set_current_win(file)
  vim.cmd('silent! normal! gg]c')
end

return M
