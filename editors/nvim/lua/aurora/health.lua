-- :checkhealth aurora
local client_of = require('aurora.client')
local config = require('aurora.config')

local M = {}

local health = vim.health or require('health')
local start = health.start or health.report_start
local ok = health.ok or health.report_ok
local info = health.info or health.report_info
local warn = health.warn or health.report_warn
local fail = health.error or health.report_error

local STATUS_TIMEOUT_MS = 2000

local function first_line(text)
  return vim.trim(text:match('[^\r\n]*') or '')
end

local function check_options()
  start('aurora: options')
  local problems = config.problems()
  for _, sentence in ipairs(problems) do
    fail(sentence, { ':help aurora-options' })
  end
  if #problems == 0 then
    ok('vim.g.aurora is fine')
  end
  if not config.get().enabled then
    info('enabled is false: nothing starts by itself, :Aurora start does')
  end
end

local function check_binary()
  start('aurora: the program')
  local cmd = config.get().cmd
  local path = vim.fn.exepath(cmd[1])
  if path == '' then
    fail(("'%s' is not installed or not on PATH"):format(cmd[1]), {
      'go install github.com/aurora-sidecar/aurora/cmd/aurora@latest',
      "or name it: vim.g.aurora = { cmd = { '/path/to/aurora', 'serve' } }",
    })
    return
  end
  ok('found ' .. path)
  if cmd[2] ~= 'serve' then
    return info('started through another program: ' .. table.concat(cmd, ' '))
  end
  local version = vim.fn.system({ path, 'version' })
  if vim.v.shell_error ~= 0 then
    fail(("'%s version' failed: %s"):format(path, first_line(version)), { 'reinstall it' })
  else
    ok(first_line(version))
  end
end

local function check_git()
  start('aurora: git')
  if vim.fn.executable('git') == 0 then
    return warn('git is not on PATH: no history, no age, ignore rules are read all the same', { 'install git' })
  end
  ok(first_line(vim.fn.system({ 'git', '--version' })))
end

---Asks a sidecar how it is, waiting for at most STATUS_TIMEOUT_MS.
local function ask_status(client)
  local status, failure
  client_of.request(client, 'aurora/status', vim.empty_dict(), 0, function(result)
    status = result
  end, function(err)
    failure = err
  end)
  vim.wait(STATUS_TIMEOUT_MS, function()
    return status ~= nil or failure ~= nil
  end, 10)
  return status, failure
end

local function check_client(client)
  local where = client.config.root_dir or '(no folder)'
  local status, failure = ask_status(client)
  if failure then
    return fail(('%s: %s'):format(where, failure.message), { ':Aurora restart', ':Aurora log' })
  end
  if not status then
    return fail(('%s does not answer'):format(where), { ':Aurora restart', ':Aurora log' })
  end
  local files = status.files or {}
  local text = ('%s: %s, %d of %d files indexed'):format(where, status.state or '?', files.indexed or 0, files.total or 0)
  if status.state == 'degraded' then
    warn(text)
  else
    ok(text)
  end
  for _, warning in ipairs(status.warnings or {}) do
    warn(tostring(warning))
  end
end

local function check_picker()
  start('aurora: picker')
  local name = require('aurora.picker').chosen()
  local select = 'vim.ui.select(); telescope, snacks or fzf-lua search while you type'
  info('hits are shown by ' .. (name == 'select' and select or name))
end

local function check_clients()
  start('aurora: running sidecars')
  if client_of.enabled_natively() then
    info("started by vim.lsp.enable('aurora'); files without a filetype are attached by the plugin")
  end
  local clients = client_of.all()
  for _, client in ipairs(clients) do
    check_client(client)
  end
  if #clients > 0 then
    return
  end
  if client_of.any_crashed() then
    fail('the sidecar ended unexpectedly', { ':Aurora restart', ':Aurora log' })
  else
    info('none: open a file of a project (a folder with .git, go.mod, package.json ...)')
  end
end

function M.check()
  check_options()
  check_binary()
  check_git()
  check_picker()
  check_clients()
  start('aurora: log')
  info(require('aurora.log').path() or ('none yet: ' .. table.concat(require('aurora.log').candidates(), ', ')))
end

return M
