-- Makes doc/aurora.txt from scripts/aurora.txt and the tables that the plugin itself uses:
--   nvim --clean --headless -u NONE -c 'luafile editors/nvim/scripts/doc.lua' [-- OUTPUT]
-- A line "@name@" of the source stands for a table.
local root = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h:h')
package.path = root .. '/lua/?.lua;' .. root .. '/lua/?/init.lua;' .. package.path

local WIDTH = 78
local lines = {}

local function add(line)
  lines[#lines + 1] = (line:gsub('%s+$', ''))
end

---@return string[] text in lines of at most width cells
local function wrap(text, width)
  local out, line = {}, ''
  for word in text:gmatch('%S+') do
    if line ~= '' and #line + 1 + #word > width then
      out[#out + 1], line = line, word
    else
      line = line == '' and word or line .. ' ' .. word
    end
  end
  out[#out + 1] = line
  return out
end

local function tag_line(left, tag)
  add(left .. (' '):rep(math.max(1, WIDTH - #left - #tag - 2)) .. '*' .. tag .. '*')
end

---A name, and its text in a column.
local function entry(name, text, column)
  local texts = wrap(text, WIDTH - column)
  if #name >= column then
    add(name)
    name = ''
  end
  for i, line in ipairs(texts) do
    add(i == 1 and name .. (' '):rep(column - #name) .. line or (' '):rep(column) .. line)
  end
end

local tables = {}

function tables.commands()
  for _, command in ipairs(require('aurora.reference').commands) do
    if command.tag ~= false then
      add('')
      tag_line('', ':Aurora-' .. command.name)
    end
    local range, bang = command.range and '[range]' or '', command.bang and '!' or ''
    entry((':%sAurora%s %s %s'):format(range, bang, command.name, command.args or ''):gsub('%s+$', ''), command.text, 32)
  end
end

function tables.options()
  for _, option in ipairs(require('aurora.reference').options) do
    tag_line(option[1], 'aurora-option-' .. option[1])
    entry('', option[2], 4)
  end
end

function tables.maps()
  for _, map in ipairs(require('aurora.maps')) do
    entry(('<Plug>(aurora-%s)'):format(map[1]), ('%s mode: %s'):format(map[2] == 'x' and 'Visual' or 'Normal', map[4]), 32)
  end
end

function tables.answer_keys()
  for _, key in ipairs(require('aurora.answer_view').keys) do
    entry('    ' .. key[1], key[2], 14)
  end
end

local function generate()
  for line in io.lines(root .. '/scripts/aurora.txt') do
    local name = line:match('^@(%w+_?%w*)@$')
    if name then
      tables[name]()
    else
      add(line)
    end
  end
  return lines
end

local ok, err = pcall(function()
  local output = vim.v.argv[#vim.v.argv]:match('%.txt$') and vim.v.argv[#vim.v.argv] or root .. '/doc/aurora.txt'
  vim.fn.writefile(generate(), output)
end)
if not ok then
  io.stderr:write(tostring(err) .. '\n')
end
vim.cmd(ok and 'qall!' or 'cquit 1')
