#!/usr/bin/env bash
# Checks what is in bin/release, as far as this machine can: checksums, what each program is, that the one for this
# machine runs without a C library, that the Debian package can be installed, run and removed. Says what it can't check.
set -euo pipefail
cd "$(dirname "$0")/../../bin/release"

limit_mb=120
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
host=$(go env GOHOSTOS)/$(go env GOHOSTARCH)

ok() { printf 'ok    %s\n' "$*"; }
skip() { printf 'skip  %s\n' "$*"; }
stop() {
  printf 'FAIL  %s\n' "$*" >&2
  exit 1
}

check_checksums() {
  # The extension's packages are beside bin/release.
  local sum file
  while read -r sum file; do
    if [ ! -f "$file" ]; then file=../release-parts/$file; fi
    [ "$(sha256sum <"$file")" = "$sum  -" ] || stop "checksums.txt does not fit $file"
  done <checksums.txt
  ok "checksums of $(wc -l <checksums.txt) files"
}

check_programs() {
  local program size what
  for program in aurora_*/aurora aurora_*/aurora.exe; do
    [ -f "$program" ] || continue
    size=$(($(wc -c <"$program") / 1000000))
    what=$(go version -m "$program" | sed -n 's/.*GOOS=//p')/$(go version -m "$program" | sed -n 's/.*GOARCH=//p')
    what="$what, $size MB"
    if command -v file >/dev/null; then what="$what, $(file -b "$program" | cut -d, -f1-2,4)"; fi
    ok "$program: $what"
    [ "$size" -lt "$limit_mb" ] || printf 'NOTE  %s is larger than %s MB\n' "$program" "$limit_mb"
    case $what in
      "$host"*) check_host_program "$program" ;;
      darwin*) ok "$program: $(python3 ../../scripts/release/check-macho.py "$program")" && skip "$program can't be run here" ;;
      linux/arm64*) check_emulated "$program" qemu-aarch64-static ;;
      linux/amd64*) check_emulated "$program" qemu-x86_64-static ;;
      *) skip "$program can't be run here" ;;
    esac
  done
}

# check_emulated PROGRAM EMULATOR: one for Linux on another processor, when the emulator (Debian's qemu-user-static) is there.
check_emulated() {
  local version
  if ! command -v "$2" >/dev/null; then skip "$1 can't be run here: no $2"; return; fi
  version=$(env -i "$(command -v "$2")" "$1" version) || stop "$1 does not run in $2"
  ok "$version"
}

# check_host_program PROGRAM: it needs no library, no home, no environment, and knows its version.
check_host_program() {
  local version
  if [ "$(go env GOHOSTOS)" = linux ]; then
    if ldd "$1" >/dev/null 2>&1; then stop "$1 needs libraries of the system"; fi
    ok "$1 is static"
  fi
  version=$(env -i "$1" version)
  [[ "$version" =~ ^aurora\ [0-9]+\.[0-9]+\.[0-9].*\ \([0-9a-f]{7,}\ [0-9]{4}-[0-9]{2}-[0-9]{2}T ]] || stop "$1 does not know its version: $version"
  ok "$version"
  if [ "$(id -u)" = 0 ] && [ "$(go env GOHOSTOS)" = linux ]; then
    mkdir "$tmp/empty"
    cp "$1" "$tmp/empty/aurora"
    chroot "$tmp/empty" /aurora version >/dev/null || stop "$1 does not run where nothing else is"
    ok "$1 runs in a root that holds nothing else"
  fi
}

check_archives() {
  local archive
  for archive in aurora_*.tar.gz; do
    [ -f "$archive" ] || continue
    tar -tzf "$archive" >"$tmp/list"
    for wanted in /aurora /LICENSE /share/man/man1/aurora.1.gz /share/bash-completion/completions/aur /share/aurora/nvim/lua/aurora/init.lua; do
      grep -q "$wanted\$" "$tmp/list" || stop "$archive has no $wanted"
    done
    ok "$archive: $(wc -l <"$tmp/list") files"
  done
}

check_bills() {
  local bill
  for bill in *.cdx.json; do
    [ "$(jq -r .bomFormat 2>/dev/null <"$bill" || grep -o CycloneDX "$bill" | head -n 1)" = CycloneDX ] || stop "$bill is no bill of materials"
    grep -q 'pkg:golang/github.com/smacker/go-tree-sitter@' "$bill" || stop "$bill does not name the grammars"
    ok "$bill: $(grep -c '"purl"' "$bill") components"
  done
}

# check_deb: into a root of its own, where the system's dpkg database is not touched.
check_deb() {
  local deb=$1 root=$tmp/root
  if ! command -v dpkg >/dev/null || [ "$(id -u)" != 0 ]; then skip "$deb: dpkg and root are needed to install it"; return; fi
  mkdir -p "$root/var/lib/dpkg/updates" "$root/var/lib/dpkg/info"
  : >"$root/var/lib/dpkg/status"
  dpkg --root="$root" --force-depends --log=/dev/null -i "$deb" >"$tmp/dpkg.log" 2>&1 || { cat "$tmp/dpkg.log" >&2; stop "$deb can't be installed"; }
  env -i "$root/usr/bin/aur" version >/dev/null || stop "$deb: aur does not run"
  # To a person who runs it, it says that the package manager removes it.
  HOME=$tmp/home "$root/usr/bin/aurora" uninstall --dry-run | grep 'apt-get remove aurora' >/dev/null || stop "$deb: uninstall does not name apt-get"
  dpkg --root="$root" --log=/dev/null -r aurora >"$tmp/dpkg.log" 2>&1 || stop "$deb can't be removed"
  if [ -e "$root/usr/bin/aurora" ] || [ -e "$root/usr/share/aurora" ]; then stop "$deb leaves files behind"; fi
  ok "$deb: installed, run, removed"
  rm -rf "$root"
}

check_debs() {
  local deb
  for deb in *.deb; do
    [ -f "$deb" ] || continue
    case $deb in
      *_"$(go env GOHOSTARCH)".deb) check_deb "$deb" ;;
      *) dpkg-deb --contents "$deb" >/dev/null && skip "$deb is for another processor: only read" ;;
    esac
  done
}

check_extensions() {
  local vsix
  for vsix in ../release-parts/*.vsix; do
    python3 -m zipfile -l "$vsix" | grep 'extension/bin/aurora' >/dev/null || stop "$vsix has no program"
    ok "$(basename "$vsix"): $(($(wc -c <"$vsix") / 1000000)) MB"
  done
}

check_formula() {
  if [ ! -f aurora.rb ]; then return; fi
  if command -v ruby >/dev/null; then ruby -c aurora.rb >/dev/null && ok "aurora.rb is Ruby"; else skip "aurora.rb: no ruby to read it"; fi
}

# The npm package runs the program of the archive for this machine, taken from a folder in place of GitHub.
check_npm() {
  local package archive port version
  package=$(echo aurora-sidecar-*.tgz)
  [ -f "$package" ] || stop "there is no npm package"
  version=${package#aurora-sidecar-} version=${version%.tgz}
  archive=aurora_${version}_$(go env GOHOSTOS)_$(go env GOHOSTARCH).tar.gz
  if ! command -v node >/dev/null || [ ! -f "$archive" ]; then skip "$package can't be run here"; return; fi
  mkdir -p "$tmp/npm" "$tmp/site/v$version"
  tar -C "$tmp/npm" -xzf "$package"
  cp "$archive" "$tmp/site/v$version/"
  python3 -u -m http.server --bind 127.0.0.1 --directory "$tmp/site" 0 >"$tmp/served" 2>/dev/null &
  local server=$!
  while ! grep -q 'port [0-9]' "$tmp/served"; do kill -0 "$server" || stop "no server for $package"; done
  port=$(sed -n 's/.*port \([0-9]*\).*/\1/p' "$tmp/served")
  local got
  got=$(env -i PATH=/usr/bin:/bin HOME="$tmp" AURORA_DOWNLOADS="http://127.0.0.1:$port" "$(command -v node)" "$tmp/npm/package/main.mjs" version 2>/dev/null) || true
  kill "$server"
  [[ "$got" = "aurora $version "* ]] || stop "$package says: $got"
  ok "$package fetches and runs: $got"
}

check_checksums
check_programs
check_archives
check_bills
check_debs
check_extensions
check_formula
check_npm
