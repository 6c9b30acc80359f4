#!/usr/bin/env bash
# Writes text stubs of the macOS libraries that Go's standard library calls, so that a program for macOS can be linked
# where no macOS SDK is. The names are read from Go's own sources, so the stubs fit the Go that builds.
#   scripts/release/macos-stubs.sh FOLDER      # then link with -F FOLDER -L FOLDER
set -euo pipefail

out=${1:?the folder to write to}
goroot=$(go env GOROOT)

# stub FILE INSTALL_NAME: a stub with the symbols that Go imports from the library of that name.
stub() {
  local symbols
  symbols=$(grep -rh --include='*.go' "^//go:cgo_import_dynamic .* \"$2\"" "$goroot/src" | awk '{ print "_" $3 }' | sort -u | paste -sd, -)
  [ -n "$symbols" ] || { echo "macos-stubs: Go in $goroot imports nothing from $2" >&2; exit 1; }
  mkdir -p "$(dirname "$1")"
  cat >"$1" <<TBD
--- !tapi-tbd
tbd-version: 4
targets: [ x86_64-macos, arm64-macos ]
install-name: '$2'
exports:
  - targets: [ x86_64-macos, arm64-macos ]
    symbols: [ ${symbols//,/, } ]
...
TBD
}

for name in CoreFoundation Security; do
  stub "$out/$name.framework/$name.tbd" "/System/Library/Frameworks/$name.framework/Versions/A/$name"
done
stub "$out/libresolv.tbd" /usr/lib/libresolv.9.dylib
