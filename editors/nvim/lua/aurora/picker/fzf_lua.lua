-- Hits in fzf-lua.
local live_open = require('aurora.live').open

local M = {}

-- fzf gets "number, tab, text" and shows the text; the number leads back to the entry.
local function number_of(line)
  return tonumber((line or ''):match('^(%d+)\t'))
end

local function previewer(known)
  local Previewer = require('fzf-lua.previewer.builtin').buffer_or_file:extend()
  function Previewer:new(o, opts, win)
    Previewer.super.new(self, o, opts, win)
    setmetatable(self, Previewer)
    return self
  end
  function Previewer.parse_entry(_, line)
    local entry = known[number_of(line)]
    if entry and entry.path then
      return { path = entry.path, line = entry.lnum, col = entry.col }
    end
    return { content = entry and entry.lines or {}, filetype = 'markdown' }
  end
  return Previewer
end

---@param client table
---@param live aurora.Live
---@param words string
function M.open(client, live, words)
  local known = {}
  local function opener(how)
    return function(selected)
      live_open(client, known[number_of(selected and selected[1])], how)
    end
  end
  require('fzf-lua').fzf_live(function(args)
    return function(add)
      vim.schedule(function()
        live.search(type(args) == 'table' and args[1] or args, function(entries)
          for _, entry in ipairs(entries or {}) do
            known[#known + 1] = entry
            add(('%d\t%s'):format(#known, entry.text))
          end
          add(nil)
        end)
      end)
    end
  end, {
    prompt = 'Aurora> ',
    query = words,
    exec_empty_query = false,
    previewer = { _ctor = function()
      return previewer(known)
    end },
    fzf_opts = { ['--delimiter'] = '\t', ['--with-nth'] = '2..', ['--no-multi'] = true },
    actions = {
      ['default'] = opener(),
      ['ctrl-s'] = opener('split'),
      ['ctrl-v'] = opener('vsplit'),
      ['ctrl-t'] = opener('tab split'),
    },
    winopts = { on_close = live.stop },
  })
end

return M
