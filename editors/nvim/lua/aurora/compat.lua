-- The few calls that differ between Neovim 0.7 and today's.
local M = {}

M.uv = vim.uv or vim.loop

local methods_take_self = vim.fn.has('nvim-0.11') == 1

---Calls a method of an LSP client.
function M.call(client, method, ...)
  if methods_take_self then
    return client[method](client, ...)
  end
  return client[method](...)
end

---@param filter table|nil {bufnr?, name?}
---@return table[] initialised clients
function M.clients(filter)
  filter = filter or {}
  if vim.lsp.get_clients then
    return vim.lsp.get_clients(filter)
  end
  local attached = filter.bufnr and vim.lsp.buf_get_clients(filter.bufnr)
  return vim.tbl_filter(function(client)
    return (not filter.name or client.name == filter.name) and (not attached or attached[client.id] ~= nil)
  end, vim.lsp.get_active_clients())
end

---Starts a server.
---@return integer|nil client id
function M.start(config)
  if vim.fn.has('nvim-0.11') == 1 then
    return vim.lsp.start(config, { attach = false })
  end
  return vim.lsp.start_client(config)
end

---@param line string
---@param byte integer zero-based byte offset
---@param encoding string 'utf-8', 'utf-16' or 'utf-32'
---@return integer offset in the encoding's units
function M.from_byte(line, byte, encoding)
  byte = math.max(0, math.min(byte, #line))
  if encoding == 'utf-8' then
    return byte
  end
  if vim.fn.has('nvim-0.11') == 1 then
    return vim.str_utfindex(line, encoding, byte, false)
  end
  local utf32, utf16 = vim.str_utfindex(line, byte)
  return encoding == 'utf-32' and utf32 or utf16
end

---@param line string
---@param offset integer zero-based, in the encoding's units
---@param encoding string 'utf-8', 'utf-16' or 'utf-32'
---@return integer byte offset, never past the line's end
function M.to_byte(line, offset, encoding)
  if encoding == 'utf-8' then
    return math.min(offset, #line)
  end
  if vim.fn.has('nvim-0.11') == 1 then
    return vim.str_byteindex(line, encoding, offset, false)
  end
  local ok, byte = pcall(vim.str_byteindex, line, offset, encoding == 'utf-16')
  return ok and byte or #line
end

return M
