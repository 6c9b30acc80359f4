-- Questions and answers as lines of markdown. Pure: no window, no buffer.
local locate = require('aurora.locate')

local M = {}

-- Most lines that a phase tells of itself; a long one says the latest.
local MAX_STEPS = 50

---One line, whatever it comes from: a buffer's line holds no line break.
local function flat(text)
  return (tostring(text):gsub('%s*[\r\n%z]%s*', ' '))
end

local function add(lines, ...)
  for _, line in ipairs({ ... }) do
    lines[#lines + 1] = flat(line)
  end
end

local function pad(text, width)
  return text .. (' '):rep(math.max(0, width - #text))
end

---@param ms number
local function duration(ms)
  if ms >= 10000 then
    return ('%.1f s'):format(ms / 1000)
  end
  return ms > 0 and ms < 1 and '<1 ms' or ('%.0f ms'):format(ms)
end

---@class aurora.Page
---@field lines string[]
---@field sources table<integer, table> line number to hit
---@field changes table<integer, table> line number to the proposed change that the line belongs to
---@field turns table<integer, aurora.Turn> line number to the question that the line belongs to
---@field levels table<integer, string> line number to what 'foldexpr' returns; "=" where there is none

---A fold that starts on the next line, and ends at the next one of its level or at a question.
local function fold(page, level)
  page.levels[#page.lines + 1] = '>' .. level
end

local function phase_line(phase)
  local time, share = '', ''
  if phase.status ~= 'skipped' and phase.durationMs then
    time = duration(phase.durationMs)
    share = (phase.percentage or 0) >= 1 and ('%.0f%%'):format(phase.percentage) or ''
  end
  local line = ('    %s %s %s %s %s'):format(
    pad(phase.phase or '', 18), pad(phase.status or '', 11), pad(time, 7), pad(share, 4), phase.detail or '')
  return (line:gsub('%s+$', ''))
end

---The phases as an indented block, in columns; what a phase told on its way is folded below it.
---@param phases table[] {phase, status, durationMs, percentage, detail}
---@param steps table<string, string[]> by phase
local function add_phases(page, phases, steps)
  local told = {}
  for _, phase in ipairs(phases) do
    fold(page, 2)
    add(page.lines, phase_line(phase))
    local own = not told[phase.phase] and steps[phase.phase] or {}
    told[phase.phase or ''] = true
    for i = math.max(1, #own - MAX_STEPS + 1), #own do
      if own[i] ~= phase.detail and own[i] ~= 'skipped: ' .. (phase.detail or '') then
        add(page.lines, '        ' .. own[i])
      end
    end
  end
end

local function add_sources(page, citations)
  if #citations == 0 then
    return
  end
  add(page.lines, '')
  fold(page, 1)
  add(page.lines, '## Sources', '')
  for i, hit in ipairs(citations) do
    local place, name = locate.label(hit), locate.name(hit)
    local named = ('/' .. place):sub(-#name - 1) == '/' .. name and '' or name .. ' ' -- else it is called after its place
    add(page.lines, ('%d. %s  %s(%s)'):format(i, place, named, hit.type or 'code'))
    page.sources[#page.lines] = hit
  end
end

-- A fence that ends a block only where no line of a patch is one, too.
local function fence(text)
  local longest = 2
  for ticks in text:gmatch('`+') do
    longest = math.max(longest, #ticks)
  end
  return ('`'):rep(longest + 1)
end

local function add_changes(page, changes)
  if #changes == 0 then
    return
  end
  add(page.lines, '')
  fold(page, 1)
  add(page.lines, '## Proposed changes', '', '*a makes them in the buffers, d shows a file beside them*')
  for _, change in ipairs(changes) do
    local ticks = fence(change.patch)
    add(page.lines, '', ticks .. 'diff')
    local first = #page.lines + 1
    add(page.lines, unpack(vim.split(vim.trim(change.patch), '\r?\n')))
    for row = first, #page.lines do
      page.changes[row] = change
    end
    add(page.lines, ticks)
  end
end

---One line: verified or not, how hard, by which model, how long, for how much.
local function how(result)
  local parts = { result.verified and 'verified' or 'not verified' }
  if type(result.confidence) == 'number' then
    table.insert(parts, ('confidence %d%%'):format(math.floor(result.confidence * 100 + 0.5)))
  end
  if type(result.overallScore) == 'number' then
    table.insert(parts, ('score %.2f'):format(result.overallScore))
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
    add(lines, i == 1 and '' or '>', '> ' .. warning)
  end
end

local function add_how(page, title, first, phases, steps)
  add(page.lines, '')
  fold(page, 1)
  add(page.lines, '## ' .. title, '')
  if first then
    add(page.lines, first, '')
  end
  add_phases(page, phases, steps)
end

local function add_text(page, text)
  add(page.lines, unpack(vim.split(vim.trim(text), '\r?\n')))
end

local function add_result(page, turn)
  local result = turn.result
  add_text(page, result.answer or '')
  add_warnings(page.lines, result.warnings or {})
  add_changes(page, result.changes or {})
  add_sources(page, result.citations or {})
  add_how(page, 'How', how(result), result.phases or {}, turn.steps)
end

---What is known before the end: what the phases told, and the answer as far as it is written.
local function add_unfinished(page, turn)
  local lines = page.lines
  if turn.state == 'asking' then
    local at = turn.phases[#turn.phases]
    local doing = at and vim.trim(('%s %s'):format(at.phase, at.detail or '')) or 'Asking'
    add(lines, ('*%s ... (CTRL-C cancels, q closes)*'):format(doing))
  elseif turn.state == 'cancelled' then
    add(lines, '*Cancelled.*')
  else
    local data = type(turn.err.data) == 'table' and turn.err.data or {}
    add(lines, turn.err.message or 'The question failed.', data.remedy)
  end
  if turn.text ~= '' then
    add(lines, '')
    add_text(page, turn.text)
  end
  if #turn.phases > 0 then
    add_how(page, 'So far', nil, turn.phases, turn.steps)
  end
end

local function add_turn(page, turn)
  local first = #page.lines + 1
  page.levels[first] = '0'
  local title = turn.depth and ('%s (again, deeper: %s)'):format(turn.question, turn.depth) or turn.question
  add(page.lines, '# ' .. title, '')
  if turn.state == 'answered' then
    add_result(page, turn)
  else
    add_unfinished(page, turn)
  end
  if turn.rated then
    page.levels[#page.lines + 1] = '0'
    add(page.lines, '', ('*Rated %s.*'):format(turn.rated))
  end
  for row = first, #page.lines do
    page.turns[row] = turn
  end
end

---@param turns aurora.Turn[] the questions of one window, the first one first
---@return aurora.Page
function M.page(turns)
  local page = { lines = {}, sources = {}, changes = {}, turns = {}, levels = {} }
  for i, turn in ipairs(turns) do
    if i > 1 then
      page.levels[#page.lines + 1] = '0'
      add(page.lines, '')
    end
    add_turn(page, turn)
  end
  return page
end

return M
