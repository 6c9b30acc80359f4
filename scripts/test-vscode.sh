#!/usr/bin/env bash
# Tests the VS Code extension: types and lint, what is generated, unit tests, and the packaged extension in the real
# extension host and the real workbench of an old and of a current VS Code. Ends with "N passed, N failed".
#   scripts/test-vscode.sh [--only host|workbench] [--shots FOLDER] [VERSION...]      # of code-server
# AURORA_BIN names the sidecar (bin/aurora). Exit status 0 when all passed.
set -euo pipefail
# shellcheck source=scripts/lib-editors.sh
. "$(dirname "$0")/lib-editors.sh"

AURORA_BIN=$(aurora_bin)
export AURORA_BIN
options=()
while [ "${1:-}" = --only ] || [ "${1:-}" = --shots ]; do
  case $1 in
    --shots) options+=("$1" "$(mkdir -p "$2" && cd "$2" && pwd)") ;;
    *) options+=("$1" "$2") ;;
  esac
  shift 2
done
versions=("$@")
[ ${#versions[@]} -gt 0 ] || versions=(4.100.3 4.139.1)
vsix=$repo/bin/aurora.vsix
passed=0 failed=0

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

# add COUNTS: adds a line "N passed, N failed".
add() {
  passed=$((passed + ${1%% *}))
  local rest=${1#*, }
  failed=$((failed + ${rest%% *}))
}

unit_tests() {
  local out counts
  out=$(node --test --test-reporter=tap dist/test/unit/ 2>&1) || true
  counts=$(awk '/^# pass / { p = $3 } /^# fail / { f = $3 } END { print p + 0 " passed, " (f == "" ? 1 : f) " failed" }' <<<"$out")
  case $counts in
    *', 0 failed') ;;
    *) echo "$out" ;;
  esac
  echo "unit tests: $counts"
  add "$counts"
}

if [ "$(uname -s)" = Linux ]; then
  bash "$repo/scripts/install-vscode.sh" "${versions[@]}"
else
  echo "VS Code itself is tested on Linux only; here only the extension's code"
  versions=()
fi
bash "$repo/scripts/install-vscode-packages.sh"
cd "$repo/editors/vscode"
echo "== the extension's code"
check 'types' node_modules/.bin/tsc --noEmit -p .
check 'lint' node_modules/.bin/eslint .
check 'settings and protocol are those of the Go code' node scripts/generate.mjs --check
check 'packages, below the size that is allowed' node scripts/package.mjs "$vsix"
check 'the tests are bundled' node scripts/build.mjs --tests
unit_tests

if [ ${#versions[@]} -eq 0 ]; then
  echo "$passed passed, $failed failed"
  exit "$((failed > 0))"
fi
bash "$repo/scripts/install-lsp-check.sh" # that the extension host and the workbench talk through
programs=()
for version in "${versions[@]}"; do programs+=("$repo/.editors/vscode-$version/code-server"); done
log=$(mktemp)
limited 1800 node test/run.mjs "${options[@]}" "$vsix" "${programs[@]}" 2>&1 | tee "$log" | grep --line-buffered -vE '^[0-9]+ passed, [0-9]+ failed$' || true
counts=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$log" | tail -n 1 || true)
rm -f "$log"
add "${counts:-0 passed, 1 failed}"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
