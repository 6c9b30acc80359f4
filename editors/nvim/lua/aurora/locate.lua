-- Takes the user to a hit, and tells the sidecar that it was used: activation learns from what people open.
local position = require('aurora.position')
local used = require('aurora.used')

local M = {}

local HIGHLIGHT_MS = 1500
local namespace = vim.api.nvim_create_namespace('aurora.jump')

---Where the hit's name stands, or where it starts.
local function range_of(hit)
  return hit.nameRange or hit.range
end

---The hit's place as people write it: internal/text/lines.go:12.
---@return string
function M.label(hit)
  local cited = (hit.citations or {})[1]
  if not hit.uri and cited then
    return ('%s:%d%s'):format(cited.path, cited.line, cited.state == 'valid' and '' or (' (%s)'):format(cited.state))
  end
  if hit.repository then
    local line = range_of(hit)
    return line and ('%s:%s:%d'):format(hit.repository, hit.path, line.start.line + 1) or ('%s:%s'):format(hit.repository, hit.path)
  end
  if not hit.uri then
    return hit.source or 'memory'
  end
  local path = hit.path or vim.fn.fnamemodify(vim.uri_to_fname(hit.uri), ':~:.')
  local range = range_of(hit)
  return range and ('%s:%d'):format(path, range.start.line + 1) or path
end

---What a person would call the hit.
---@return string
function M.name(hit)
  local name = hit.name ~= '' and hit.name or nil
  return name or vim.fn.fnamemodify(hit.path or '', ':t')
end

local function flash(buf, range, encoding)
  local row, byte = position.in_buffer(buf, range.start, encoding)
  local end_row, end_byte = position.in_buffer(buf, range['end'], encoding)
  vim.api.nvim_buf_set_extmark(buf, namespace, row, byte, {
    end_row = end_row,
    end_col = end_byte,
    hl_group = 'Visual',
    hl_eol = true,
  })
  vim.defer_fn(function()
    if vim.api.nvim_buf_is_valid(buf) then
      vim.api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
    end
  end, HIGHLIGHT_MS)
end

---A window that may show a file: the current one, or the one before a result window.
local function choose_window()
  if vim.bo.buftype == '' then
    return vim.api.nvim_get_current_win()
  end
  local previous = vim.fn.win_getid(vim.fn.winnr('#'))
  for _, win in ipairs({ previous, unpack(vim.api.nvim_tabpage_list_wins(0)) }) do
    if win ~= 0 and vim.bo[vim.api.nvim_win_get_buf(win)].buftype == '' then
      return win
    end
  end
  vim.cmd('aboveleft new')
  return vim.api.nvim_get_current_win()
end

---Shows a place, marks its range for a moment and puts the cursor on its name.
local function go(hit, encoding)
  vim.api.nvim_set_current_win(choose_window())
  vim.cmd("normal! m'") -- CTRL-O comes back
  local buf = vim.uri_to_bufnr(hit.uri)
  vim.bo[buf].buflisted = true
  local ok, err = pcall(vim.api.nvim_win_set_buf, 0, buf)
  if not ok then
    return require('aurora.notify').error(tostring(err))
  end
  local at = range_of(hit)
  if at then
    local row, byte = position.in_buffer(buf, at.start, encoding)
    vim.api.nvim_win_set_cursor(0, { row + 1, byte })
    vim.cmd('normal! zv')
    flash(buf, hit.range or at, encoding)
  end
end

---The text of a remembered hit, and the code that it is about as it is now; gF goes there.
---@return string[]
function M.memory_lines(hit)
  local lines = vim.split(hit.snippet or '', '\n', { plain = true })
  for i, cited in ipairs(hit.citations or {}) do
    if i == 1 then
      lines[#lines + 1] = ''
    end
    local state = cited.was and ('%s, was %s'):format(cited.state, cited.was) or cited.state
    lines[#lines + 1] = ('%s:%d %s (%s)'):format(cited.path, cited.line, cited.name or '', state)
  end
  return lines
end

---Opens a hit: its place in a file, or the text of a remembered one, or of one that the team's search server has.
---@param client table
---@param hit table
function M.open(client, hit)
  used.opened(client, hit)
  if hit.uri then
    return go(hit, client.offset_encoding)
  end
  if hit.repository then
    local lines = vim.split(hit.snippet or '', '\n', { plain = true })
    table.insert(lines, 1, M.label(hit))
    table.insert(lines, 2, hit.url or '')
    return require('aurora.scratch').open({ name = hit.id, lines = lines, client = client })
  end
  require('aurora.scratch').open({
    name = hit.id or 'memory',
    lines = M.memory_lines(hit),
    filetype = 'markdown',
    client = client,
  })
end

return M
