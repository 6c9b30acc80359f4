-- What the server's code actions run in the editor. The argument of each is the parameters of the request it stands
-- for; without a client for it, Neovim would send the command to the server and drop the answer.
local M = { commands = {} }

---@param command table {command, arguments}
---@param ctx table {client_id, bufnr}
---@param act fun(client: table, params: table, buf: integer)
local function run(command, ctx, act)
  local client = vim.lsp.get_client_by_id(ctx.client_id)
  if not client then
    return require('aurora.notify').error('the sidecar no longer runs; :Aurora start starts it')
  end
  local first = (command.arguments or {})[1]
  local params = type(first) == 'table' and vim.deepcopy(first) or {}
  params.show = nil -- asks the server to show the result itself
  act(client, params, ctx.bufnr or vim.api.nvim_get_current_buf())
end

M.commands['aurora.related'] = function(command, ctx)
  run(command, ctx, function(client, params, buf)
    require('aurora.related').request(client, params, buf)
  end)
end

M.commands['aurora.why'] = function(command, ctx)
  run(command, ctx, function(client, params, buf)
    require('aurora.why').request(client, params, buf)
  end)
end

local function context(command, ctx)
  run(command, ctx, function(client, params, buf)
    if params.text then
      return require('aurora.context').show(client, params)
    end
    require('aurora.context').request(client, params, buf)
  end)
end

M.commands['aurora.context'] = context
M.commands['aurora.openContext'] = context

M.commands['aurora.review.edit'] = function(command, ctx)
  run(command, ctx, function(client, _, buf)
    require('aurora.memory').edit(client, buf, (command.arguments or {})[1])
  end)
end

M.commands['aurora.remember'] = function(command, ctx)
  run(command, ctx, function(client, params, buf)
    require('aurora.remember').ask(client, params, buf)
  end)
end

M.commands['aurora.query'] = function(command, ctx)
  run(command, ctx, function(client, params, buf)
    if params.query and params.query ~= '' then
      return require('aurora.answer').ask(client, params, buf)
    end
    vim.ui.input({ prompt = 'Ask Aurora: ' }, function(question)
      if question and question:match('%S') then
        params.query = question
        require('aurora.answer').ask(client, params, buf)
      end
    end)
  end)
end

M.commands['aurora.search'] = function(command, ctx)
  run(command, ctx, function(_, params, buf)
    require('aurora.search').run(buf, params.query or '', false)
  end)
end

M.commands['aurora.status'] = function(_, ctx)
  require('aurora.status').show(ctx.bufnr or vim.api.nvim_get_current_buf())
end

return M
