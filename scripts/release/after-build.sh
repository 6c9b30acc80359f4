#!/usr/bin/env bash
# What is made from a program as soon as it is built: the VS Code extension with the program inside, and, from the one that
# runs on this machine, manual pages and completions. The release configuration calls it for each program.
#   scripts/release/after-build.sh PROGRAM OS ARCH VERSION
set -euo pipefail
cd "$(dirname "$0")/../.."

program=$1 os=$2 arch=$3 version=$4
parts=bin/release-parts

# manuals_and_completions: into $parts/share, laid out as below /usr/share.
manuals_and_completions() {
  local share=$parts/share name
  rm -rf "$share"
  mkdir -p "$share"/bash-completion/completions "$share"/zsh/site-functions "$share"/fish/vendor_completions.d
  "$program" man --dir "$share/man/man1" >/dev/null
  gzip -9n "$share"/man/man1/*.1
  # The programs write completions for the name by which they are called.
  for name in aurora aur; do
    ln -sf "$(realpath "$program")" "$parts/$name"
    "$parts/$name" completion bash >"$share/bash-completion/completions/$name"
    "$parts/$name" completion zsh >"$share/zsh/site-functions/_$name"
    "$parts/$name" completion fish >"$share/fish/vendor_completions.d/$name.fish"
    rm "$parts/$name"
  done
}

extension() {
  local system=$os cpu=$arch
  if [ "$os" = windows ]; then system=win32; fi
  if [ "$arch" = amd64 ]; then cpu=x64; fi
  AURORA_VERSION=$version node editors/vscode/scripts/package.mjs "$parts/aurora_${version}_$system-$cpu.vsix" "$program" "$system-$cpu" >/dev/null
}

mkdir -p "$parts"
if [ "$os/$arch" = "$(go env GOHOSTOS)/$(go env GOHOSTARCH)" ]; then manuals_and_completions; fi
extension
