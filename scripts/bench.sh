#!/usr/bin/env bash
# Measures bin/aurora on the Go standard library and keeps the table in docs/performance.md.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p bin
(cd tools && go build -o ../bin/aurora-bench ./cmd/aurora-bench)
bin/aurora-bench -aurora "${AURORA_BIN:-bin/aurora}" "$@" | tee bin/bench.txt
{
  sed '/<!-- bench -->/q' docs/performance.md
  echo; echo "Measured $(date -u +%F) at $(git rev-parse --short HEAD 2>/dev/null || echo unknown) on a machine of $(nproc) cores."
  echo; cat bin/bench.txt
} > bin/performance.md
mv bin/performance.md docs/performance.md
