#!/usr/bin/env bash
# Shows the Neovim plugin at work on a repository, as plain text: a hover, the code actions and an answer with its
# sources, all offline.
#   scripts/demo-nvim.sh REPOSITORY [AURORA] [FILE SYMBOL]
# FILE (relative to REPOSITORY) and SYMBOL say what to look at; without them a function that is searched for. Without
# Neovim, and with no way to install it, the same is shown through the command line.
set -euo pipefail
# shellcheck source=scripts/lib-editors.sh
. "$(dirname "$0")/lib-editors.sh"

project=$(cd "${1:?a repository}" && pwd)
AURORA_BIN=${2:-$(aurora_bin)}
export AURORA_BIN

# Neovim from PATH or .editors, else by apt where that is allowed; prints nothing when there is none.
find_nvim() {
  if [ -z "$(neovims)" ] && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
    echo "installing Neovim (apt-get)" >&2
    export DEBIAN_FRONTEND=noninteractive
    { apt-get -qq update && apt-get -qq install -y --no-install-recommends neovim; } >/dev/null 2>&1 </dev/null || true
  fi
  neovims | tail -n 1
}

# The first function of the project that a line outside of its definition names: "path<TAB>name".
choose_symbol() {
  local pattern='^(func|def|export function|function) ([A-Za-z_][A-Za-z0-9_]{7,})\(.*'
  local file name
  while read -r file; do
    while read -r name; do
      if [ "$(cd "$project" && git grep -wF -- "$name(" | head -n 4 | wc -l)" -ge 3 ]; then
        printf '%s\t%s\n' "$file" "$name"
        return
      fi
    done < <(sed -nE "s/$pattern/\2/p" "$project/$file")
  done < <(cd "$project" && git ls-files '*.go' '*.py' '*.ts' '*.js' | grep -Ev '_test\.|testdata/|\.d\.ts|main\.')
}

show_in_terminal() {
  echo
  echo "Neovim is not here (Debian: apt-get install neovim; macOS: brew install neovim); the same by command line:"
  (cd "$project" && "$AURORA_BIN" search "$symbol" --limit 3 && "$AURORA_BIN" ask "what calls $symbol?")
}

if [ $# -ge 4 ]; then
  file=$3 symbol=$4
else
  IFS=$'\t' read -r file symbol < <(choose_symbol) || true
fi
if [ -z "${symbol:-}" ]; then
  echo "no function to show in $project: name one, scripts/demo-nvim.sh REPOSITORY AURORA FILE SYMBOL" >&2
  exit 1
fi

nvim=$(find_nvim)
if [ -z "$nvim" ]; then
  show_in_terminal
  exit
fi
workspace=$(mktemp -d "${TMPDIR:-/tmp}/aurora.XXXXXX")
trap remove_workspace EXIT
mkdir -p "$workspace/home"
shared_home=${AURORA_HOME:-} # the demo's index, when it has made one
editor_env
if [ -n "$shared_home" ]; then export AURORA_HOME=$shared_home; fi
export DEMO_FILE=$file DEMO_SYMBOL=$symbol
if [ -t 1 ]; then export DEMO_COLOUR=1; fi
cd "$project"
printf '\n$ nvim %s        # %s, headless; the sidecar starts by itself\n' "$file" "$("$nvim" --version | head -n 1)"
limited 200 "$nvim" --clean --headless --cmd "set rtp^=$repo/editors/nvim" \
  -c "luafile $repo/testdata/editors/nvim/demo.lua" </dev/null 2>"$workspace/stderr" || {
  status=$?
  tail -n 5 "$workspace/stderr" >&2
  exit "$status"
}
