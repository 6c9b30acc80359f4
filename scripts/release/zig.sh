#!/usr/bin/env bash
# Prints the path of the zig that compiles the C of a release, after fetching it from PyPI when it is not there.
# ZIG names another one.
set -euo pipefail

version=0.17.1
zig=${ZIG:-$(cd "$(dirname "$0")/../.." && pwd)/.release/zig-$version/ziglang/zig}

stop() {
  echo "zig: $*" >&2
  exit 1
}

if [ ! -x "$zig" ]; then
  [ -z "${ZIG:-}" ] || stop "$ZIG, which ZIG names, can't be run"
  command -v python3 >/dev/null || stop "python3 with pip is needed, or ZIG=/path/to/zig"
  into=$(dirname "$(dirname "$zig")")
  rm -rf "$into"
  python3 -m pip --disable-pip-version-check --quiet install --root-user-action ignore --no-deps --target "$into" "ziglang==$version" >&2 ||
    stop "pip could not install ziglang $version: is the network there?"
fi
echo "$zig"
