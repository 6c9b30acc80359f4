-- Tells the sidecar for which languages another server shows definitions, so that hovers and symbols don't say them twice.
local M = {}

---The filetypes of buffers that an Aurora client shares with a server that has hovers, sorted.
local function filetypes(client)
  local list = vim.lsp.get_clients or vim.lsp.get_active_clients
  local found = {}
  for _, buf in ipairs(vim.lsp.get_buffers_by_client_id(client.id)) do
    for _, other in ipairs(list({ bufnr = buf })) do
      if other.id ~= client.id and other.name ~= client.name and (other.server_capabilities or {}).hoverProvider then
        found[vim.bo[buf].filetype] = true
      end
    end
  end
  local names = vim.tbl_keys(found)
  table.sort(names)
  return names
end

local told = {} -- by client, what was said last

---Tells all Aurora clients what has changed.
function M.update()
  local list = vim.lsp.get_clients or vim.lsp.get_active_clients
  for _, client in ipairs(list({ name = 'aurora' })) do
    local names = filetypes(client)
    local said = table.concat(names, ' ')
    if said ~= (told[client.id] or '') then
      told[client.id] = said
      local served = next(names) and names or { '' } -- an empty table would be sent as an object
      local settings = { aurora = { client = { servedElsewhere = served } } }
      if vim.fn.has('nvim-0.11') == 1 then
        client:notify('workspace/didChangeConfiguration', { settings = settings })
      else
        client.notify('workspace/didChangeConfiguration', { settings = settings })
      end
    end
  end
end

return M
