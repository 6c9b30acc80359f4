#!/usr/bin/env bash
# Runs tests with locks that watch the order in which they are taken (github.com/sasha-s/go-deadlock): taken in two orders by
# two goroutines, or waited for longer than 30 s, they end the test. The sources stay as they are: the compiler reads copies,
# in which sync.Mutex is another one.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp go.mod go.sum "$work/"
go get -modfile="$work/go.mod" github.com/sasha-s/go-deadlock@v0.3.9 >/dev/null

replace=()
for file in $(git grep -lE 'sync\.(RW)?Mutex' -- '*.go' ':!*_test.go' ':!tools' ':!testdata'); do
  copy="$work/${file//\//_}"
  sed -E -e 's/sync\.(RW)?Mutex/deadlock.\1Mutex/g' -e '0,/^import \(/s//import (\n\t"github.com\/sasha-s\/go-deadlock"\n/' "$file" > "$copy"
  echo 'var _ sync.Locker // keeps the import' >> "$copy"
  replace+=("\"$PWD/$file\":\"$copy\"")
done
(IFS=,; echo "{\"Replace\":{${replace[*]}}}") > "$work/overlay.json"

go test -modfile="$work/go.mod" -overlay="$work/overlay.json" -vet=off -count=1 -timeout 10m "${@:-./lsp/...}"
