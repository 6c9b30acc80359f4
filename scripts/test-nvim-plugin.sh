#!/usr/bin/env bash
# Tests the Neovim plugin as plugin managers install it: its own repository is cloned into a package, where :Aurora, the help, the
# health check and a search work; LuaRocks installs it, where it is there. Ends with "N passed, N failed".
#   scripts/test-nvim-plugin.sh [NVIM...]
set -euo pipefail
# shellcheck source=scripts/lib-editors.sh
. "$(dirname "$0")/lib-editors.sh"

AURORA_BIN=$(aurora_bin)
export AURORA_BIN
passed=0 failed=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# check NAME COMMAND...: one test, whose output is shown when it fails.
check() {
  local name=$1 out
  shift
  if out=$("$@" 2>&1); then
    echo "ok      $name"
    passed=$((passed + 1))
  else
    printf 'FAILED  %s\n%s\n' "$name" "$out"
    failed=$((failed + 1))
  fi
}

make_mirror() {
  bash "$repo/scripts/release/nvim.sh" "$tmp/aurora.nvim"
  (
    cd "$tmp/aurora.nvim"
    export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
    git init -q
    git add -A
    git -c user.name='A. Tester' -c user.email=tester@example.com -c commit.gpgsign=false commit -qm 'As published'
  )
}

# What a plugin manager does: clone, put the clone on the runtime path, make the help tags. The file that is open then is served.
use_plugin() { # NVIM FOLDER-OF-THE-PLUGIN
  (
    new_workspace
    trap remove_workspace EXIT
    editor_env
    cd "$workspace/project"
    cat >"$workspace/init.lua" <<LUA
vim.g.aurora = { cmd = { '$AURORA_BIN', 'serve' } }
vim.g.plugin = '$2'
vim.opt.rtp:append('$2')
LUA
    cat >"$workspace/spec.lua" <<'LUA'
local ok, problem = pcall(function()
  assert(vim.fn.exists(':Aurora') == 2, 'there is no :Aurora')
  vim.cmd('helptags ' .. vim.g.plugin .. '/doc')
  vim.cmd('help aurora')
  assert(vim.bo.buftype == 'help', 'there is no help')
  vim.cmd('helpclose | checkhealth aurora')
  local health = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  assert(health:find('aurora') and not health:find('ERROR'), health)
  vim.cmd('edit internal/basket/basket.go')
  local found, asking
  local function ask()
    if not asking then
      asking = true
      require('aurora.client').with(0, function(client)
        require('aurora.client').request(client, 'aurora/search', { query = 'volumeDiscount' }, 0, function(result)
          found, asking = result.hits[1], false -- nothing before it is indexed
        end)
      end)
    end
    return found
  end
  assert(vim.wait(60000, ask, 50) and found.name == 'volumeDiscount', 'the search finds ' .. vim.inspect(found))
end)
if not ok then
  io.stderr:write(tostring(problem) .. '\n')
  vim.cmd('cquit')
end
vim.cmd('quitall!')
LUA
    limited 120 "$1" --headless -u "$workspace/init.lua" -c "luafile $workspace/spec.lua" </dev/null
  )
}

luarocks_install() {
  (cd "$tmp/aurora.nvim" && luarocks --lua-version 5.1 --tree "$tmp/rocks" make ./*.rockspec) &&
    [ -f "$tmp/rocks/share/lua/5.1/aurora/client.lua" ] && [ -n "$(find "$tmp/rocks" -path '*/plugin/aurora.lua')" ]
}

mason_names() {
  local target os arch suffix
  for target in $(sed -n '/^    targets:/,/^    flags:/s/^ *- \([a-z0-9_]*\)$/\1/p' "$repo/.goreleaser.yaml"); do
    os=${target%_*} arch=${target#*_} suffix=tar.gz
    if [ "$os" = windows ]; then suffix=zip; fi
    grep -q "file: aurora_{{version | strip_prefix \"v\"}}_${os}_$arch.$suffix" "$repo/scripts/release/mason.yaml" || { echo "mason.yaml lacks $target"; return 1; }
  done
  [ -n "${target:-}" ]
}

check 'the plugin as a repository of its own' make_mirror
while read -r nvim; do
  version=$("$nvim" --version | head -n 1)
  rm -rf "$tmp/clone"
  git clone -q "$tmp/aurora.nvim" "$tmp/clone"
  check "$version: from a clone on the runtime path" use_plugin "$nvim" "$tmp/clone"
done < <(neovims "$@")
if command -v luarocks >/dev/null; then
  check 'LuaRocks installs it' luarocks_install
else
  echo 'skip    LuaRocks is not installed'
fi
check 'the package for mason.nvim names the archives of a release' mason_names
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
