#!/usr/bin/env bash
# Unpacks a program of another Debian suite, with all its libraries, into a folder and makes it run there. Installs
# nothing on the system and leaves its apt sources alone; needs no root. The folder can't be moved afterwards.
#   debian-prefix.sh PREFIX SUITE PROGRAM PACKAGE...
#   debian-prefix.sh .editors/nvim-new sid nvim neovim        # then .editors/nvim-new/nvim is the command
# Needs apt-get, dpkg-deb and patchelf. DEBIAN_MIRROR names another mirror than the one this system uses.
set -euo pipefail

prefix=${1:?the folder to unpack into} suite=${2:?a Debian suite} program=${3:?the program in usr/bin}
shift 3
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

say() { echo "debian-prefix: $*" >&2; }

# The mirror this system uses already (label Debian: not the security archive), else the official one.
mirror() {
  local found
  found=$(apt-get indextargets --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
    awk '$1 == "Debian" { print $2; exit }')
  echo "${DEBIAN_MIRROR:-${found:-http://deb.debian.org/debian}}"
}

# download SUITE PACKAGE...: fetches the packages and all they need into $apt/cache/archives.
download() {
  printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By: %s\n' "$(mirror)" "$1" "$keyring" \
    >"$apt/parts/suite.sources"
  shift
  local options=(-q -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$apt/parts"
    -o Dir::State::lists="$apt/lists" -o Dir::State::status="$apt/status" -o Dir::State::extended_states="$apt/ext"
    -o Dir::Cache="$apt/cache" -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false
    -o Acquire::Languages=none -o Acquire::Retries=3 -o APT::Sandbox::User= -o Debug::NoLocking=1)
  apt-get "${options[@]}" update
  # The status file is empty, so the whole closure comes, the C library included.
  apt-get "${options[@]}" install --download-only --yes --no-install-recommends "$@"
}

# unpack: every downloaded package into one merged /usr, whatever layout the package uses.
unpack() {
  local dir deb
  mkdir -p "$prefix/usr"/{bin,sbin,lib,lib64}
  for dir in bin sbin lib lib64; do [ -e "$prefix/$dir" ] || ln -s "usr/$dir" "$prefix/$dir"; done
  for deb in "$apt"/cache/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$deb" | tar -x --no-same-owner --keep-directory-symlink -C "$prefix"
  done
  rm -rf "$apt/cache" "$apt/lists"
}

# launcher: what starts the program. Emacs does not find its files next to itself.
launcher() {
  local data dump
  echo '#!/bin/sh'
  data=$(find "$prefix/usr/share/emacs" -maxdepth 1 -name '[0-9]*' 2>/dev/null | head -n 1 || true)
  if [ -z "$data" ]; then
    printf 'exec %q "$@"\n' "$prefix/usr/bin/$program"
    return
  fi
  dump=$(find "$prefix/usr/libexec/emacs" -name '*.pdmp' | head -n 1)
  printf 'export EMACSLOADPATH=%q EMACSDATA=%q EMACSDOC=%q\n' \
    "$(find "$data/lisp" -type d | sort | tr '\n' ':')" "$data/etc" "$data/etc"
  printf 'exec %q --dump-file=%q "$@"\n' "$(readlink -f "$prefix/usr/bin/$program")" "$dump"
}

# relink: the program takes the loader and the libraries of the folder.
relink() {
  local exe loader libs
  exe=$(readlink -f "$prefix/usr/bin/$program")
  loader=$(find "$prefix/usr/lib64" "$prefix/usr/lib" -maxdepth 1 -name 'ld-linux*' | head -n 1)
  libs=$(find "$prefix/usr/lib" -maxdepth 1 -type d -name '*-linux-gnu*' | head -n 1)
  if [ ! -f "$exe" ] || [ -z "$loader" ] || [ -z "$libs" ]; then
    say "the packages hold no usr/bin/$program with its C library"
    exit 1
  fi
  # DT_RPATH (not RUNPATH), so that the libraries of libraries come from here, too.
  patchelf --force-rpath --set-interpreter "$loader" --set-rpath "$libs" "$exe"
  launcher >"$prefix/$program"
  chmod +x "$prefix/$program"
}

for tool in apt-get dpkg-deb patchelf; do
  command -v "$tool" >/dev/null || { say "$tool is needed and not there"; exit 1; }
done
[ -f "$keyring" ] || { say "$keyring is needed: install debian-archive-keyring"; exit 1; }
mkdir -p "$prefix/.apt"/{lists/partial,cache/archives/partial,parts}
prefix=$(cd "$prefix" && pwd)
apt=$prefix/.apt
: >"$apt/status"
download "$suite" "$@"
unpack
relink
{ "$prefix/$program" --version 2>/dev/null || "$prefix/$program" -version; } | head -n 1 # Kakoune knows the second only
