-- Hits in Telescope.
local live_open = require('aurora.live').open

local M = {}

---@param entry aurora.Entry
local function to_telescope(entry, index)
  return {
    value = entry,
    display = entry.text,
    ordinal = entry.text,
    index = index,
    filename = entry.path,
    lnum = entry.lnum,
    col = entry.col,
    text = entry.text,
  }
end

---Telescope calls its finder with every change of the prompt.
local function finder(live)
  return setmetatable({ close = live.stop }, {
    __call = function(_, prompt, on_result, on_complete)
      live.search(prompt, function(entries)
        for i, entry in ipairs(entries or {}) do
          if on_result(to_telescope(entry, i)) then
            return
          end
        end
        if entries then
          on_complete()
        end
      end)
    end,
  })
end

local function show_line(preview, winid, buf, lnum)
  vim.api.nvim_win_call(winid, function()
    pcall(vim.api.nvim_win_set_cursor, winid, { lnum, 0 })
    vim.cmd('normal! zz')
  end)
  pcall(vim.api.nvim_buf_add_highlight, buf, preview, 'TelescopePreviewLine', lnum - 1, 0, -1)
end

local function previewer()
  local namespace = vim.api.nvim_create_namespace('aurora.preview')
  return require('telescope.previewers').new_buffer_previewer({
    title = 'Preview',
    define_preview = function(self, chosen)
      local entry, buf = chosen.value, self.state.bufnr
      if not entry.path then
        vim.api.nvim_buf_set_lines(buf, 0, -1, false, entry.lines or {})
        return require('telescope.previewers.utils').highlighter(buf, 'markdown')
      end
      require('telescope.config').values.buffer_previewer_maker(entry.path, buf, {
        bufname = self.state.bufname,
        winid = self.state.winid,
        callback = function()
          if vim.api.nvim_buf_is_valid(buf) and vim.api.nvim_win_is_valid(self.state.winid) then
            show_line(namespace, self.state.winid, buf, entry.lnum)
          end
        end,
      })
    end,
  })
end

local WINDOWS = { horizontal = 'split', vertical = 'vsplit', tab = 'tab split' }

---@param client table
---@param live aurora.Live
---@param words string
function M.open(client, live, words)
  local actions, action_set = require('telescope.actions'), require('telescope.actions.set')
  local state = require('telescope.actions.state')
  require('telescope.pickers').new({}, {
    prompt_title = 'Aurora',
    default_text = words,
    finder = finder(live),
    sorter = require('telescope.sorters').highlighter_only({}), -- the sidecar has sorted
    previewer = previewer(),
    attach_mappings = function(prompt)
      action_set.select:replace(function(_, how)
        local chosen = state.get_selected_entry()
        actions.close(prompt)
        -- Later: leaving insert mode moves the cursor.
        vim.schedule(function()
          live_open(client, chosen and chosen.value, WINDOWS[how])
        end)
      end)
      return true
    end,
  }):find()
end

return M
