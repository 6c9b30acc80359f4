-- The hovers of all servers of a buffer in one window. Neovim 0.11 and later does it by itself; before, each server's
-- hover replaces the one before it.
local compat = require('aurora.compat')
local notify = require('aurora.notify')
local position = require('aurora.position')

local M = {}

local METHOD = 'textDocument/hover'
-- A server that has not answered by then is left out.
local TIMEOUT_MS = 1500

local function clients_of(buf)
  local found = vim.tbl_filter(function(client)
    return (client.server_capabilities or {}).hoverProvider and true or false
  end, compat.clients({ bufnr = buf }))
  table.sort(found, function(a, b) -- what others say of the code comes first
    if (a.name == 'aurora') ~= (b.name == 'aurora') then
      return b.name == 'aurora'
    end
    return a.id < b.id
  end)
  return found
end

---@return string[] no lines when there is nothing
local function lines_of(result)
  if type(result) ~= 'table' or not result.contents then
    return {}
  end
  local lines = vim.lsp.util.convert_input_to_markdown_lines(result.contents)
  while lines[1] and not lines[1]:match('%S') do
    table.remove(lines, 1)
  end
  while lines[#lines] and not lines[#lines]:match('%S') do
    table.remove(lines)
  end
  return lines
end

---@param parts string[][]
---@return string[]
local function join(parts)
  local lines = {}
  for _, part in ipairs(parts) do
    if #lines > 0 and #part > 0 then
      vim.list_extend(lines, { '', '---', '' })
    end
    vim.list_extend(lines, part)
  end
  return lines
end

local function show(parts)
  local lines = join(parts)
  if #lines == 0 then
    return notify.info('no server knows anything here')
  end
  vim.lsp.util.open_floating_preview(lines, 'markdown', { focus_id = METHOD, border = 'rounded' })
end

---Asks every server of the buffer, each in its own encoding, and shows what they say in one window.
function M.show()
  local buf, cursor = vim.api.nvim_get_current_buf(), vim.api.nvim_win_get_cursor(0)
  local clients = clients_of(buf)
  if #clients == 0 then
    return notify.info('no server of this file has hovers')
  end
  local parts, left, done = {}, #clients, false
  local function finish()
    if not done then
      done = true
      local here = vim.api.nvim_get_current_buf() == buf and vim.deep_equal(vim.api.nvim_win_get_cursor(0), cursor)
      if here then -- who moved on wants no window
        show(parts)
      end
    end
  end
  for i, client in ipairs(clients) do
    parts[i] = {}
    local params = { textDocument = position.document(buf), position = position.cursor(0, client.offset_encoding) }
    local sent = compat.call(client, 'request', METHOD, params, function(_, result)
      parts[i] = lines_of(result)
      left = left - 1
      if left == 0 then
        finish()
      end
    end, buf)
    left = left - (sent and 0 or 1)
  end
  if left == 0 then
    return finish()
  end
  vim.defer_fn(finish, TIMEOUT_MS)
end

---What our client does with its answer to vim.lsp.buf.hover() where Neovim does not merge: nothing to say stays quiet
---when another server may have something.
function M.handler(err, result, ctx, options)
  if #lines_of(result) == 0 and #clients_of(ctx.bufnr or 0) > 1 then
    return
  end
  return vim.lsp.handlers[METHOD](err, result, ctx, options)
end

return M
