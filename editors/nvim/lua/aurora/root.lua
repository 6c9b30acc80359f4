-- Which project a file belongs to.
local compat = require('aurora.compat')

local M = {}

local function exists(path)
  return compat.uv.fs_stat(path) ~= nil
end

local function join(dir, name)
  return dir == '/' and '/' .. name or dir .. '/' .. name
end

---Folders that are never a project, whatever they hold: the sidecar would read the whole disk.
---@param dir string
function M.refused(dir)
  local home = compat.uv.os_homedir()
  local real = compat.uv.fs_realpath(dir) or dir
  return dir == '' or real == '/' or real:match('^%a:[/\\]?$') ~= nil or (home and real == (compat.uv.fs_realpath(home) or home))
end

---The nearest folder at or above dir that holds one of the markers.
local function nearest(dir, markers)
  while true do
    if not M.refused(dir) then
      for _, marker in ipairs(markers) do
        if exists(join(dir, marker)) then
          return dir
        end
      end
    end
    local parent = vim.fn.fnamemodify(dir, ':h')
    if parent == dir then
      return nil
    end
    dir = parent
  end
end

---@param dir string absolute folder
---@param markers table see |aurora-options|
---@return string|nil root
function M.of_folder(dir, markers)
  for _, group in ipairs(markers) do
    local found = nearest(dir, type(group) == 'table' and group or { group })
    if found then
      return found
    end
  end
end

---@param path string absolute path of a file
---@param markers table see |aurora-options|
---@return string|nil root
function M.of_file(path, markers)
  if path:find('/.git/', 1, true) then
    return nil -- commit messages and the like are not part of the project
  end
  return M.of_folder(vim.fn.fnamemodify(path, ':h'), markers)
end

---The folder to serve when a command is used outside of any project.
---@return string|nil
function M.of_cwd(markers)
  local cwd = vim.fn.getcwd()
  local found = M.of_folder(cwd, markers)
  if found then
    return found
  end
  if not M.refused(cwd) then
    return cwd
  end
end

return M
