#!/usr/bin/env bash
# Runs the specs of the Neovim plugin against the real sidecar, in each Neovim and each spec in a fresh home and a
# fresh project; every message passes the protocol checker on its way.
#   scripts/test-nvim.sh [-s SPEC]... [NVIM...]      # -s hover: only testdata/editors/nvim/specs/hover.lua
# AURORA_BIN names the sidecar (bin/aurora). KEEP=1 keeps the folders of failed runs. Exit status 0 when all passed.
set -euo pipefail
# shellcheck source=scripts/lib-editors.sh
. "$(dirname "$0")/lib-editors.sh"

specs=()
while getopts 's:' option; do
  case $option in
    s) specs+=("$repo/testdata/editors/nvim/specs/$OPTARG.lua") ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
[ ${#specs[@]} -gt 0 ] || specs=("$repo"/testdata/editors/nvim/specs/*.lua)

AURORA_BIN=$(aurora_bin)
export AURORA_BIN
checker=$repo/testdata/editors/lsp-check
bash "$repo/scripts/install-lsp-check.sh"

passed=0 failed=0

# Counts what the checker found about the server; findings about the editor are not ours.
check_protocol() {
  local found
  found=$(grep -s '"who":"\(server\|checker\)"' "$1" || true)
  [ -n "$found" ] || return 0
  echo "PROTOCOL  the sidecar broke the protocol:"
  echo "$found" | cut -c 1-600
  failed=$((failed + $(echo "$found" | wc -l)))
}

run_spec() { # NVIM SPEC
  local out status counts
  new_workspace
  local log=$workspace/findings.jsonl
  echo "-- $(basename "$2" .lua)"
  status=0
  out=$(
    editor_env
    cd "$workspace/project"
    export AURORA_SPEC=$2
    AURORA_CMD=$(printf '["node","%s/lsp-check.mjs","--log","%s","--","%s","serve"]' \
      "$checker" "$log" "$AURORA_BIN")
    export AURORA_CMD
    limited 240 "$1" --clean --headless --cmd "set rtp^=$repo/editors/nvim" \
      -c "luafile $repo/testdata/editors/nvim/harness.lua" </dev/null 2>"$workspace/stderr"
  ) || status=$?
  echo "$out" | grep -Ev '^[0-9]+ passed, [0-9]+ failed$' || true
  counts=$(echo "$out" | grep -Eo '^[0-9]+ passed, [0-9]+ failed' | tail -n 1 || true)
  if [ -z "$counts" ]; then
    echo "BROKEN  the spec ended with status $status before its end"
    tail -n 20 "$workspace/stderr"
    counts='0 passed, 1 failed'
  fi
  passed=$((passed + ${counts%% *}))
  counts=${counts#*, }
  failed=$((failed + ${counts%% *}))
  check_protocol "$log"
  if [ "$status" -ne 0 ] && [ -n "${KEEP:-}" ]; then
    echo "kept: $workspace"
  else
    remove_workspace
  fi
}

ran=0
while read -r nvim; do
  ran=$((ran + 1))
  echo "== $nvim: $("$nvim" --version | head -n 1)"
  for spec in "${specs[@]}"; do run_spec "$nvim" "$spec"; done
done < <(neovims "$@")
if [ "$ran" -eq 0 ]; then
  echo "no Neovim found: run scripts/install-test-deps.sh" >&2
  exit 1
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
