-- One sidecar per project: finding, starting, stopping and asking it.
local compat = require('aurora.compat')
local config = require('aurora.config')
local notify = require('aurora.notify')
local root = require('aurora.root')

local M = {}

local NAME = 'aurora'
-- How long a sidecar may take to shut down before it is killed.
local STOP_TIMEOUT_MS = 3000

-- By client id, for the clients that run or start: {root, ready, waiting = function[], stopping}.
local running = {}
-- By client id: ended, though Neovim may list it for a moment more.
local ended = {}
-- By root: the sidecar ended by itself, so files no longer start it.
local crashed = {}
-- :Aurora stop, until :Aurora start.
local stopped = false

-- The version of the protocol that this plugin speaks.
local PROTOCOL = 1

local function missing(cmd)
  return vim.fn.executable(cmd[1]) == 0
end

local function missing_message(cmd)
  if cmd[1]:find('/', 1, true) and vim.fn.filereadable(cmd[1]) == 1 then
    return ("'%s' is not executable: chmod +x (:checkhealth aurora)"):format(cmd[1])
  end
  return ("'%s' is not installed or not on PATH (:checkhealth aurora)"):format(cmd[1])
end

---True when vim.lsp.enable('aurora') does the starting.
function M.enabled_natively()
  if vim.lsp.is_enabled then
    return vim.lsp.is_enabled(NAME)
  end
  return vim.lsp._enabled_configs ~= nil and vim.lsp._enabled_configs[NAME] ~= nil
end

local function capabilities(options)
  local caps = vim.lsp.protocol.make_client_capabilities()
  if caps.general and caps.general.positionEncodings then
    -- A buffer that two servers count differently makes Neovim warn; utf-16 is what all servers speak.
    caps.general.positionEncodings = { 'utf-16' }
  end
  return vim.tbl_deep_extend('force', caps, options.capabilities)
end

local function init_options(options)
  return vim.tbl_deep_extend('force', vim.deepcopy(options.settings), {
    aurora = { client = { ask = true, progress = true, status = true, editNote = true } },
  })
end

---What is wrong with a server that answers, or nil: that it is another one, or of another time.
local function mismatch(result)
  local experimental = (result.capabilities or {}).experimental
  local announced = type(experimental) == 'table' and experimental.aurora
  if type(announced) ~= 'table' then
    local info = result.serverInfo or {}
    return ('%s is not AURORA: correct cmd in vim.g.aurora'):format(info.name or 'the program')
  end
  if announced.protocol ~= PROTOCOL then
    local newer = (announced.protocol or 0) > PROTOCOL
    return ('the program speaks version %s of the protocol, this plugin version %d: update the %s'):format(
      announced.protocol, PROTOCOL, newer and 'plugin' or 'program')
  end
end

---Ends a client that is of no use, tells why, and starts no other for its project by itself.
local function give_up(id, reason)
  local entry = running[id]
  entry.stopping, entry.waiting = true, {}
  if entry.root then
    crashed[entry.root] = true
  end
  notify.error(reason)
  local client = vim.lsp.get_client_by_id(id)
  if client then
    compat.call(client, 'stop', true)
  else
    vim.lsp.stop_client(id, true) -- one that has not answered yet, before 0.11
  end
end

local function on_init(client, result)
  local entry = running[client.id] or { root = client.config.root_dir, waiting = {} }
  running[client.id] = entry
  local problem = mismatch(result or {})
  if problem then
    return vim.schedule(function() -- Neovim can't end a client from here
      if running[client.id] then
        give_up(client.id, problem)
      end
    end)
  end
  entry.ready = true
  notify.forget('crash ' .. tostring(entry.root))
  require('aurora.status').changed(client.id)
  for _, continue in ipairs(entry.waiting) do
    continue(client)
  end
  entry.waiting = {}
end

local function crash_message(code, signal)
  local how = signal ~= 0 and ('signal %d'):format(signal) or ('exit status %d'):format(code)
  return ('the sidecar ended unexpectedly (%s); :Aurora restart starts it again, :Aurora log says more'):format(how)
end

local function on_exit(code, signal, client_id)
  local entry = running[client_id]
  running[client_id] = nil
  ended[client_id] = true
  require('aurora.status').gone(client_id)
  require('aurora.answer').gone(client_id)
  if not entry then
    return
  end
  if not entry.stopping then
    if entry.root then
      crashed[entry.root] = true
    end
    if vim.v.exiting == vim.NIL then
      notify.once('crash ' .. tostring(entry.root), crash_message(code, signal))
    end
  end
  if entry.after_exit then
    entry.after_exit()
  end
end

---Neovim requires a language id; a file without a filetype is plain text.
local function language_id(_, filetype)
  return filetype ~= '' and filetype or 'plaintext'
end

local function handlers()
  local all = vim.tbl_extend('error', require('aurora.status').handlers(), require('aurora.agents').handlers())
  if vim.fn.has('nvim-0.11') == 0 then
    all['textDocument/hover'] = require('aurora.hover').handler
  end
  return all
end

---The client configuration without its root; what lsp/aurora.lua returns.
---@return table
function M.lsp_config()
  local options = config.get()
  local filetypes = next(options.filetypes) and options.filetypes or nil
  return {
    name = NAME,
    cmd = options.cmd,
    filetypes = filetypes,
    capabilities = capabilities(options),
    init_options = init_options(options),
    get_language_id = language_id,
    handlers = handlers(),
    commands = require('aurora.actions').commands,
    on_init = on_init,
    -- Neovim calls it from its event loop, where little is allowed.
    on_exit = vim.schedule_wrap(on_exit),
    root_dir = function(buf, found)
      local dir = M.root_of(buf)
      if dir then
        found(dir)
      end
    end,
  }
end

---True when the buffer is a file that the sidecar may see.
local function eligible(buf, options)
  if not vim.api.nvim_buf_is_loaded(buf) or vim.bo[buf].buftype ~= '' then
    return false
  end
  local name = vim.api.nvim_buf_get_name(buf)
  if name == '' or name:match('^%a[%w+.-]+:') then
    return false -- no name, or a URI such as fugitive://
  end
  if next(options.filetypes) and not vim.tbl_contains(options.filetypes, vim.bo[buf].filetype) then
    return false
  end
  local lines = vim.api.nvim_buf_line_count(buf)
  return vim.api.nvim_buf_get_offset(buf, lines) <= options.max_file_bytes
end

---The project of a buffer that the sidecar may serve now, else nil. Says so once when the binary is missing.
---@return string|nil
function M.root_of(buf)
  local options = config.get()
  if not options.enabled or stopped or not eligible(buf, options) then
    return nil
  end
  local dir = root.of_file(vim.api.nvim_buf_get_name(buf), options.root_markers)
  if not dir or crashed[dir] then
    return nil
  end
  if missing(options.cmd) then
    notify.once('missing', missing_message(options.cmd))
    return nil
  end
  return dir
end

---The id of the client that serves or will serve dir.
local function serving(dir)
  for _, client in ipairs(compat.clients({ name = NAME, _uninitialized = true })) do
    if not running[client.id] and not ended[client.id] and client.config.root_dir == dir then
      running[client.id] = { root = dir, waiting = {} } -- vim.lsp.enable started it a moment ago
    end
  end
  for id, entry in pairs(running) do
    if entry.root == dir and not entry.stopping then
      return id
    end
  end
end

---@return integer|nil client id
local function start(dir)
  local client_config
  if M.enabled_natively() then
    client_config = vim.deepcopy(vim.lsp.config[NAME])
  else
    client_config = M.lsp_config()
  end
  client_config.root_dir = dir
  client_config.workspace_folders = { { uri = vim.uri_from_fname(dir), name = vim.fn.fnamemodify(dir, ':t') } }
  local id = compat.start(client_config)
  if id then
    crashed[dir] = nil
    running[id] = running[id] or { root = dir, waiting = {} }
    require('aurora.status').changed(id)
    local seconds = config.get().start_timeout_seconds
    vim.defer_fn(function()
      if running[id] and not running[id].ready and not running[id].stopping then
        give_up(id, ('the program did not answer within %d s; :Aurora start tries again, :Aurora log says more'):format(seconds))
      end
    end, seconds * 1000)
  end
  return id
end

---Attaches the sidecar of the buffer's project to the buffer, starting it when needed. Does nothing for buffers that
---are no files of a project.
---@param buf integer
function M.attach(buf)
  if not vim.api.nvim_buf_is_valid(buf) then
    return
  end
  local native = M.enabled_natively()
  if native and vim.bo[buf].filetype ~= '' then
    return
  end
  local dir = M.root_of(buf)
  if not dir then
    return
  end
  local id = serving(dir) or start(dir)
  if id and not vim.lsp.buf_is_attached(buf, id) then
    vim.lsp.buf_attach_client(buf, id)
  end
end

---@return table[] the sidecars that answer, oldest first
function M.all()
  local found = compat.clients({ name = NAME })
  table.sort(found, function(a, b)
    return a.id < b.id
  end)
  return found
end

---True for every sidecar that runs or starts.
function M.exists(client_id)
  return running[client_id] ~= nil
end

---True when the sidecar has answered initialize.
function M.ready(client_id)
  return running[client_id] ~= nil and running[client_id].ready == true
end

---True when a sidecar ended by itself and was not started again.
function M.any_crashed()
  return next(crashed) ~= nil
end

---The running or starting client that answers for a buffer, else nil.
---@return integer|nil
function M.id_for(buf)
  local from = vim.b[buf].aurora_client -- our own result buffers name theirs
  if from and running[from] then
    return from
  end
  local attached = compat.clients({ bufnr = buf, name = NAME })[1]
  if attached then
    return attached.id
  end
  local options = config.get()
  local name = vim.api.nvim_buf_get_name(buf)
  local dir = vim.bo[buf].buftype == '' and name ~= '' and root.of_file(name, options.root_markers)
  return serving(dir or root.of_cwd(options.root_markers))
end

---Where a command given in buf should start a sidecar, else nil.
local function root_for_command(buf)
  local options = config.get()
  local name = vim.api.nvim_buf_get_name(buf)
  local of_file = eligible(buf, options) and root.of_file(name, options.root_markers)
  return of_file or root.of_cwd(options.root_markers)
end

---Calls continue(client) as soon as a sidecar answers for the buffer, starting one when there is none. When none can
---be had, the user is told why.
---@param buf integer
---@param continue fun(client: table)
function M.with(buf, continue)
  local id = M.id_for(buf)
  if not id then
    local options = config.get()
    if missing(options.cmd) then
      return notify.error(missing_message(options.cmd))
    end
    local dir = root_for_command(buf)
    if not dir then
      return notify.error('there is no project here; open a file of one or :cd into it')
    end
    id = start(dir)
    if not id then
      return notify.error(('could not start %s (:checkhealth aurora)'):format(table.concat(options.cmd, ' ')))
    end
    if eligible(buf, options) then
      vim.lsp.buf_attach_client(buf, id)
    end
  end
  local client = M.ready(id) and vim.lsp.get_client_by_id(id)
  if client then
    return continue(client)
  end
  table.insert(running[id].waiting, continue)
end

local function attach_all()
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    M.attach(buf)
  end
end

---Starts the sidecar for every open file of a project, and for buf's folder in any case.
---@param buf integer
function M.start(buf)
  stopped = false
  crashed = {}
  attach_all()
  M.with(buf, function(client)
    notify.info('serves ' .. client.config.root_dir)
  end)
end

local function stop(client)
  running[client.id].stopping = true
  compat.call(client, 'stop')
  vim.defer_fn(function()
    if running[client.id] then
      compat.call(client, 'stop', true)
    end
  end, STOP_TIMEOUT_MS)
end

---Stops every sidecar; files no longer start one until :Aurora start.
---@return integer how many were stopped
function M.stop()
  stopped = true
  local count = 0
  for _, entry in pairs(running) do
    count = count + 1
    if not entry.ready then -- Neovim can't stop a client that still waits for its first answer
      table.insert(entry.waiting, function(client)
        vim.schedule(function()
          if stopped and running[client.id] then
            stop(client)
          end
        end)
      end)
    end
  end
  for _, client in ipairs(M.all()) do
    if running[client.id] and running[client.id].ready then
      stop(client)
    end
  end
  return count
end

---Whether no sidecar runs, nor is one starting or ending.
function M.idle()
  return next(running) == nil
end

---Stops every sidecar and starts them again; also the way out after a crash.
---@param buf integer
function M.restart(buf)
  local clients = M.all()
  local left = #clients
  if left == 0 then
    return M.start(buf)
  end
  stopped = true -- no file starts the old one's successor while it still holds the index
  for _, client in ipairs(clients) do
    running[client.id].after_exit = function()
      left = left - 1
      if left == 0 then
        M.start(buf)
      end
    end
    stop(client)
  end
end

local LOOK_AGAIN_MS = 60000
local looked = -LOOK_AGAIN_MS

---Has every sidecar list the files again, at most once a minute: a listing costs a moment of the machine's time.
function M.look_again()
  local now = vim.loop.now()
  if now - looked < LOOK_AGAIN_MS then
    return
  end
  looked = now
  local function ignore() end -- what is missed now is found by the next listing
  for _, client in ipairs(M.all()) do
    if M.ready(client.id) then
      M.request(client, 'aurora/refresh', { paths = {} }, vim.api.nvim_get_current_buf(), ignore, ignore)
    end
  end
end

---Sends a request. on_result gets the result; an error is shown to the user unless on_error takes it.
---@param client table
---@param method string
---@param params table
---@param buf integer whose unsaved text is sent before the request
---@param on_result fun(result: table)
---@param on_error fun(err: table)|nil
---@return fun() cancel after it neither callback is called
function M.request(client, method, params, buf, on_result, on_error)
  local cancelled = false
  local function on_response(err, result)
    if cancelled then
      return
    end
    if err then
      return (on_error or notify.response_error)(err)
    end
    on_result(result or {})
  end
  local ok, id = compat.call(client, 'request', method, params, on_response, buf)
  if not ok then
    on_response({
      message = 'the sidecar no longer answers',
      data = { remedy = ':Aurora restart starts it again' },
    })
  end
  return function()
    if ok and not cancelled then
      cancelled = true
      compat.call(client, 'cancel_request', id)
    end
  end
end

return M
