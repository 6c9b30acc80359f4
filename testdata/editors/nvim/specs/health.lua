local function check()
  vim.cmd('checkhealth aurora')
  local text = T.text()
  vim.cmd('bwipeout!')
  return text
end

T.test(':checkhealth names the program, git and the running sidecar', function()
  T.project('internal/basket/basket.go')
  local text = check()
  T.match('vim%.g%.aurora is fine', text)
  T.match('git version', text)
  T.match('hits are shown by vim%.ui%.select', text)
  T.match('ready, %d+ of %d+ files indexed', text)
end)

T.test('bad options are named', function()
  vim.g.aurora = { cmd = T.cmd, enabled = 'yes', colour = 'red' }
  local text = check()
  vim.g.aurora = { cmd = T.cmd }
  T.match('enabled must be a boolean', text)
  T.match('colour is not an option', text)
end)

T.test('a missing program is an error with a way out', function()
  vim.g.aurora = { cmd = { 'aurora-that-is-not-there', 'serve' } }
  local text = check()
  vim.g.aurora = { cmd = T.cmd }
  T.match("'aurora%-that%-is%-not%-there' is not installed", text)
  T.match('go install', text)
end)

T.test('the program found on PATH tells its version', function()
  vim.g.aurora = { cmd = { os.getenv('AURORA_BIN'), 'serve' } }
  local text = check()
  vim.g.aurora = { cmd = T.cmd }
  T.match('found ', text)
  T.ok(not text:find('version. failed'), text)
end)

T.test(':help aurora is there', function()
  -- The plugin's folder may not be writable: the tags are made in a copy.
  local doc = vim.api.nvim_get_runtime_file('doc/aurora.txt', false)[1]
  local copy = vim.fn.tempname()
  vim.fn.mkdir(copy .. '/doc', 'p')
  vim.fn.writefile(vim.fn.readfile(doc), copy .. '/doc/aurora.txt')
  vim.cmd('helptags ' .. copy .. '/doc')
  vim.opt.runtimepath:append(copy)
  for _, tag in ipairs({ 'aurora', ':Aurora', 'aurora-options', 'aurora.statusline()', 'aurora-keys', 'aurora-maps',
    'aurora-pickers' }) do
    vim.cmd('help ' .. tag)
    T.eq('help', vim.bo.buftype)
    T.match('aurora%.txt$', vim.api.nvim_buf_get_name(0))
    vim.cmd('helpclose')
  end
end)

T.test('the help is made from the tables that the plugin uses', function()
  local doc = vim.api.nvim_get_runtime_file('doc/aurora.txt', false)[1]
  local made = vim.fn.tempname() .. '.txt'
  local script = vim.fn.fnamemodify(doc, ':h:h') .. '/scripts/doc.lua'
  vim.fn.system({ vim.v.progpath, '--clean', '--headless', '-u', 'NONE', '-c', 'luafile ' .. script, '--', made })
  T.eq(0, vim.v.shell_error)
  T.eq(table.concat(vim.fn.readfile(doc), '\n'), table.concat(vim.fn.readfile(made), '\n'))
end)

T.test('the help knows every command and every option, and no other', function()
  local reference = require('aurora.reference')
  local function names(list, field)
    local found = {}
    for _, entry in ipairs(list) do
      found[entry[field]] = true
    end
    return found
  end
  local function keys(map)
    local found = {}
    for key in pairs(map) do
      found[key] = true
    end
    return found
  end
  T.eq(keys(require('aurora.commands').subcommands), names(reference.commands, 'name'))
  T.eq(keys(require('aurora.config').defaults), names(reference.options, 1))
end)
