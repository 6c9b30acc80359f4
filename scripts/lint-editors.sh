#!/usr/bin/env bash
# Lints the Neovim plugin, its tests and the shell scripts, with those of luacheck and shellcheck that are there (Debian
# packages lua-check and shellcheck). Exit status 0 when nothing was found.
set -euo pipefail
cd "$(dirname "$0")/.."

if command -v luacheck >/dev/null; then
  luacheck -q --std luajit --globals vim T --max-line-length 130 -- editors/nvim testdata/editors/nvim
else
  echo "luacheck is not installed: Lua is not linted"
fi
if command -v shellcheck >/dev/null; then
  shellcheck -x -S warning scripts/*.sh
else
  for script in scripts/*.sh; do bash -n "$script"; done
fi
