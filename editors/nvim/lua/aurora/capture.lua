-- :Aurora capture: what commits, or comments of the code, say of decisions, to remember or to dismiss.
local client_of = require('aurora.client')
local notify = require('aurora.notify')

local M = {}

-- Most offers to choose from.
local LIMIT = 50

---An offer on one line.
local function line_of(offer)
  local text = offer.text:gsub('%s+', ' ')
  if vim.fn.strchars(text) > 100 then
    text = vim.fn.strcharpart(text, 0, 100) .. '…'
  end
  local from = offer.commit:find(':', 1, true) and offer.commit or offer.commit:sub(1, 8) -- a place of a comment is whole
  return ('%s  %s'):format(from, text)
end

local acts = {
  { name = 'remember', param = 'accept', told = 'remembered' },
  { name = 'never offer it again', param = 'dismiss', told = 'it will not be offered again' },
}

---What stands above the answers: all of the offer, and the definitions that it would cite.
local function question_of(offer)
  local places = vim.tbl_map(function(place)
    return ('%s (%s:%d)'):format(place.name, place.path, place.line)
  end, offer.places)
  local about = #places > 0 and ('  [%s]'):format(table.concat(places, ', ')) or ''
  return offer.text:gsub('%s+', ' ') .. about
end

---Lets the user answer an offer, and lists what is left.
local function decide(client, buf, offer, again)
  vim.ui.select(acts, {
    prompt = question_of(offer),
    kind = 'aurora.decision.act',
    format_item = function(act)
      return act.name
    end,
  }, function(act)
    if act then
      client_of.request(client, 'aurora/decisions', { [act.param] = offer.commit }, buf, function()
        notify.info(act.told)
        again()
      end)
    end
  end)
end

---Has nothing of this repository offered unasked from now on.
function M.never(client, buf)
  client_of.request(client, 'aurora/decisions', { never = true }, buf, function()
    notify.info('nothing of this repository is offered after a commit from now on')
  end)
end

-- How seldom the sidecar is asked for an offer: events come in swarms.
local ASK_MS = 2000
local asked = -ASK_MS

---Tells what a commit of this moment says of a decision. How often, and of which commits, the sidecar decides.
function M.after_commit()
  local now = vim.loop.now()
  if now - asked < ASK_MS or not require('aurora.config').get().offer_after_commit then
    return
  end
  asked = now
  local function ignore() end -- nobody has asked
  for _, client in ipairs(client_of.all()) do
    if client_of.ready(client.id) then
      client_of.request(client, 'aurora/decisions', { unasked = true }, vim.api.nvim_get_current_buf(), function(result)
        local offer = (result.offers or {})[1]
        if offer then
          notify.info(('commit %s - :Aurora capture remembers it'):format(line_of(offer)))
        end
      end, ignore)
    end
  end
end

---Lists what commits of this branch, or comments of the code, state and memory lacks.
---@param client table
---@param buf integer
---@param everyone boolean commits of other people, too
---@param comments boolean|nil comments in place of commits
function M.pick(client, buf, everyone, comments)
  local params = { limit = LIMIT, everyone = everyone, comments = comments }
  client_of.request(client, 'aurora/decisions', params, buf, function(result)
    if #result.offers == 0 then
      local where = comments and ('the comments of %d files'):format(result.files or 0) or ('%d commits'):format(result.commits)
      return notify.info('there is nothing to remember in ' .. where)
    end
    vim.ui.select(result.offers, {
      prompt = ('Decisions in %s (%d)'):format(comments and 'comments' or 'commits', #result.offers),
      kind = 'aurora.decision',
      format_item = line_of,
    }, function(offer)
      if offer then
        decide(client, buf, offer, function()
          M.pick(client, buf, everyone, comments)
        end)
      end
    end)
  end)
end

return M
