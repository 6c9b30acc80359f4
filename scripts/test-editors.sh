#!/usr/bin/env bash
# Every test that needs an editor or the protocol checker; each part ends with a line "N passed, N failed". Exit status
# 0 when all passed.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)

status=0
for part in test-protocol test-npm test-nvim test-nvim-plugin test-nvim-tmux test-other-editors; do
  bash "$here/$part.sh" || status=1
done
exit "$status"
