-- Tells the sidecar what people do with results: activation learns from it. Edits need no telling, the sidecar sees them
-- when a file is saved.
local compat = require('aurora.compat')
local notify = require('aurora.notify')

local M = {}

-- What :Aurora rate is about: the hits that were looked at last, and whose sidecar knows them.
local latest = {}

M.RATINGS = { good = 1, bad = -1 }
M.ratings = { 'good', 'bad' }

---@param client table
---@param hits table[]
---@param action string opened, accepted, copied, edited, cited, returned, rejected, rated
---@param value number|nil -1..1, of rated
---@param query_id string|nil the question that the hits answer
function M.report(client, hits, action, value, query_id)
  local uses = {}
  for _, hit in ipairs(hits) do
    if hit.id then
      uses[#uses + 1] = { id = hit.id, action = action, value = value }
    end
  end
  if #uses > 0 then
    compat.call(client, 'notify', 'aurora/didUse', { hits = uses, queryId = query_id })
  end
end

---The user went to a hit.
function M.opened(client, hit)
  latest = { client = client, hits = { hit } }
  M.report(client, { hit }, 'opened')
end

---A buffer shows hits: what is copied from it was useful, once.
---@param buf integer
---@param query_id string|nil
function M.shown(client, hits, buf, query_id)
  latest = { client = client, hits = hits, query_id = query_id }
  vim.api.nvim_create_autocmd('TextYankPost', {
    buffer = buf,
    once = true,
    callback = function()
      M.report(client, hits, 'copied', nil, query_id)
    end,
  })
end

---Rates what was looked at last: the sources of an answer, the snippets of a context, or a hit.
---@param words string good, bad, or a number from -1 to 1
function M.rate(words)
  local value = M.RATINGS[words] or tonumber(words)
  if not value or value < -1 or value > 1 then
    return notify.warn('usage: :Aurora rate good, bad, or a number from -1 to 1')
  end
  local hits = latest.hits or {}
  if #hits == 0 then
    return notify.warn('there is nothing to rate yet; open a hit, an answer or a context first')
  end
  M.report(latest.client, hits, 'rated', value, latest.query_id)
  notify.info(('rated %d %s'):format(#hits, #hits == 1 and 'result' or 'results'))
end

return M
