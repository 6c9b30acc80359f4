#!/usr/bin/env bash
# Builds the program of this machine twice, from two copies of the last commit in two folders and with two empty caches,
# with the flags of a release, and compares the bytes.
set -euo pipefail
cd "$(dirname "$0")/../.."
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
commit=$(git rev-parse --short=12 HEAD)
app=github.com/aurora-sidecar/aurora/internal/cli/app
for copy in one another/place; do
  mkdir -p "$dir/$copy/src"
  git archive HEAD | tar -x -C "$dir/$copy/src"
  (cd "$dir/$copy/src" && GOCACHE=$dir/$copy/cache go build -trimpath -buildvcs=false -tags netgo,osusergo \
    -ldflags "-s -w -funcalign=16 -X $app.commit=$commit" -o "$dir/$copy/aurora" ./cmd/aurora) 2>&1 | grep -v -e parser.c -e '^ *|' -e '^# github' || true
  sha256sum "$dir/$copy/aurora" | sed "s|$dir/||"
done
cmp "$dir/one/aurora" "$dir/another/place/aurora"
echo "reproducible: both builds of $commit are the same, byte for byte"
