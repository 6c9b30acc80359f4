-- What the sidecars are doing: for the statusline, the status window, and User AuroraStatus.
local client_of = require('aurora.client')

local M = {}

-- By client id: {status = aurora/status fields, progress = token to {title, message, percentage}}.
local known = {}

local function of(client_id)
  known[client_id] = known[client_id] or { status = {}, progress = {} }
  return known[client_id]
end

---Tells statuslines and the user's autocommands that something changed.
function M.changed()
  vim.schedule(function()
    vim.api.nvim_exec_autocmds('User', { pattern = 'AuroraStatus', modeline = false })
    vim.cmd('redrawstatus!')
  end)
end

---Forgets a sidecar that ended.
function M.gone(client_id)
  known[client_id] = nil
  require('aurora.decisions').gone()
  M.changed()
end

local function on_progress(err, params, ctx, more)
  local value = params.value
  local progress = of(ctx.client_id).progress
  if type(value) == 'table' and value.kind == 'end' then
    progress[params.token] = nil
  elseif type(value) == 'table' and value.kind then
    progress[params.token] = vim.tbl_extend('force', progress[params.token] or {}, value)
  end
  M.changed()
  -- The editor's own handler feeds vim.lsp.status() and the plugins that draw progress.
  local default = vim.lsp.handlers['$/progress']
  if default then
    return default(err, params, ctx, more)
  end
end

---The handlers of the messages that only this server sends.
---@return table<string, function>
function M.handlers()
  return {
    ['$/progress'] = on_progress,
    ['aurora/didChangeStatus'] = function(_, params, ctx)
      local state = of(ctx.client_id)
      state.status = vim.tbl_extend('force', state.status, params or {})
      M.changed()
      if params and (params.memory or params.state) then -- another note, or code that is known now
        vim.schedule(require('aurora.decisions').update_all)
      end
    end,
    ['aurora/progress'] = function(_, params, ctx)
      require('aurora.answer').on_progress(ctx.client_id, params or {})
    end,
  }
end

---@return table|nil the fields of aurora/status that the sidecar reported by itself
function M.of_client(client_id)
  return known[client_id] and known[client_id].status
end

local function percent_of_files(status)
  local files = status.files or {}
  if (files.total or 0) > 0 then
    return math.min(100, math.floor(100 * (files.indexed or 0) / files.total))
  end
end

---The title and percentage of a work-done progress that runs, if any.
local function running_progress(state)
  local _, progress = next(state.progress)
  if progress then
    local title = (progress.title or 'working'):gsub('^[Aa]urora:?%s*', '')
    return title:lower(), progress.percentage
  end
end

---@return string what the sidecar does, '' when it waits
local function activity(client_id)
  if not client_of.ready(client_id) then
    return 'starting'
  end
  if require('aurora.answer').running(client_id) > 0 then
    return 'asking'
  end
  local state = of(client_id)
  local title, percentage = running_progress(state)
  local reported = state.status.state or 'starting' -- the first report comes soon after the answer to initialize
  if not title and (reported == 'indexing' or reported == 'starting') then
    title = reported
  end
  if title then
    percentage = percentage or (title == 'indexing' and percent_of_files(state.status)) or nil
    return percentage and ('%s %d%%'):format(title, percentage) or title
  end
  return state.status.state == 'degraded' and 'degraded' or ''
end

---@return string
function M.statusline()
  local id = client_of.id_for(vim.api.nvim_get_current_buf())
  if not id then
    return client_of.any_crashed() and 'aurora: stopped' or ''
  end
  local doing = activity(id)
  return doing == '' and 'aurora' or 'aurora: ' .. doing
end

---Asks the sidecar of buf how it is and shows it in a floating window.
---@param buf integer
function M.show(buf)
  client_of.with(buf, function(client)
    client_of.request(client, 'aurora/status', vim.empty_dict(), buf, function(result)
      local lines = require('aurora.status_text').lines(result, client)
      local _, win = vim.lsp.util.open_floating_preview(lines, '', { border = 'rounded', focus_id = 'aurora.status' })
      if win and vim.api.nvim_win_is_valid(win) then
        vim.wo[win].linebreak, vim.wo[win].breakindent, vim.wo[win].breakindentopt = true, true, 'shift:13'
      end
    end)
  end)
end

return M
