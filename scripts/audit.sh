#!/usr/bin/env bash
# Looks for known vulnerabilities in the Go modules that the programs call, and in the packages of the VS Code extension.
# Exits with 1 when there is one, with 2 when a database can't be asked: that is no "clean".
set -uo pipefail
cd "$(dirname "$0")/.."
govulncheck=golang.org/x/vuln/cmd/govulncheck@v1.9.0
worst=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# verdict CODE WHAT FOUND: FOUND is the exit code that means vulnerabilities.
verdict() {
  case $1 in
    0) echo "audit: $2: no known vulnerability" ;;
    "$3") echo "audit: $2: vulnerable, see above" >&2; [ $worst -eq 2 ] || worst=1 ;;
    *) echo "audit: $2: the database could not be asked" >&2; worst=2 ;;
  esac
}

for module in . tools; do
  (cd "$module" && exec go run "$govulncheck" ./...) >"$log" 2>&1
  code=$?
  # "go run" ends with 1 whatever the program ended with, and tells that code in its last line.
  [ $code -eq 0 ] || code=$(sed -n 's/^exit status //p' "$log" | tail -n 1)
  [ "$code" = 0 ] || cat "$log" >&2
  verdict "${code:-1}" "Go, $module" 3
done

report=$(cd editors/vscode && npm audit --package-lock-only --json 2>/dev/null)
code=0
case $report in
  *'"auditReportVersion"'*) [ "$(printf %s "$report" | node -p 'JSON.parse(require("fs").readFileSync(0)).metadata.vulnerabilities.total')" = 0 ] || code=3 ;;
  *) code=1 ;;
esac
[ $code -ne 3 ] || printf '%s\n' "$report" >&2
verdict $code "npm, editors/vscode" 3
exit $worst
