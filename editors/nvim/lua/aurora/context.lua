-- :Aurora context: what a person or a model needs to know about a selection or a question, ready to copy.
local client_of = require('aurora.client')
local config = require('aurora.config')
local notify = require('aurora.notify')
local scratch = require('aurora.scratch')
local used = require('aurora.used')

local M = {}

local function summary(result)
  local tokens = result.tokens or {}
  local snippets = #(result.snippets or {})
  local text = ('%d snippets, about %d of %d tokens'):format(snippets, tokens.total or 0, result.budgetTokens or 0)
  if (result.omitted or 0) > 0 then
    text = ('%s, %d left out'):format(text, result.omitted)
  end
  return table.concat({ text, unpack(result.notes or {}) }, '; ')
end

---Shows assembled context in a split.
---@param client table
---@param result table what aurora/context returned
function M.show(client, result)
  local buf = scratch.open({
    name = 'context',
    lines = vim.split(result.text or '', '\r?\n'),
    filetype = 'markdown',
    client = client,
    editable = true,
  })
  used.shown(client, result.snippets or {}, buf)
  notify.info(summary(result))
end

---Asks for context and shows it.
---@param client table
---@param params table of aurora/context
---@param buf integer
function M.request(client, params, buf)
  local defaults = { format = 'markdown', budgetTokens = config.get().context_tokens }
  client_of.request(client, 'aurora/context', vim.tbl_extend('keep', params, defaults), buf, function(result)
    M.show(client, result)
  end)
end

return M
