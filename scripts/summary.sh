#!/usr/bin/env bash
# Adds up what `make test` ran: the Go packages (without and with the race detector), the soak test, the editor specs and
# the VS Code extension's tests. Fails when a log is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
go=bin/test-go.log race=bin/test-race.log soak=bin/test-soak.log editors=bin/test-editors.log vscode=bin/test-vscode.log
[ -s "$go" ] && [ -s "$race" ] && [ -s "$soak" ] && [ -s "$editors" ] && [ -s "$vscode" ] || { echo "make test did not run to its end"; exit 1; }
packages=$(cat "$go" "$race" "$soak" | grep -cE '^ok  ' || true)
broken=$(cat "$go" "$race" "$soak" | grep -cE '^(FAIL|---? FAIL|panic:)' || true)
read -r passed failed < <(awk '/^[0-9]+ passed, [0-9]+ failed$/ { p += $1; f += $3 } END { print p + 0, f + 0 }' "$editors" "$vscode")
echo "Go packages (each twice) and soak test ok: $packages; editor tests ok: $passed"
echo "$((packages + passed)) passed, $((broken + failed)) failed"
[ "$((broken + failed))" = 0 ] && [ "$packages" -gt 0 ] && [ "$passed" -gt 0 ]
