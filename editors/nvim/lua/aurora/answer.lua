-- :Aurora query: questions, their phases as they run, and their answers as they are written. The window is answer_view's.
local client_of = require('aurora.client')
local locate = require('aurora.locate')
local notify = require('aurora.notify')
local used = require('aurora.used')
local view = require('aurora.answer_view')

local M = {}

---@class aurora.Turn a question and what became of it
---@field question string
---@field params table of aurora/query
---@field depth string|nil the verification that it was asked again with
---@field phases table[] {phase, status, detail}, as reported while it runs
---@field steps table<string, string[]> what each phase reported, in order
---@field text string the answer as far as it is written
---@field query_id string|nil known after the first report
---@field state string asking, answered, cancelled, failed
---@field result table|nil
---@field err table|nil
---@field rated string|nil good or bad
---@field cancel_request fun()

---@class aurora.Answer a window with a question and those that followed it
---@field buf integer
---@field client table
---@field from integer the buffer that the question was asked in
---@field turns aurora.Turn[]

-- By buffer.
local answers = {}
-- The answer whose sources :Aurora sources lists.
local latest

-- How strictly plans and answers are verified when a question is asked again.
local DEPTHS = { 'adversarial', 'debate' }

-- The window of an answer that is complete makes place for the next one.
local function note_whether_done(answer)
  if vim.api.nvim_buf_is_valid(answer.buf) then
    local asking = vim.tbl_filter(function(turn)
      return turn.state == 'asking'
    end, answer.turns)
    vim.b[answer.buf].aurora_replaceable = #asking == 0 and 'query' or nil
  end
end

local function finish(answer, turn, state)
  turn.state = state
  note_whether_done(answer)
  view.draw_now(answer)
  require('aurora.status').changed(answer.client.id)
end

local function cancel(answer)
  for _, turn in ipairs(answer.turns) do
    if turn.state == 'asking' then
      turn.cancel_request()
      finish(answer, turn, 'cancelled')
    end
  end
end

---Asks, below what the window shows already.
local function ask(answer, params, depth)
  local turn = {
    question = params.query,
    params = params,
    depth = depth,
    phases = {},
    steps = {},
    text = '',
    state = 'asking',
  }
  table.insert(answer.turns, turn)
  note_whether_done(answer)
  latest = answer
  view.draw_now(answer)
  -- One conversation, so that "no, that's wrong" is about the answer before it.
  params.conversationId = params.conversationId or 'nvim'
  local client, from = answer.client, vim.api.nvim_buf_is_valid(answer.from) and answer.from or answer.buf
  turn.cancel_request = client_of.request(client, 'aurora/query', params, from, function(result)
    turn.result = result
    if vim.api.nvim_buf_is_valid(answer.buf) then
      used.shown(client, result.citations or {}, answer.buf, result.queryId)
    end
    finish(answer, turn, 'answered')
  end, function(err)
    turn.err = err
    finish(answer, turn, 'failed') -- the window says why; no message beside it
  end)
  require('aurora.status').changed(client.id)
  return turn
end

---Asks in a window of its own, and shows the answer as it comes.
---@param client table
---@param params table of aurora/query
---@param buf integer where the question was asked
function M.ask(client, params, buf)
  local answer = { client = client, from = buf, turns = {} }
  view.open(answer, {
    cancel = function()
      cancel(answer)
    end,
    follow_up = function()
      M.follow_up(answer)
    end,
    deeper = function(turn)
      M.deeper(answer, turn)
    end,
    rate = function(turn, words)
      M.rate(answer, turn, words)
    end,
    sources = function(turn)
      M.sources_to_quickfix(answer, turn)
    end,
    gone = function()
      cancel(answer)
      answers[answer.buf] = nil
    end,
  })
  answers[answer.buf] = answer
  ask(answer, params)
end

---Asks for a question and asks it about the same place, in the same window.
---@param answer aurora.Answer
function M.follow_up(answer)
  vim.ui.input({ prompt = 'Ask on: ' }, function(question)
    if not question or not question:match('%S') or not vim.api.nvim_buf_is_valid(answer.buf) then
      return
    end
    local first = answer.turns[1].params
    local turn = ask(answer, { query = question, textDocument = first.textDocument, range = first.range })
    view.go_to(answer, turn)
  end)
end

---Whether the sidecar has told that there is no model to ask.
local function without_model(client)
  local llm = (require('aurora.status').of_client(client.id) or {}).llm
  return llm ~= nil and not llm.configured
end

---Asks the same again, through all phases and verified more strictly each time: the latest question when none is named.
---@param answer aurora.Answer|nil
---@param turn aurora.Turn|nil
function M.deeper(answer, turn)
  answer = answer or latest
  turn = turn or answer and answer.turns[#answer.turns]
  if not turn or not vim.api.nvim_buf_is_valid(answer.buf) then
    return notify.info('there is no answer yet; ask with :Aurora query')
  end
  if without_model(answer.client) then
    return notify.info('a deeper answer needs a model: set llm.model, and run :Aurora restart (:help aurora-answer)')
  end
  local depth = DEPTHS[1]
  for i, name in ipairs(DEPTHS) do
    if turn.depth == name then
      depth = DEPTHS[i + 1]
    end
  end
  if not depth then
    return notify.info('this is the deepest answer there is')
  end
  if turn.state == 'asking' then
    return notify.info('this question is not answered yet; CTRL-C cancels it')
  end
  local params = vim.tbl_extend('force', turn.params, { mode = 'soar', verification = depth })
  view.go_to(answer, ask(answer, params, depth))
end

local SIGNALS = { good = 'positive', bad = 'negative' }

---Tells how good an answer is; the sidecar knows what it rests on.
---@param answer aurora.Answer
---@param turn aurora.Turn
---@param words string good or bad
function M.rate(answer, turn, words)
  if turn.state ~= 'answered' then
    return notify.info('there is no answer to rate yet')
  end
  local params = { queryId = turn.result.queryId, signal = SIGNALS[words] }
  client_of.request(answer.client, 'aurora/feedback', params, answer.buf, function(said)
    if (said.applied or 0) == 0 then
      notify.info('this answer has no sources, so a rating teaches nothing')
    end
    turn.rated = words
    view.draw_now(answer)
  end)
end

---The running question that a progress report belongs to.
local function turn_for(client_id, query_id)
  local unnamed, where
  for _, answer in pairs(answers) do
    for _, turn in ipairs(answer.client.id == client_id and answer.turns or {}) do
      if turn.state == 'asking' and turn.query_id == query_id then
        return turn, answer
      elseif turn.state == 'asking' and not turn.query_id then
        unnamed, where = turn, answer
      end
    end
  end
  return unnamed, where
end

local function note(turn, report)
  local last = turn.phases[#turn.phases]
  if not last or last.phase ~= report.stage then
    last = { phase = report.stage }
    table.insert(turn.phases, last)
  end
  last.status = report.status
  if (report.detail or '') ~= '' then
    last.detail = report.detail
    turn.steps[report.stage] = turn.steps[report.stage] or {}
    table.insert(turn.steps[report.stage], report.detail)
  end
end

---Takes an aurora/progress notification.
---@param client_id integer
---@param report table {queryId, stage, status, detail, progress, data}
function M.on_progress(client_id, report)
  local turn, answer = turn_for(client_id, report.queryId)
  if not turn then
    return
  end
  turn.query_id = report.queryId
  local data = type(report.data) == 'table' and report.data or nil
  if data then
    turn.text = data.void and '' or turn.text
    turn.text = turn.text .. (data.delta or '')
  end
  if report.stage then
    note(turn, report)
  end
  view.draw(answer)
end

---Cancels every question that runs.
---@return integer how many there were
function M.cancel_all()
  local count = 0
  for _, answer in pairs(answers) do
    for _, turn in ipairs(answer.turns) do
      count = count + (turn.state == 'asking' and 1 or 0)
    end
    cancel(answer)
  end
  return count
end

---How many questions a sidecar is answering.
function M.running(client_id)
  local count = 0
  for _, answer in pairs(answers) do
    for _, turn in ipairs(answer.client.id == client_id and answer.turns or {}) do
      count = count + (turn.state == 'asking' and 1 or 0)
    end
  end
  return count
end

---The sidecar is gone: its open questions will have no answer.
function M.gone(client_id)
  for _, answer in pairs(answers) do
    for _, turn in ipairs(answer.client.id == client_id and answer.turns or {}) do
      if turn.state == 'asking' then
        turn.err = { message = 'The sidecar ended before it answered.', data = { remedy = ':Aurora restart starts it again.' } }
        finish(answer, turn, 'failed')
      end
    end
  end
end

---Puts the sources of an answer into the quickfix list: those of the latest when none is named.
---@param answer aurora.Answer|nil
---@param turn aurora.Turn|nil
function M.sources_to_quickfix(answer, turn)
  answer = answer or latest
  turn = turn or answer and answer.turns[#answer.turns]
  local citations = turn and turn.result and turn.result.citations or {}
  local count = #citations > 0 and require('aurora.quickfix').fill(answer.client, turn.question, citations, locate.name) or 0
  if count == 0 then
    notify.info('the latest answer has no sources; ask with :Aurora query')
  end
end

return M
