-- :Aurora review: what a change leaves behind, in the quickfix list.
local client_of = require('aurora.client')
local notify = require('aurora.notify')

local M = {}

-- Types of quickfix entries by severity.
local types = { error = 'E', warning = 'W', note = 'I' }

local function items_of(result)
  local items = {}
  for _, sentence in ipairs(result.summary and result.summary.sentences or {}) do
    items[#items + 1] = { text = sentence.text }
  end
  for _, finding in ipairs(result.findings) do
    items[#items + 1] = {
      filename = result.folder .. '/' .. finding.path,
      lnum = math.max(finding.line or 1, 1),
      type = types[finding.severity],
      text = ('%s (%s)'):format(finding.message, finding.evidence),
    }
    for _, place in ipairs(finding.related or {}) do
      items[#items + 1] = { filename = result.folder .. '/' .. place.path, lnum = place.line, type = 'I', text = place.message }
    end
  end
  for _, test in ipairs(result.tests) do
    items[#items + 1] = { text = 'test: ' .. test.command }
  end
  return items
end

---Reviews the work tree, what is staged ("staged"), or a branch ("main..").
---@param client table
---@param words string
---@param buf integer
---@param summary boolean|nil whether the model says first what was found
function M.request(client, words, buf, summary)
  local params = { folder = client.config.root_dir, summary = summary or nil }
  if words == 'staged' then
    params.staged = true
  elseif words ~= '' then
    params.range = words
  end
  client_of.request(client, 'aurora/review', params, buf, function(result)
    local items = items_of(result)
    vim.fn.setqflist({}, ' ', { title = 'Aurora: review', items = items })
    if #items > 0 then
      vim.cmd('botright copen')
    end
    local notes = #result.notes > 0 and '. ' .. table.concat(result.notes, '; ') or ''
    local files = result.files == 1 and '1 changed file' or result.files .. ' changed files'
    notify.info(('%d found in %s%s'):format(#result.findings, files, notes))
  end)
end

return M
