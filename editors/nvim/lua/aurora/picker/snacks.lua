-- Hits in the picker of snacks.nvim.
local live_open = require('aurora.live').open

local M = {}

---@param entry aurora.Entry
local function to_snacks(entry)
  return {
    text = entry.text,
    entry = entry,
    file = entry.path,
    pos = entry.lnum and { entry.lnum, entry.col - 1 } or nil,
    preview = entry.lines and { text = table.concat(entry.lines, '\n'), ft = 'markdown', loc = false } or nil,
  }
end

---A finder that waits, as a coroutine of the picker, for the answer.
local function finder(live)
  return function(_, ctx)
    local words = ctx.filter.search
    return function(found)
      local task, entries = ctx.async, nil
      vim.schedule(function()
        live.search(words, function(answer)
          entries = answer or {}
          task:resume()
        end)
      end)
      while not entries do
        task:suspend()
      end
      for _, entry in ipairs(entries) do
        found(to_snacks(entry))
      end
    end
  end
end

local function preview(ctx)
  local previews = require('snacks.picker.preview')
  if ctx.item.file then
    return previews.file(ctx)
  end
  return previews.preview(ctx)
end

local WINDOWS = { split = 'split', vsplit = 'vsplit', tab = 'tab split' }

---@param client table
---@param live aurora.Live
---@param words string
function M.open(client, live, words)
  require('snacks').picker.pick({
    title = 'Aurora',
    search = words,
    live = true,
    supports_live = true,
    show_empty = true,
    finder = finder(live),
    matcher = { sort_empty = false },
    format = function(item)
      return { { item.text } }
    end,
    preview = preview,
    on_close = function()
      live.stop()
    end,
    confirm = function(picker, item, action)
      picker:close()
      vim.schedule(function()
        live_open(client, item and item.entry, WINDOWS[type(action) == 'table' and action.cmd or nil])
      end)
    end,
  })
end

return M
