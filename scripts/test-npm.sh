#!/usr/bin/env bash
# The npm package of MCP clients: what it fetches, refuses and runs, against a server on this machine. Ends with "N passed, N failed".
set -euo pipefail
cd "$(dirname "$0")/../editors/npm"

out=$(node --test --test-reporter=tap test/ 2>&1) || true
counts=$(awk '/^# pass / { p = $3 } /^# fail / { f = $3 } END { print p + 0 " passed, " (f == "" ? 1 : f) " failed" }' <<<"$out")
case $counts in
  *', 0 failed') ;;
  *) echo "$out" ;;
esac
echo "-- npm package"
echo "$counts"
[[ $counts = *', 0 failed' ]]
