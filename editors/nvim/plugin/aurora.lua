-- Starts the sidecar for files in projects and defines :Aurora. Everything else is loaded when it is first needed.
if vim.g.loaded_aurora then
  return
end
vim.g.loaded_aurora = true

if vim.fn.has('nvim-0.7') == 0 then
  vim.api.nvim_err_writeln('aurora: Neovim 0.7 or later is needed')
  return
end

vim.api.nvim_create_user_command('Aurora', function(opts)
  require('aurora.commands').run(opts)
end, {
  nargs = '*',
  bang = true,
  range = true,
  complete = function(lead, line, cursor)
    return require('aurora.commands').complete(lead, line, cursor)
  end,
  desc = 'Search, ask and remember with Aurora',
})

for _, map in ipairs(require('aurora.maps')) do
  local name, mode, rhs, desc = unpack(map)
  vim.keymap.set(mode, ('<Plug>(aurora-%s)'):format(name), rhs, { silent = true, desc = 'Aurora: ' .. desc })
end

-- BufReadPost and BufNewFile cover files without a filetype; FileType those that get one later; BufWritePost buffers
-- that get their name by being written.
vim.api.nvim_create_autocmd({ 'BufReadPost', 'BufNewFile', 'FileType', 'BufWritePost' }, {
  group = vim.api.nvim_create_augroup('aurora', {}),
  desc = 'Attach Aurora to files in projects',
  callback = function(event)
    -- Scheduled, so that the filetype is known when the server is told of the file.
    vim.schedule(function()
      require('aurora.client').attach(event.buf)
    end)
  end,
})

-- What was decided about the lines in sight; the option decisions says whether.
vim.api.nvim_create_autocmd({ 'BufWinEnter', 'BufWritePost' }, {
  group = 'aurora',
  desc = 'Show what was decided',
  callback = function(event)
    if package.loaded['aurora.client'] then
      require('aurora.decisions').update(event.buf, event.event == 'BufWritePost')
    end
  end,
})

-- Hovers leave out what another server of the buffer says; Neovim tells of them since 0.8. Scheduled, since a client that
-- detaches is still listed.
if vim.fn.exists('##LspAttach') == 1 then
  vim.api.nvim_create_autocmd({ 'LspAttach', 'LspDetach' }, {
    group = 'aurora',
    desc = 'Tell Aurora which other servers there are',
    callback = function()
      vim.schedule(function()
        require('aurora.elsewhere').update()
      end)
    end,
  })
end

-- A user who comes back from elsewhere may have changed files there, on a disk that tells of no changes.
vim.api.nvim_create_autocmd('FocusGained', {
  group = 'aurora',
  desc = 'Let Aurora look for changed files',
  callback = function()
    if package.loaded['aurora.client'] then
      require('aurora.client').look_again()
    end
  end,
})

-- After a commit, the decision that it states can be remembered. Neovim has no event of that: these come when one was made in a
-- terminal, by a shell command, elsewhere, or by a plugin for git.
local function after_commit()
  if package.loaded['aurora.client'] then
    require('aurora.capture').after_commit()
  end
end
vim.api.nvim_create_autocmd({ 'FocusGained', 'VimResume', 'TermLeave', 'TermClose', 'ShellCmdPost' }, {
  group = 'aurora',
  desc = 'Tell what a commit says of a decision',
  callback = after_commit,
})
vim.api.nvim_create_autocmd('User', {
  group = 'aurora',
  pattern = { 'FugitiveChanged', 'NeogitCommitComplete' },
  desc = 'Tell what a commit says of a decision',
  callback = after_commit,
})

-- Loaded late (:packadd, a lazy plugin manager): the files that are open already count, too.
if vim.v.vim_did_enter == 1 then
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    vim.schedule(function()
      require('aurora.client').attach(buf)
    end)
  end
end
