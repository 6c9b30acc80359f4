-- What `make demo` shows of the editor: a hover, the code actions and an answer, printed as text. Environment:
-- AURORA_BIN the sidecar, DEMO_FILE a file of the project, DEMO_SYMBOL a name in it.
local TIMEOUT_MS = 60000

local function say(text)
  io.stdout:write(text .. '\n')
  io.stdout:flush()
end

local function title(keys, text)
  local bold, plain = '', ''
  if os.getenv('DEMO_COLOUR') then
    bold, plain = '\27[1m', '\27[0m'
  end
  say(('\n%s%s%s  %s\n'):format(bold, keys, plain, text))
end

local function indent(lines)
  for _, line in ipairs(lines) do
    say(('    ' .. line):gsub('%s+$', ''))
  end
end

local function give_up(what)
  say('    the demo stops: ' .. what)
  vim.cmd('cquit 1')
end

---Waits until f() is true-ish and returns its value.
local function await(what, f)
  local value
  if not vim.wait(TIMEOUT_MS, function()
    value = f()
    return value and true or false
  end, 10) then
    give_up('waited in vain for ' .. what)
  end
  return value
end

local function float_lines()
  for _, win in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(win).relative ~= '' then
      return vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(win), 0, -1, false)
    end
  end
end

local function open_file()
  vim.cmd('edit ' .. vim.fn.fnameescape(os.getenv('DEMO_FILE')))
  local client = await('the sidecar', function()
    return require('aurora.client').all()[1]
  end)
  await('the index', function()
    local status = require('aurora.status').of_client(client.id)
    return status and (status.state == 'ready' or status.state == 'degraded')
  end)
  local symbol = os.getenv('DEMO_SYMBOL')
  if vim.fn.search('\\V\\<' .. symbol .. '\\>', 'w') == 0 then
    give_up(('%s does not hold %s'):format(os.getenv('DEMO_FILE'), symbol))
  end
  return symbol
end

local function show_hover(symbol)
  title('K', 'a hover on ' .. symbol)
  indent(await('the hover', function()
    vim.lsp.buf.hover()
    vim.wait(500, float_lines, 10)
    return float_lines()
  end))
end

local function show_actions()
  title('gra', 'the code actions at the cursor')
  local lines
  vim.ui.select = function(items, opts)
    lines = vim.tbl_map(opts.format_item, items)
  end
  vim.lsp.buf.code_action()
  indent(await('the code actions', function()
    return lines
  end))
end

local function show_answer(symbol)
  local question = ('what calls %s?'):format(symbol)
  title(':Aurora query ' .. question, '')
  vim.cmd('Aurora query ' .. question)
  await('the answer', function()
    return vim.bo.filetype == 'markdown' and vim.fn.search('^## How', 'nw') > 0
  end)
  indent(vim.api.nvim_buf_get_lines(0, 0, -1, false))
end

vim.opt.swapfile = false
vim.notify = function(text, level)
  if level and level >= vim.log.levels.WARN then
    say('    ' .. text)
  end
end
vim.g.aurora = { cmd = { os.getenv('AURORA_BIN'), 'serve' } }
local ok, err = xpcall(function()
  local symbol = open_file()
  show_hover(symbol)
  show_actions()
  show_answer(symbol)
end, debug.traceback)
if not ok then
  give_up(err)
end
vim.cmd('qall!')
