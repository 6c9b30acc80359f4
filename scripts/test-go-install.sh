#!/usr/bin/env bash
# Proves that "go install .../cmd/aurora@version" works: serves the last commit as a module from a folder, as a module
# proxy would, installs it into an empty folder, and runs it. All else comes from Go's usual caches and proxy.
set -euo pipefail
cd "$(dirname "$0")/.."

module=$(go list -m)
version=v0.0.1-installtest
tmp=$(mktemp -d)
cache=$(go env GOMODCACHE)

# clean also takes what was unpacked into the module cache, which is read-only.
clean() {
  local dir
  for dir in "$cache/$module@$version" "$tmp"; do
    if [ -d "$dir" ]; then chmod -R u+w "$dir" && rm -rf "$dir"; fi
  done
  rmdir "$cache/$(dirname "$module")" 2>/dev/null || true
  rm -f "$cache/cache/download/$module/@v/$version".* "$cache/cache/download/$module/@v/list"
}
trap clean EXIT

served=$tmp/proxy/$module/@v root=$tmp/$module@$version
mkdir -p "$served" "$root"
git archive HEAD | tar -x -C "$root"
# A module ends where another one begins.
find "$root" -mindepth 2 -name go.mod -printf '%h\0' | xargs -0 -r rm -rf
cp "$root/go.mod" "$served/$version.mod"
printf '{"Version":"%s","Time":"2026-01-02T03:04:05Z"}\n' "$version" >"$served/$version.info"
echo "$version" >"$served/list"
python3 - "$tmp" "$module@$version" "$served/$version.zip" <<'PYTHON'
import os, sys, zipfile
tmp, name, out = sys.argv[1:]
with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as z:
    for folder, _, files in os.walk(os.path.join(tmp, name)):
        for file in files:
            path = os.path.join(folder, file)
            if not os.path.islink(path):  # modules have none
                z.write(path, os.path.relpath(path, tmp))
PYTHON

env -C "$tmp" GOPROXY="file://$tmp/proxy,$(go env GOPROXY)" GONOSUMDB="$module" GOFLAGS=-modcacherw GOBIN="$tmp/bin" \
  go install "$module/cmd/aurora@$version"
told=$(env -i "$tmp/bin/aurora" version)
[[ "$told" == "aurora $version "* ]] || { echo "go install: the program says: $told" >&2; exit 1; }
echo "go install $module/cmd/aurora@version: $told"
