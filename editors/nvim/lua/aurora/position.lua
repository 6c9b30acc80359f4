-- Between Neovim's places (lines from 1, bytes) and the protocol's (lines from 0, units of the client's encoding).
local compat = require('aurora.compat')

local M = {}

---@param buf integer
---@param row integer zero-based
---@return string
local function line_of(buf, row)
  return vim.api.nvim_buf_get_lines(buf, row, row + 1, false)[1] or ''
end

---@param buf integer
---@param row integer zero-based
---@param byte integer zero-based
---@return table position
function M.of_byte(buf, row, byte, encoding)
  return { line = row, character = compat.from_byte(line_of(buf, row), byte, encoding) }
end

---@return table textDocument
function M.document(buf)
  return { uri = vim.uri_from_bufnr(buf) }
end

---@param win integer
---@return table position of the cursor
function M.cursor(win, encoding)
  local at = vim.api.nvim_win_get_cursor(win)
  return M.of_byte(vim.api.nvim_win_get_buf(win), at[1] - 1, at[2], encoding)
end

---The range of whole lines, without the last line break.
---@param first integer from 1
---@param last integer from 1
local function of_lines(buf, first, last, encoding)
  return {
    start = { line = first - 1, character = 0 },
    ['end'] = M.of_byte(buf, last - 1, #line_of(buf, last - 1), encoding),
  }
end

---Bytes up to the end of the character that starts at byte (zero-based).
local function after_character(line, byte)
  return byte + #vim.fn.strpart(line, byte, 1, 1)
end

---The range a command was given: the exact characters of a visual selection, else whole lines.
---@param buf integer
---@param opts table what a user command gets
function M.of_command(buf, opts, encoding)
  local from, to = vim.fn.getpos("'<"), vim.fn.getpos("'>")
  if vim.fn.visualmode() ~= 'v' or from[2] ~= opts.line1 or to[2] ~= opts.line2 then
    return of_lines(buf, opts.line1, opts.line2, encoding)
  end
  local last = line_of(buf, to[2] - 1)
  return {
    start = M.of_byte(buf, from[2] - 1, from[3] - 1, encoding),
    ['end'] = M.of_byte(buf, to[2] - 1, after_character(last, math.min(to[3] - 1, #last)), encoding),
  }
end

---The text of a range.
---@return string
function M.text(buf, range, encoding)
  local first_row, first = M.in_buffer(buf, range.start, encoding)
  local last_row, last = M.in_buffer(buf, range['end'], encoding)
  return table.concat(vim.api.nvim_buf_get_text(buf, first_row, first, last_row, last, {}), '\n')
end

---A line of a file, from its buffer when there is one.
---@param path string
---@param row integer zero-based
---@return string
function M.line_of_file(path, row)
  local buf = vim.fn.bufnr(path)
  if buf ~= -1 and vim.api.nvim_buf_is_loaded(buf) then
    return line_of(buf, row)
  end
  local file = io.open(path, 'r')
  if not file then
    return ''
  end
  local text = ''
  for line in file:lines() do
    if row == 0 then
      text = line
      break
    end
    row = row - 1
  end
  file:close()
  return (text:gsub('\r$', ''))
end

---@param path string
---@param position table
---@return integer line from 1
---@return integer column from 1, in bytes
function M.in_file(path, position, encoding)
  local text = M.line_of_file(path, position.line)
  return position.line + 1, compat.to_byte(text, position.character, encoding) + 1
end

---@param buf integer a loaded buffer
---@param position table
---@return integer row zero-based, inside the buffer
---@return integer byte zero-based
function M.in_buffer(buf, position, encoding)
  local row = math.min(position.line, vim.api.nvim_buf_line_count(buf) - 1)
  return row, compat.to_byte(line_of(buf, row), position.character, encoding)
end

return M
