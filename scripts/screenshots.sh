#!/usr/bin/env bash
# Takes the pictures of docs/editors.md again, those of the tests in the current VS Code, each in a dark and in a light theme, as
# PNGs of few colours; and makes the animations of README.md and docs/team.md from what terminals show.
set -euo pipefail
# shellcheck source=scripts/lib-editors.sh
. "$(dirname "$0")/lib-editors.sh"

shots=$(mktemp -d)
trap 'rm -rf "$shots"' EXIT
bash "$repo/scripts/install-test-deps.sh"
bash "$repo/scripts/test-vscode.sh" --only workbench --shots "$shots" 4.139.1
mkdir -p "$repo/docs/images"
AURORA_BIN=$(aurora_bin) node "$repo/scripts/animation.mjs" "$repo/docs/images/terminal.svg"
AURORA_BIN=$(aurora_bin) NVIM=$(neovims | tail -n 1) node "$repo/scripts/animation-team.mjs" "$repo/docs/images/team.svg"
for name in {hover,search,citation,model,walkthrough,reasoned,change-preview,consent,chat,memory,lens}{,-light}; do
  node "$repo/editors/vscode/scripts/shrink.mjs" "$shots/$name.png" "$repo/docs/images/vscode-$name.png"
  size=$(wc -c <"$repo/docs/images/vscode-$name.png")
  [ "$size" -lt 150000 ] || { echo "vscode-$name.png has $size bytes, 150000 are allowed" >&2; exit 1; }
done
