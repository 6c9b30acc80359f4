-- The text of the status window. Pure: a table in, lines out.
local M = {}

local UNITS = { 'B', 'KiB', 'MiB', 'GiB', 'TiB' }

---@param bytes number
---@return string such as 1.4 MiB
local function size(bytes)
  local unit = 1
  while bytes >= 1024 and unit < #UNITS do
    bytes, unit = bytes / 1024, unit + 1
  end
  return (unit == 1 and '%d %s' or '%.1f %s'):format(bytes, UNITS[unit])
end

---Either form of languages: {go = 12, ...} or {'go', ...}.
local function languages(value)
  if type(value) ~= 'table' or next(value) == nil then
    return nil
  end
  if value[1] then
    return table.concat(vim.tbl_map(tostring, value), ', ')
  end
  local names = vim.tbl_keys(value)
  table.sort(names, function(a, b)
    return value[a] == value[b] and a < b or value[a] > value[b]
  end)
  return table.concat(vim.tbl_map(function(name)
    return ('%s %d'):format(name, value[name])
  end, names), ', ')
end

local function files(value)
  if type(value) ~= 'table' then
    return nil
  end
  local text = ('%d of %d indexed'):format(value.indexed or 0, value.total or 0)
  return (value.failed or 0) > 0 and ('%s, %d failed'):format(text, value.failed) or text
end

local function model(llm)
  if type(llm) ~= 'table' or not llm.configured then
    return 'none configured: answers come from the index alone'
  end
  return (llm.model or 'configured') .. (llm.healthy and '' or ' (does not answer)')
end

local function latency(performance)
  if type(performance) ~= 'table' or (performance.queryP95Ms or 0) == 0 then
    return nil
  end
  return ('p50 %.1f ms, p95 %.1f ms'):format(performance.queryP50Ms or 0, performance.queryP95Ms)
end

---2026-11-20T19:46:08Z for people.
local function time(value)
  return type(value) == 'string' and value:gsub('T', ' '):gsub('%.%d+', ''):gsub('Z$', ' UTC') or nil
end

---@param status table the result of aurora/status
---@param client table
---@return string[]
function M.lines(status, client)
  local lines = { ('Aurora %s: %s'):format(status.version or '', status.state or 'unknown') }
  local function row(label, value)
    if value and value ~= '' then
      lines[#lines + 1] = ('  %-10s %s'):format(label, value)
    end
  end
  row('project', client.config.root_dir)
  row('files', files(status.files))
  row('chunks', status.chunks and tostring(status.chunks))
  row('languages', languages(status.languages))
  row('index', (status.sizeBytes or 0) > 0 and size(status.sizeBytes))
  row('indexed', time(status.lastIndexed))
  row('watcher', status.watcher)
  row('model', model(status.llm))
  row('search', latency(status.performance))
  for _, warning in ipairs(status.warnings or {}) do
    lines[#lines + 1] = '  ! ' .. tostring(warning):gsub('%s*\n%s*', ' ')
  end
  return lines
end

return M
