#!/usr/bin/env bash
# Makes the Neovim plugin as a root of its own, as plugin managers and LuaRocks install it: what is in editors/nvim, the licence
# and a rockspec. A release pushes it as the repository aurora.nvim, and has it as an archive.
#   scripts/release/nvim.sh FOLDER [VERSION]      # FOLDER is made anew; VERSION is three numbers, or absent: scm
set -euo pipefail
cd "$(dirname "$0")/../.."

folder=${1:?the folder to make} version=${2:-scm}
name=aurora.nvim
url=https://github.com/aurora-sidecar/$name
source="url = 'git+$url'"
case $version in
  [0-9]*) source="$source, tag = 'v$version'" ;;
esac

rm -rf "$folder"
mkdir -p "$folder"
git ls-files editors/nvim | while read -r file; do
  case $file in
    editors/nvim/scripts/*) ;; # they make doc/
    *)
      target=$folder/${file#editors/nvim/}
      mkdir -p "$(dirname "$target")"
      cp "$file" "$target"
      ;;
  esac
done
cp LICENSE "$folder/LICENSE"
cat >"$folder/$name-$version-1.rockspec" <<SPEC
rockspec_format = '3.0'
package = '$name'
version = '$version-1'
source = { $source }
description = {
  summary = 'Searches, explains and remembers the code you are in, next to your other language servers',
  homepage = '$url',
  license = 'Apache-2.0',
  labels = { 'neovim' },
}
dependencies = { 'lua >= 5.1' }
build = { type = 'builtin', copy_directories = { 'doc', 'lsp', 'plugin' } }
SPEC
