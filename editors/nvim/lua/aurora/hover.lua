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

-- Before 0.10, Neovim shows Markdown as it is written: a link with its address, an escaped mark with its backslash.
local shows_markup = vim.fn.has('nvim-0.10') == 0

---One of our lines as people read it.
local function plain(line)
  line = line:gsub('%[([^%[%]]*)%]%(file://[^%s()]*%)', '%1')
  return (line:gsub('\\(%p)', '%1'))
end

---The lines of our hover without markup outside of code blocks, which stay highlighted.
---@param lines string[]
---@return string[]
function M.plain(lines)
  local out, fence = {}, nil
  for _, line in ipairs(lines) do
    local ticks = line:match('^```+')
    out[#out + 1] = (fence or ticks) and line or plain(line)
    if ticks and (not fence or ticks == fence) then
      fence = not fence and ticks or nil
    end
  end
  return out
end

---@param client_id integer|nil whose answer it is
---@return string[] no lines when there is nothing
local function lines_of(result, client_id)
  if type(result) ~= 'table' or not result.contents then
    return {}
  end
  local lines = vim.lsp.util.convert_input_to_markdown_lines(result.contents)
  if shows_markup and client_id and require('aurora.client').exists(client_id) then
    lines = M.plain(lines)
  end
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
      parts[i] = lines_of(result, client.id)
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
  local lines = lines_of(result, ctx.client_id)
  if #lines == 0 and #clients_of(ctx.bufnr or 0) > 1 then
    return
  end
  if #lines > 0 and shows_markup then
    result = { contents = { kind = 'markdown', value = table.concat(lines, '\n') }, range = result.range }
  end
  return vim.lsp.handlers[METHOD](err, result, ctx, options)
end

return M
