#!/usr/bin/env bash
# Makes the protocol checker of the editor tests, when it is not there or what it is made of has changed: npm's packages,
# and what it knows of the protocol.
#   scripts/install-lsp-check.sh [--check]      # --check: only says whether it is missing
set -euo pipefail
repo=$(cd "$(dirname "$0")/.." && pwd)
checker=$repo/testdata/editors/lsp-check
stamp=$checker/node_modules/.stamp

wanted() { cat "$checker/package-lock.json" "$checker/make-validators.mjs" "$repo/editors/vscode/src/protocol.ts" | cksum; }

if [ -f "$checker/lsp.methods.json" ] && [ -f "$checker/lsp.validators.cjs" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$(wanted)" ]; then
  exit 0
fi
if [ "${1:-}" = --check ]; then
  echo "missing: the protocol checker's packages; run scripts/install-lsp-check.sh" >&2
  exit 1
fi
command -v npm >/dev/null || { echo "npm is needed for the protocol checker (Node.js 20 or later)" >&2; exit 1; }
echo "installing the protocol checker"
cd "$checker"
{ npm ci --no-fund --no-audit --loglevel=error </dev/null && node make-validators.mjs; } ||
  { echo "npm could not install the protocol checker: is the network there?" >&2; exit 1; }
wanted >"$stamp"
