-- The window of an answer: its text, folds and keys.
local locate = require('aurora.locate')
local notify = require('aurora.notify')
local render = require('aurora.render')
local scratch = require('aurora.scratch')
local uv = require('aurora.compat').uv

local M = {}

-- While an answer is written, the window is drawn at most once in this time (milliseconds).
local DRAW_EVERY_MS = 30

-- The pages that are shown, by buffer; 'foldexpr' asks for their levels.
local pages = {}

---@param answer aurora.Answer
function M.draw_now(answer)
  if not vim.api.nvim_buf_is_valid(answer.buf) then
    return
  end
  answer.drawn = uv.now()
  local page = render.page(answer.turns)
  pages[answer.buf] = page
  scratch.fill(answer.buf, page.lines)
end

---Draws soon: at once after a pause, else together with what comes next.
---@param answer aurora.Answer
function M.draw(answer)
  if answer.waiting then
    return
  end
  local left = DRAW_EVERY_MS - (uv.now() - (answer.drawn or 0))
  if left <= 0 then
    return M.draw_now(answer)
  end
  answer.waiting = true
  vim.defer_fn(function()
    answer.waiting = false
    M.draw_now(answer)
  end, left)
end

---For 'foldexpr'.
---@return string
function M.fold_level()
  local page = pages[vim.api.nvim_get_current_buf()]
  return page and page.levels[vim.v.lnum] or '='
end

---For 'foldtext': the first line, and how many there are below.
---@return string
function M.fold_text()
  local more = vim.v.foldend - vim.v.foldstart
  return ('%s  +%d '):format(vim.fn.getline(vim.v.foldstart), more)
end

local function set_folds()
  vim.opt_local.foldmethod = 'expr'
  vim.opt_local.foldexpr = "v:lua.require'aurora.answer_view'.fold_level()"
  vim.opt_local.foldtext = "v:lua.require'aurora.answer_view'.fold_text()"
  vim.opt_local.foldlevel = 1 -- sections are open, what the phases told is closed
  vim.opt_local.foldminlines = 1
  vim.opt_local.foldenable = true
  vim.opt_local.fillchars:append({ fold = ' ' })
end

---The number in brackets under the cursor, else the first one of the line.
local function cited_number(text, byte)
  local first
  for from, number, to in text:gmatch('()%[(%d+)%]()') do
    first = first or tonumber(number)
    if from - 1 <= byte and byte < to - 1 then
      return tonumber(number)
    end
  end
  return first
end

---The source that the cursor's line is about: its own line, a "[n]", or the "path:line" of a source.
local function source_here(answer)
  local at = vim.api.nvim_win_get_cursor(0)
  local text, page = vim.api.nvim_get_current_line(), pages[answer.buf]
  if page.sources[at[1]] then
    return page.sources[at[1]]
  end
  local turn = page.turns[at[1]]
  local citations = turn and turn.result and turn.result.citations or {}
  local number = cited_number(text, at[2])
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
  local hit = source_here(answer)
  if hit then
    locate.open(answer.client, hit)
  else
    notify.info('there is no source on this line')
  end
end

local function go_to_file(answer)
  if source_here(answer) then
    return jump(answer)
  end
  local root, name = answer.client.config.root_dir, vim.fn.expand('<cfile>'):gsub('^file://', '')
  local path = vim.fn.resolve(name:sub(1, 1) == '/' and name or root .. '/' .. name)
  if root and path:sub(1, #root + 1) ~= root .. '/' then
    return notify.info(('%s is outside of the project; an answer does not lead there'):format(name))
  end
  local ok, err = pcall(vim.cmd, 'normal! gf')
  if not ok then
    notify.error((tostring(err):gsub('^.*(E%d+:)', '%1')))
  end
end

---Moves to the next line with a source, or the one before.
local function to_source(answer, step)
  local sources, row = pages[answer.buf].sources, vim.api.nvim_win_get_cursor(0)[1]
  local last = vim.api.nvim_buf_line_count(0)
  for at = row + step, step > 0 and last or 1, step do
    if sources[at] then
      return vim.api.nvim_win_set_cursor(0, { at, 0 })
    end
  end
end

---The changes that an answer proposes, nil where it proposes none, which is said.
local function changes_of(turn)
  local changes = turn.result and turn.result.changes or {}
  if #changes > 0 then
    return changes
  end
  notify.info('this answer proposes no change; ask for one with :Aurora change')
end

---The keys of the window, which `g?` shows and the help lists: key, what it does, how.
M.keys = {
  { '<CR>', 'go to the source on this line', jump },
  { 'gf', 'the same; on another file name, go to that file', go_to_file },
  { '<Tab>', 'to the next source', function(answer)
    to_source(answer, 1)
  end },
  { '<S-Tab>', 'to the source before', function(answer)
    to_source(answer, -1)
  end },
  { 's', 'put the sources into the quickfix list', function(_, acts, turn)
    acts.sources(turn)
  end },
  { 'a', 'make the proposed changes in their buffers, unsaved', function(_, _, turn)
    local changes = changes_of(turn)
    if changes then
      require('aurora.change').make(changes)
    end
  end },
  { 'd', 'show the file of the proposed change on this line beside it: |do| makes one place', function(answer, _, turn)
    local changes = changes_of(turn)
    if changes then
      require('aurora.change').diff(pages[answer.buf].changes[vim.api.nvim_win_get_cursor(0)[1]] or changes[1])
    end
  end },
  { 'i', 'ask on, in the same window', function(_, acts)
    acts.follow_up()
  end },
  { 'r', 'ask again, deeper: all phases, verified more strictly each time; needs a model', function(_, acts, turn)
    acts.deeper(turn)
  end },
  { '+', 'this was a good answer', function(_, acts, turn)
    acts.rate(turn, 'good')
  end },
  { '-', 'this was a bad answer', function(_, acts, turn)
    acts.rate(turn, 'bad')
  end },
  { '<C-c>', 'cancel a question that is not answered yet', function(_, acts)
    acts.cancel()
  end },
  { 'g?', 'show these keys', function()
    M.show_keys()
  end },
}

function M.show_keys()
  local lines = {}
  for _, key in ipairs(M.keys) do
    lines[#lines + 1] = ('%-8s %s'):format(key[1], key[2])
  end
  lines[#lines + 1] = ('%-8s %s'):format('za', 'open or close the fold: what a phase told on its way')
  lines[#lines + 1] = ('%-8s %s'):format('q', 'close the window, and cancel')
  vim.lsp.util.open_floating_preview(lines, '', { border = 'rounded', focus_id = 'aurora.keys' })
end

local function turn_here(answer)
  return pages[answer.buf].turns[vim.api.nvim_win_get_cursor(0)[1]] or answer.turns[#answer.turns]
end

---Opens the window. acts are the functions that the keys call: cancel, follow_up, deeper, rate, sources, and gone when
---the window is closed.
---@param answer aurora.Answer gets its buffer
---@param acts table<string, function>
function M.open(answer, acts)
  answer.buf = scratch.open({ name = 'query', lines = {}, filetype = 'markdown', client = answer.client })
  pages[answer.buf] = render.page(answer.turns)
  for _, key in ipairs(M.keys) do
    vim.keymap.set('n', key[1], function()
      key[3](answer, acts, turn_here(answer))
    end, { buffer = answer.buf, desc = 'Aurora: ' .. key[2] })
  end
  vim.api.nvim_create_autocmd('BufWipeout', {
    buffer = answer.buf,
    callback = function()
      acts.gone()
      pages[answer.buf] = nil
    end,
  })
  vim.opt_local.wrap = true
  vim.opt_local.linebreak = true
  set_folds()
end

---Puts the cursor on the heading of a question.
---@param answer aurora.Answer
---@param turn aurora.Turn
function M.go_to(answer, turn)
  local win = vim.fn.bufwinid(answer.buf)
  for row = 1, #pages[answer.buf].lines do
    if win ~= -1 and pages[answer.buf].turns[row] == turn then
      vim.api.nvim_win_set_cursor(win, { row, 0 })
      vim.api.nvim_win_call(win, function()
        vim.cmd('normal! zt')
      end)
      return
    end
  end
end

return M
