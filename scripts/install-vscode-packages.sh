#!/usr/bin/env bash
# Installs the npm packages that the VS Code extension is built and tested with, when the lock file has changed.
set -euo pipefail
cd "$(dirname "$0")/../editors/vscode"
command -v npm >/dev/null || { echo "npm is needed (Node.js 20 or later)" >&2; exit 1; }
stamp=node_modules/.stamp
if [ "$(cat "$stamp" 2>/dev/null)" = "$(cksum <package-lock.json)" ]; then exit 0; fi
echo "installing the packages of the VS Code extension"
npm ci --no-fund --no-audit --loglevel=error </dev/null || { echo "npm ci failed: is the network there?" >&2; exit 1; }
cksum <package-lock.json >"$stamp"
