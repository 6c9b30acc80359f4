-- The pickers of other plugins. No package registry has the plugins, so each is played by the least that it does with
-- what it is given: it asks for hits at every key, shows them, previews one and opens one.
local client = T.project('internal/basket/basket.go')
vim.cmd('Aurora remember Ladders are checked in autumn')
T.message('remembered')

local NOTHING = 'zyxwvutsrq'

---Says whether the picker's own window would show the wanted lines.
local function wait_line(lines, pattern)
  return T.wait('a line like ' .. pattern, function()
    for _, line in ipairs(lines()) do
      if line:find(pattern) then
        return line
      end
    end
  end)
end

local function jumped(pattern)
  T.wait('the jump', function()
    return vim.api.nvim_buf_get_name(0):find(pattern)
  end)
  T.eq('ParsePrice', vim.fn.expand('<cword>'))
end

T.test('typing on overtakes the search before it', function()
  local live = require('aurora.live').new(client, vim.api.nvim_get_current_buf())
  local first, second
  live.search('Parse', function(entries)
    first = { entries = entries }
  end)
  live.search('ParsePrice', function(entries)
    second = entries
  end)
  T.eq({}, first) -- called, without entries
  T.eq('ParsePrice', T.wait('the second search', function()
    return second
  end)[1].hit.name)
  local empty
  live.search(' ', function(entries)
    empty = entries
  end)
  T.eq({}, empty)
end)

T.test('what is found nowhere is said in the list, and is no hit', function()
  local live, entries = require('aurora.live').new(client, 0), nil
  live.search(NOTHING, function(found)
    entries = found
  end)
  T.wait('the answer', function()
    return entries
  end)
  T.match('nothing found', entries[1].text)
  T.eq(nil, entries[1].hit)
end)

T.test('Telescope', function()
  local shown, closed, selected, spec, mappings = {}, false, nil, nil, {}
  package.preload['telescope.pickers'] = function()
    return {
      new = function(_, given)
        spec = given
        return { find = function() end }
      end,
    }
  end
  package.preload['telescope.sorters'] = function()
    return { highlighter_only = function() return {} end }
  end
  package.preload['telescope.previewers'] = function()
    return { new_buffer_previewer = function(given) return given end }
  end
  package.preload['telescope.previewers.utils'] = function()
    return { highlighter = function() end }
  end
  package.preload['telescope.actions'] = function()
    return { close = function() closed = true end }
  end
  package.preload['telescope.actions.set'] = function()
    return { select = { replace = function(_, act) mappings.select = act end } }
  end
  package.preload['telescope.actions.state'] = function()
    return { get_selected_entry = function() return selected end }
  end
  vim.cmd('Aurora search')
  T.eq('telescope', require('aurora.picker').chosen())
  local function type_in(words)
    shown = {}
    spec.finder(words, function(entry)
      shown[entry.index] = entry
    end, function() end)
  end
  local function lines()
    return vim.tbl_map(function(entry) return entry.display end, shown)
  end
  type_in('ladders')
  wait_line(lines, 'knowledge')
  local preview = vim.api.nvim_create_buf(false, true)
  spec.previewer.define_preview({ state = { bufnr = preview } }, shown[1])
  T.match('checked in autumn', vim.api.nvim_buf_get_lines(preview, 0, 1, false)[1])
  type_in('ParsePrice')
  wait_line(lines, '^ParsePrice')
  T.match('price%.go$', shown[1].filename)
  T.ok(shown[1].lnum > 1 and shown[1].col == 6, vim.inspect(shown[1]))
  spec.attach_mappings(1)
  selected = shown[1]
  local before = #vim.api.nvim_list_wins()
  mappings.select(1, 'vertical')
  jumped('price%.go$')
  T.ok(closed, 'the picker is still open')
  T.eq(before + 1, #vim.api.nvim_list_wins())
  vim.cmd('close')
  package.loaded['telescope.pickers'], package.preload['telescope.pickers'] = nil, nil
end)

T.test('snacks', function()
  local spec
  package.preload['snacks.picker'] = function() return {} end
  package.preload['snacks'] = function()
    return { picker = { pick = function(given) spec = given end } }
  end
  vim.cmd('Aurora search ParsePrice')
  T.eq('ParsePrice', T.wait('the picker', function()
    return spec
  end).search)
  ---Runs the finder as its coroutine.
  local function type_in(words)
    local items, task = {}, nil
    local async = {
      suspend = function() coroutine.yield() end,
      resume = function() coroutine.resume(task) end,
    }
    task = coroutine.create(function()
      spec.finder({}, { filter = { search = words }, async = async })(function(item)
        items[#items + 1] = item
      end)
    end)
    coroutine.resume(task)
    T.wait('the end of the search', function()
      return coroutine.status(task) == 'dead'
    end)
    return items
  end
  T.match('checked in autumn', type_in('ladders')[1].preview.text)
  local item = type_in('ParsePrice')[1]
  T.match('^ParsePrice', spec.format(item)[1][1])
  T.eq(5, item.pos[2])
  spec.confirm({ close = function() end }, item, {})
  jumped('price%.go$')
  package.loaded['snacks.picker'], package.preload['snacks.picker'] = nil, nil
end)

T.test('fzf-lua', function()
  local contents, options
  package.preload['fzf-lua'] = function()
    return {
      fzf_live = function(given, opts)
        contents, options = given, opts
      end,
    }
  end
  package.preload['fzf-lua.previewer.builtin'] = function()
    return { buffer_or_file = { extend = function() return { super = { new = function() end } } end } }
  end
  vim.cmd('Aurora search')
  T.wait('the picker', function()
    return contents
  end)
  local function type_in(words)
    local lines, done = {}, false
    contents({ words })(function(line)
      lines[#lines + 1] = line
      done = done or line == nil
    end)
    T.wait('the end of the list', function()
      return done
    end)
    return lines
  end
  local previewer = options.previewer._ctor()
  T.match('checked in autumn', previewer:parse_entry(type_in('ladders')[1]).content[1])
  local line = type_in('ParsePrice')[1]
  T.match('^%d+\tParsePrice', line)
  T.match('price%.go$', previewer:parse_entry(line).path)
  options.actions.default({ line })
  jumped('price%.go$')
  options.actions.default({}) -- nothing was chosen
  package.loaded['fzf-lua'], package.preload['fzf-lua'] = nil, nil
end)

T.test('a picker that breaks is said once, and vim.ui.select() does it', function()
  package.preload['telescope.pickers'] = function()
    return { new = function() error('a broken picker') end }
  end
  local offered = T.select(T.line_like('^never chosen$'))
  vim.cmd('Aurora search ParsePrice')
  T.match('^ParsePrice', offered().lines[1])
  T.message('telescope did not work.*a broken picker')
  package.loaded['telescope.pickers'], package.preload['telescope.pickers'] = nil, nil
end)

T.test('a picker that is not there is said once', function()
  vim.g.aurora = { cmd = T.cmd, picker = 'snacks' }
  T.eq('select', require('aurora.picker').chosen())
  T.message('the picker snacks is not installed')
  vim.g.aurora = { cmd = T.cmd, picker = 'dmenu' }
  T.match('picker must be one of', require('aurora.config').problems()[1])
  vim.g.aurora = { cmd = T.cmd }
end)
