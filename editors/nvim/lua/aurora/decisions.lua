-- What was decided about a file, at the end of the lines that it is about. Off by default: the option decisions.
local client_of = require('aurora.client')
local config = require('aurora.config')

local M = {}

local namespace = vim.api.nvim_create_namespace('aurora.decisions')

-- Most records of a file.
local LIMIT = 100
-- Longest text at the end of a line, in characters.
local WIDTH = 60

-- How long the sidecar takes to look at a file that was written, at most, when it is not busy.
local INDEXED_MS = 1500

-- Extmarks have signs since 0.8.
local signs = vim.fn.has('nvim-0.8') == 1

-- By buffer: 'asked' while an answer is awaited, 'again' when one more look is wanted after it.
local looks = {}

local function highlights()
  vim.api.nvim_set_hl(0, 'AuroraDecision', { default = true, link = 'DiagnosticHint' })
  vim.api.nvim_set_hl(0, 'AuroraDecisionStale', { default = true, link = 'DiagnosticWarn' })
end

---The first line of a record, and what is to be known of its code.
local function text_of(record)
  local title = vim.trim(record.content or ''):match('[^\n]*')
  if vim.fn.strchars(title) > WIDTH then
    title = vim.fn.strcharpart(title, 0, WIDTH) .. '…'
  end
  return record.stale and title .. ' (stale: the code has changed)' or title
end

---Draws the records at the lines of a buffer.
local function draw(buf, records)
  vim.api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
  local uri, last = vim.uri_from_bufnr(buf), vim.api.nvim_buf_line_count(buf)
  for _, record in ipairs(records) do
    for _, place in ipairs(record.hit.citations or {}) do
      if place.uri == uri and place.line <= last and place.state ~= 'gone' then
        local highlight = record.stale and 'AuroraDecisionStale' or 'AuroraDecision'
        local mark = { virt_text = { { '  ▍' .. text_of(record), highlight } }, hl_mode = 'combine' }
        if signs then
          mark.sign_text, mark.sign_hl_group = '▍', highlight
        end
        vim.api.nvim_buf_set_extmark(buf, namespace, place.line - 1, 0, mark)
      end
    end
  end
end

---Shows what memory has for the lines of a buffer, where the option says so and a sidecar answers.
---@param buf integer
---@param written boolean|nil it was just written: whether the code is still what was decided about is known a moment later
function M.update(buf, written)
  if not config.get().decisions or not vim.api.nvim_buf_is_loaded(buf) or vim.bo[buf].buftype ~= '' then
    return
  end
  local id = client_of.id_for(buf)
  local client = id and client_of.ready(id) and vim.lsp.get_client_by_id(id)
  if not client then
    return
  end
  if written then
    vim.defer_fn(function()
      M.update(buf)
    end, INDEXED_MS)
  end
  if looks[buf] then
    looks[buf] = 'again'
    return
  end
  highlights()
  looks[buf] = 'asked'
  local function done()
    local again = looks[buf] == 'again'
    looks[buf] = nil
    if again then
      M.update(buf)
    end
  end
  client_of.request(client, 'aurora/records', { uri = vim.uri_from_bufnr(buf), limit = LIMIT }, buf, function(result)
    if vim.api.nvim_buf_is_loaded(buf) then
      draw(buf, result.records or {})
    end
    done()
  end, done) -- nobody asked for it, so a failure is not shown
end

---A sidecar ended: what it was asked will not be answered.
function M.gone()
  looks = {}
end

---Every buffer in a window, after memory has changed.
function M.update_all()
  for _, win in ipairs(vim.api.nvim_list_wins()) do
    M.update(vim.api.nvim_win_get_buf(win))
  end
end

return M
