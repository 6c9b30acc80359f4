-- An answer as lines of markdown. Pure: no window, no buffer.
local locate = require('aurora.locate')

local M = {}

local function add(lines, ...)
  for _, line in ipairs({ ... }) do
    lines[#lines + 1] = line
  end
end

local function pad(text, width)
  return text .. (' '):rep(math.max(0, width - #text))
end

---@param ms number
local function duration(ms)
  return ms > 0 and ms < 1 and '<1 ms' or ('%.0f ms'):format(ms)
end

---The phases as an indented block, in columns.
local function add_phases(lines, phases)
  for _, phase in ipairs(phases) do
    local time = phase.status ~= 'skipped' and phase.durationMs and duration(phase.durationMs) or ''
    local detail = (phase.detail or ''):gsub('%s*\n%s*', ' ')
    local line = ('    %s %s %s %s'):format(pad(phase.phase or '', 10), pad(phase.status or '', 11), pad(time, 7), detail)
    add(lines, (line:gsub('%s+$', '')))
  end
end

local function add_sources(lines, citations)
  local sources = {}
  if #citations == 0 then
    return sources
  end
  add(lines, '', '## Sources', '')
  for i, hit in ipairs(citations) do
    add(lines, ('%d. %s  %s (%s)'):format(i, locate.label(hit), locate.name(hit), hit.type or 'code'))
    sources[#lines] = hit
  end
  return sources
end

---One line: verified or not, how hard, by which model, how long, for how much.
local function how(result)
  local parts = { result.verified and 'verified' or 'not verified' }
  if type(result.confidence) == 'number' then
    table.insert(parts, ('confidence %d%%'):format(math.floor(result.confidence * 100 + 0.5)))
  end
  table.insert(parts, result.complexity)
  table.insert(parts, result.model and result.model ~= '' and result.model or 'no model')
  if type(result.totalDurationMs) == 'number' then
    table.insert(parts, duration(result.totalDurationMs))
  end
  local cost = result.cost or {}
  if (cost.usd or 0) > 0 then
    table.insert(parts, ('$%.4f'):format(cost.usd))
  end
  return table.concat(parts, ', ')
end

local function add_warnings(lines, warnings)
  for i, warning in ipairs(warnings) do
    add(lines, i == 1 and '' or '>', '> ' .. warning:gsub('%s*\n%s*', ' '))
  end
end

local function add_result(lines, result)
  add(lines, unpack(vim.split(vim.trim(result.answer or ''), '\r?\n')))
  add_warnings(lines, result.warnings or {})
  local sources = add_sources(lines, result.citations or {})
  add(lines, '', '## How', '', how(result), '')
  add_phases(lines, result.phases or {})
  return sources
end

---@param answer aurora.Answer
---@return string[] lines
---@return table<integer, table> sources line number to hit
function M.answer(answer)
  local lines = { '# ' .. answer.question:gsub('%s*\n%s*', ' '), '' }
  if answer.state == 'answered' then
    return lines, add_result(lines, answer.result)
  end
  if answer.state == 'asking' then
    add(lines, '*Asking: CTRL-C cancels, q closes.*', '')
  elseif answer.state == 'cancelled' then
    add(lines, '*Cancelled.*', '')
  else
    local data = answer.err.data or {}
    add(lines, answer.err.message or 'The question failed.', type(data) == 'table' and data.remedy or nil, '')
  end
  add_phases(lines, answer.phases)
  return lines, {}
end

return M
