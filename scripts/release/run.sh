#!/usr/bin/env bash
# Builds a release into bin/release, as .goreleaser.yaml says.
#   scripts/release/run.sh --dry [OS_ARCH...]   # nothing is published; only these platforms, or all six
#   scripts/release/run.sh --publish            # in CI, on a tag: makes a draft release (GITHUB_TOKEN)
#   scripts/release/run.sh --version            # tells the version of the GoReleaser that it would run
# GORELEASER and ZIG name these programs; without, goreleaser is taken from PATH, else built from its source.
set -euo pipefail
cd "$(dirname "$0")/../.."

goreleaser_module=github.com/goreleaser/goreleaser/v2@v2.16.0
parts=$PWD/bin/release-parts
mode=${1:-}
shift || true

say() { echo "release: $*" >&2; }

# "type -P" looks for a program only; "command -v" would find this function.
goreleaser() {
  local program
  program=${GORELEASER:-$(type -P goreleaser || true)}
  if [ -n "$program" ]; then
    "$program" "$@"
  else
    say "no goreleaser on PATH: it is built, once, which takes minutes and 3 GB of Go's caches"
    CGO_ENABLED=0 go run "$goreleaser_module" "$@"
  fi
}

# only PLATFORM...: the configuration with these platforms, on standard output.
only() {
  awk -v wanted=" $* " '
    /^ *targets:/ { inside = 1; print; next }
    inside && /^ *- / { if (index(wanted, " " $2 " ")) print; next }
    { inside = 0; print }' .goreleaser.yaml
}

prepare() {
  rm -rf "$parts"
  mkdir -p "$parts"
  ZIG=$(bash scripts/release/zig.sh)
  export ZIG MACOS_STUBS=$parts/macos-stubs PATH=$parts:$PATH
  export ZIG_GLOBAL_CACHE_DIR=${ZIG_GLOBAL_CACHE_DIR:-$PWD/.release/zig-cache} ZIG_LOCAL_CACHE_DIR=${ZIG_LOCAL_CACHE_DIR:-$PWD/.release/zig-cache}
  # GoReleaser tells these only in a clone that has a remote.
  RELEASE_COMMIT=$(git rev-parse --short=12 HEAD)
  RELEASE_DATE=$(TZ=UTC git log -1 --date=format-local:%Y-%m-%dT%H:%M:%SZ --format=%cd)
  RELEASE_TIMESTAMP=$(git log -1 --format=%ct)
  RELEASE_LAST=$(git describe --tags --abbrev=0 --match 'v[0-9]*' 2>/dev/null || echo v0.0.0)
  RELEASE_LAST=${RELEASE_LAST#v}
  export RELEASE_COMMIT RELEASE_DATE RELEASE_TIMESTAMP RELEASE_LAST
  bash scripts/release/macos-stubs.sh "$MACOS_STUBS"
  (cd tools && CGO_ENABLED=0 go build -o "$parts/aurora-sbom" ./cmd/aurora-sbom)
  bash scripts/install-vscode-packages.sh
  bash scripts/release/nvim.sh "$parts/aurora.nvim" "$RELEASE_LAST"
  tar -C "$parts" -czf "$parts/aurora.nvim.tar.gz" aurora.nvim
}

release_version() { sed -n 's/.*"version": *"\([^"]*\)".*/\1/p' bin/release/metadata.json | head -n 1; }

# formula: when all of its archives were built.
formula() {
  bash scripts/release/formula.sh "$(release_version)" bin/release/checksums.txt >bin/release/aurora.rb
}

# npm: the package of MCP clients, with the checksums of the archives that were built.
npm_package() {
  bash scripts/release/npm.sh "$(release_version)" bin/release/checksums.txt bin/release
}

case $mode in
  --dry)
    config=.goreleaser.yaml
    skip=publish
    prepare
    if [ $# -gt 0 ]; then
      host=$(go env GOHOSTOS)_$(go env GOHOSTARCH)
      case " $* " in
        *" $host "*) ;;
        *) say "$host is built, too: its program writes the manual pages of all"; set -- "$host" "$@" ;;
      esac
      config=$parts/goreleaser.yaml
      only "$@" >"$config"
      case " $*" in *" linux_"*) ;; *) skip+=,nfpm ;; esac # packages are for Linux
    fi
    # One platform after another: the C compilers of one fill a machine. On two busy cores all six take more than the hour that
    # GoReleaser waits unless told otherwise.
    goreleaser release --snapshot --clean --parallelism 1 --timeout 3h --skip="$skip" --config "$config"
    if [ $# -eq 0 ]; then formula; else say "no Homebrew formula: it names the archives of all platforms"; fi
    npm_package
    bash scripts/release/check.sh
    ;;
  # The version of the GoReleaser that would run: tells whether one can.
  --version)
    goreleaser --version
    ;;
  --publish)
    prepare
    goreleaser release --clean --parallelism 1 --timeout 3h
    formula
    npm_package
    bash scripts/release/check.sh
    ;;
  *)
    echo "usage: run.sh --dry [OS_ARCH...], run.sh --publish, or run.sh --version" >&2
    exit 2
    ;;
esac
