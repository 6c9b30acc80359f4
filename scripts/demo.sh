#!/usr/bin/env bash
# The demo: indexes a real repository (this one, or the one given), searches it, asks it a question, and opens
# headless Neovim on it. Works offline, in a home of its own; nothing of yours is touched.
#   scripts/demo.sh [REPOSITORY]
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
repo=$(cd "${1:-$here}" && pwd)
aurora=${AURORA_BIN:-$here/bin/aurora}
AURORA_HOME=$(mktemp -d)
export AURORA_HOME
cleanup() {
  "$aurora" daemon stop --all >/dev/null 2>&1 || true # what Neovim would have found again
  rm -rf "$AURORA_HOME"
}
trap cleanup EXIT

say() { printf '\n\033[1m$ %s\033[0m\n' "$*"; }
[ -t 1 ] || say() { printf '\n$ %s\n' "$*"; }
try() { say "aurora $*"; "$aurora" "$@"; }

cd "$repo"
try version
try index
try search 'where are open buffers put over files' --limit 5
try search Tokenize --limit 3
try ask 'who calls Tokenize?'
bash "$here/scripts/demo-nvim.sh" "$repo" "$aurora"
