#!/usr/bin/env bash
# How long a key takes in a file of ten thousand lines, with the sidecar and without it, and how soon the first text of
# an answer is there, in each Neovim there is.
#   scripts/bench-nvim.sh [NVIM...]
# AURORA_BIN names the sidecar (bin/aurora).
set -euo pipefail
# shellcheck source=scripts/lib-editors.sh
. "$(dirname "$0")/lib-editors.sh"

AURORA_BIN=$(aurora_bin)
export AURORA_BIN
while read -r nvim; do
  "$nvim" --version | head -n 1
  new_workspace
  (
    editor_env
    cd "$workspace/project"
    PLUGIN=$repo/editors/nvim limited 300 "$nvim" --clean --headless -c "luafile $repo/testdata/editors/nvim/latency.lua" </dev/null
  )
  remove_workspace
done < <(neovims "$@")
