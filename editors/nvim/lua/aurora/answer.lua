-- :Aurora query: a question, its phases as they run, and its answer with sources, in a markdown split.
local client_of = require('aurora.client')
local locate = require('aurora.locate')
local notify = require('aurora.notify')
local render = require('aurora.render')
local scratch = require('aurora.scratch')
local used = require('aurora.used')

local M = {}

---@class aurora.Answer
---@field buf integer
---@field client table
---@field question string
---@field phases table[] {phase, status, detail}, as reported while it runs
---@field query_id string|nil known after the first report
---@field state string asking, answered, cancelled, failed
---@field result table|nil
---@field err table|nil
---@field sources table<integer, table> line number to hit
---@field cancel_request fun()

-- By buffer.
local answers = {}
-- The answer whose sources :Aurora sources lists.
local latest

local function show(answer)
  if not vim.api.nvim_buf_is_valid(answer.buf) then
    return
  end
  local lines, sources = render.answer(answer)
  answer.sources = sources
  scratch.fill(answer.buf, lines)
end

local function finish(answer, state)
  answer.state = state
  show(answer)
  require('aurora.status').changed(answer.client.id)
end

---Stops asking; the server ends its work, too.
local function cancel(answer)
  if answer.state == 'asking' then
    answer.cancel_request()
    finish(answer, 'cancelled')
  end
end

---The source that a line of the window is about: its own line, or the last "path:line" or [n] before the cursor.
local function source_at(answer, row, text)
  if answer.sources[row] then
    return answer.sources[row]
  end
  local citations = (answer.result or {}).citations or {}
  local number = tonumber(text:match('%[(%d+)%]'))
  if number and citations[number] then
    return citations[number]
  end
  for _, hit in ipairs(citations) do
    if text:find(locate.label(hit), 1, true) then
      return hit
    end
  end
end

local function jump(answer)
  local row = vim.api.nvim_win_get_cursor(0)[1]
  local hit = source_at(answer, row, vim.api.nvim_get_current_line())
  if hit then
    locate.open(answer.client, hit)
  else
    notify.info('there is no source on this line')
  end
end

local function map_keys(answer)
  local function map(key, action, desc)
    vim.keymap.set('n', key, action, { buffer = answer.buf, desc = desc })
  end
  map('<CR>', function()
    jump(answer)
  end, 'Go to the source on this line')
  map('<C-c>', function()
    cancel(answer)
  end, 'Cancel the question')
  vim.api.nvim_create_autocmd('BufWipeout', {
    buffer = answer.buf,
    callback = function()
      cancel(answer)
      answers[answer.buf] = nil
    end,
  })
end

---Asks and shows the answer as it comes.
---@param client table
---@param params table of aurora/query
---@param buf integer where the question was asked
function M.ask(client, params, buf)
  local answer = {
    client = client,
    question = params.query,
    phases = {},
    state = 'asking',
    sources = {},
  }
  answer.buf = scratch.open({ name = 'query', lines = {}, filetype = 'markdown', client = client })
  answers[answer.buf] = answer
  latest = answer
  map_keys(answer)
  vim.wo.wrap = true
  vim.wo.linebreak = true
  show(answer)
  -- One conversation, so that "no, that's wrong" is about the answer before it.
  params.conversationId = params.conversationId or 'nvim'
  answer.cancel_request = client_of.request(client, 'aurora/query', params, buf, function(result)
    answer.result = result
    if vim.api.nvim_buf_is_valid(answer.buf) then
      used.shown(client, result.citations or {}, answer.buf)
    end
    finish(answer, 'answered')
  end, function(err)
    answer.err = err
    finish(answer, 'failed')
    notify.response_error(err)
  end)
  require('aurora.status').changed(client.id)
end

---The running answer a progress report belongs to.
local function answer_for(client_id, query_id)
  local unnamed
  for _, answer in pairs(answers) do
    if answer.state == 'asking' and answer.client.id == client_id then
      if answer.query_id == query_id then
        return answer
      end
      unnamed = unnamed or (answer.query_id == nil and answer or nil)
    end
  end
  return unnamed
end

---Takes an aurora/progress notification.
---@param client_id integer
---@param report table {queryId, stage, status, detail, progress}
function M.on_progress(client_id, report)
  local answer = answer_for(client_id, report.queryId)
  if not answer then
    return
  end
  answer.query_id = report.queryId
  local last = answer.phases[#answer.phases]
  if not last or last.phase ~= report.stage then
    last = { phase = report.stage }
    table.insert(answer.phases, last)
  end
  last.status, last.detail = report.status, report.detail
  show(answer)
end

---How many questions a sidecar is answering.
function M.running(client_id)
  local count = 0
  for _, answer in pairs(answers) do
    if answer.state == 'asking' and answer.client.id == client_id then
      count = count + 1
    end
  end
  return count
end

---The sidecar is gone: its open questions will have no answer.
function M.gone(client_id)
  for _, answer in pairs(answers) do
    if answer.state == 'asking' and answer.client.id == client_id then
      answer.err = { message = 'the sidecar ended before it answered' }
      finish(answer, 'failed')
    end
  end
end

---Puts the sources of the latest answer into the quickfix list.
function M.sources_to_quickfix()
  local citations = latest and latest.result and latest.result.citations or {}
  local count = latest and locate.quickfix(latest.client, latest.question, citations, function(hit)
    return locate.name(hit)
  end) or 0
  if count == 0 then
    notify.info('the latest answer has no sources; ask with :Aurora query')
  end
end

return M
