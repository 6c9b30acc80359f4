-- :Aurora and its subcommands.
local client_of = require('aurora.client')
local notify = require('aurora.notify')
local position = require('aurora.position')

local M = {}

---Whether a buffer is a file, and no list, terminal or answer.
local function is_file(buf)
  return vim.bo[buf].buftype == '' and vim.api.nvim_buf_get_name(buf) ~= ''
end

---The buffer's document and selection, for requests about code.
local function selection(client, opts)
  local buf = vim.api.nvim_get_current_buf()
  if not is_file(buf) then
    return {}
  end
  local params = { textDocument = position.document(buf) }
  if opts.range > 0 then
    params.range = position.of_command(buf, opts, client.offset_encoding)
  else
    local cursor = position.cursor(0, client.offset_encoding)
    params.range = { start = cursor, ['end'] = cursor }
  end
  return params
end

---Runs act with the sidecar of the current buffer.
local function with(act)
  local buf = vim.api.nvim_get_current_buf()
  client_of.with(buf, function(client)
    act(client, buf)
  end)
end

---True when words is not empty; else tells how the command is used.
local function given(words, usage)
  if words == '' then
    notify.warn('usage: ' .. usage)
  end
  return words ~= ''
end

local function search(words, opts)
  local buf = vim.api.nvim_get_current_buf()
  if words ~= '' then
    require('aurora.search').run(buf, words, opts.bang)
  elseif not opts.bang then
    require('aurora.search').live(buf, '')
  else
    notify.warn('usage: :Aurora! search words or identifiers')
  end
end

local function query(words, opts)
  if not given(words, ':Aurora query your question') then
    return
  end
  with(function(client, buf)
    local params = opts.range > 0 and selection(client, opts) or {}
    params.query = words
    require('aurora.answer').ask(client, params, buf)
  end)
end

local function change(words, opts)
  if not given(words, ':Aurora change what is to be changed') then
    return
  end
  with(function(client, buf)
    local params = opts.range > 0 and selection(client, opts) or {}
    params.query, params.changes = words, true
    require('aurora.answer').ask(client, params, buf)
  end)
end

local function context(words, opts)
  with(function(client, buf)
    local params = (words == '' or opts.range > 0) and selection(client, opts) or {}
    if words ~= '' then
      params.query = words
    end
    if not params.query and not params.textDocument then
      return notify.warn('usage: :Aurora context words, or in a file of the project')
    end
    require('aurora.context').request(client, params, buf)
  end)
end

local function related(words)
  local direction = words ~= '' and words or 'callers'
  if not vim.tbl_contains(require('aurora.related').directions, direction) then
    return notify.warn(('%s is none of %s'):format(direction, table.concat(require('aurora.related').directions, ', ')))
  end
  if not is_file(vim.api.nvim_get_current_buf()) then
    return notify.warn('usage: :Aurora related, on a name in a file of the project')
  end
  with(function(client, buf)
    require('aurora.related').request(client, {
      textDocument = position.document(buf),
      position = position.cursor(0, client.offset_encoding),
      direction = direction,
    }, buf)
  end)
end

local function why(_, opts)
  if not is_file(vim.api.nvim_get_current_buf()) then
    return notify.warn('usage: :Aurora why, on a line in a file of the project')
  end
  with(function(client, buf)
    require('aurora.why').request(client, {
      textDocument = position.document(buf),
      line = opts.line1,
      endLine = opts.line2,
    }, buf)
  end)
end

---path:line of the place a note is about, nil outside the project.
local function source_ref(client, buf, line)
  local root = client.config.root_dir
  local name = vim.api.nvim_buf_get_name(buf)
  if vim.bo[buf].buftype ~= '' or not root or name:sub(1, #root + 1) ~= root .. '/' then
    return nil
  end
  return ('%s:%d'):format(name:sub(#root + 2), line)
end

local function remember(words, opts)
  with(function(client, buf)
    local params = { content = words, shared = opts.bang or nil }
    local line = vim.api.nvim_win_get_cursor(0)[1]
    if opts.range > 0 then
      line = opts.line1
      local range = position.of_command(buf, opts, client.offset_encoding)
      local text = position.text(buf, range, client.offset_encoding)
      params.content = words == '' and text or ('%s\n\n%s'):format(words, text)
    end
    params.sourceRef = source_ref(client, buf, line)
    require('aurora.remember').ask(client, params, buf)
  end)
end

local function refresh(words, opts)
  with(function(client, buf)
    local paths = words ~= '' and vim.split(words, '%s+') or {}
    paths = vim.tbl_map(function(path)
      return vim.fn.fnamemodify(vim.fn.expand(path), ':p')
    end, paths)
    local params = { paths = paths, force = opts.bang }
    client_of.request(client, 'aurora/refresh', params, buf, function(result)
      notify.info(('%d files will be read again'):format(result.filesQueued or 0))
    end)
  end)
end

local function stop()
  local count = client_of.stop()
  notify.info(count == 0 and 'no sidecar was running' or ':Aurora start starts the sidecar again')
end

local function cancel()
  local count = require('aurora.answer').cancel_all()
  local what = count == 1 and 'question' or 'questions'
  notify.info(count == 0 and 'no question is running' or ('%d %s cancelled'):format(count, what))
end

---The name of a module's function, which is loaded when it is first needed.
local function later(module, name)
  return function(...)
    return require('aurora.' .. module)[name](...)
  end
end

local function of_buffer(module, name)
  return function()
    require('aurora.' .. module)[name](vim.api.nvim_get_current_buf())
  end
end

-- By name: impl(words, opts), and what completes its argument. What each does is said in reference.lua.
M.subcommands = {
  search = { impl = search },
  query = { impl = query },
  change = { impl = change },
  cancel = { impl = cancel },
  context = { impl = context },
  related = {
    impl = related,
    complete = function()
      return require('aurora.related').directions
    end,
  },
  why = { impl = why },
  review = {
    impl = function(words, opts)
      with(function(client, buf)
        require('aurora.review').request(client, words, buf, opts.bang)
      end)
    end,
    complete = function()
      return { 'staged' }
    end,
  },
  remember = { impl = remember },
  forget = {
    impl = function(words)
      with(function(client, buf)
        require('aurora.forget').forget(client, buf, words)
      end)
    end,
  },
  restore = {
    impl = function(_, opts)
      with(function(client, buf)
        require('aurora.forget').restore(client, buf, opts.bang)
      end)
    end,
  },
  memory = {
    impl = function()
      with(function(client, buf)
        require('aurora.memory').review(client, buf)
      end)
    end,
  },
  capture = {
    impl = function(words, opts)
      with(function(client, buf)
        if words == 'never' then
          require('aurora.capture').never(client, buf)
        elseif words == '' or words == 'comments' then
          require('aurora.capture').pick(client, buf, opts.bang, words == 'comments')
        else
          notify.warn('usage: :Aurora capture[!] [comments|never]')
        end
      end)
    end,
    complete = function()
      return { 'comments', 'never' }
    end,
  },
  deeper = {
    impl = function()
      require('aurora.answer').deeper()
    end,
  },
  rate = {
    impl = later('used', 'rate'),
    complete = function()
      return require('aurora.used').ratings
    end,
  },
  trust = {
    impl = function(_, opts)
      with(function(client, buf)
        require('aurora.agents').trust(client, buf, opts.bang)
      end)
    end,
  },
  sources = {
    impl = function()
      require('aurora.answer').sources_to_quickfix()
    end,
  },
  status = { impl = of_buffer('status', 'show') },
  refresh = {
    impl = refresh,
    complete = function(lead)
      return vim.fn.getcompletion(lead, 'file')
    end,
  },
  log = { impl = later('log', 'open') },
  start = { impl = of_buffer('client', 'start') },
  stop = { impl = stop },
  restart = { impl = of_buffer('client', 'restart') },
}

local function names()
  local all = vim.tbl_keys(M.subcommands)
  table.sort(all)
  return all
end

---@param opts table what a user command gets
function M.run(opts)
  local name, words = opts.args:match('^%s*(%S*)%s*(.-)%s*$')
  local subcommand = M.subcommands[name == '' and 'status' or name]
  if not subcommand then
    return notify.warn(('%s is not a command of :Aurora; there are %s'):format(name, table.concat(names(), ', ')))
  end
  subcommand.impl(words, opts)
end

---Completes the subcommand, then its argument.
---@param lead string what is completed, up to the cursor
---@param line string the whole command line
---@param cursor integer|nil bytes of it that are before the cursor
---@return string[]
function M.complete(lead, line, cursor)
  -- Before the words stands the command, which may be abbreviated, after a range or a modifier such as :silent.
  local before = line:sub(1, cursor or #line):match('Au?r?o?r?a?!?%s+(.*)$') or ''
  local name = before:match('^(%S+)%s')
  local candidates = names()
  if name then
    local subcommand = M.subcommands[name]
    candidates = subcommand and subcommand.complete and subcommand.complete(lead) or {}
  end
  return vim.tbl_filter(function(candidate)
    return candidate:sub(1, #lead) == lead
  end, candidates)
end

return M
