#!/usr/bin/env bash
# Prints the Homebrew formula of a release, from its checksums.txt. A formula rather than a cask, because what casks
# download is quarantined, and the programs for macOS are not notarized.
#   scripts/release/formula.sh VERSION bin/release/checksums.txt >aurora.rb
set -euo pipefail

version=${1:?a version} sums=${2:?checksums.txt}

# part INDENT OS ARCH: where the archive is, and its checksum.
part() {
  local file=aurora_${version}_$2_$3.tar.gz sum
  sum=$(awk -v file="$file" '$2 == file { print $1 }' "$sums")
  [ -n "$sum" ] || { echo "formula: $sums has no $file" >&2; exit 1; }
  printf '%surl "https://github.com/aurora-sidecar/aurora/releases/download/v%s/%s"\n' "$1" "$version" "$file"
  printf '%ssha256 "%s"\n' "$1" "$sum"
}

mac_arm=$(part '      ' darwin arm64) mac_intel=$(part '      ' darwin amd64)
linux_arm=$(part '      ' linux arm64) linux_intel=$(part '      ' linux amd64)
cat <<RUBY
class Aurora < Formula
  desc "Editor sidecar that remembers: code search, memory and answers"
  homepage "https://github.com/aurora-sidecar/aurora"
  version "$version"
  license "Apache-2.0"

  on_macos do
    on_arm do
$mac_arm
    end
    on_intel do
$mac_intel
    end
  end

  on_linux do
    on_arm do
$linux_arm
    end
    on_intel do
$linux_intel
    end
  end

  def install
    bin.install "aurora"
    bin.install_symlink "aurora" => "aur"
    man1.install Dir["share/man/man1/*"]
    bash_completion.install Dir["share/bash-completion/completions/*"]
    zsh_completion.install Dir["share/zsh/site-functions/*"]
    fish_completion.install Dir["share/fish/vendor_completions.d/*"]
    (share/"aurora").install "share/aurora/nvim"
    (share/"aurora/package").write "brew\n"
  end

  def caveats
    <<~TEXT
      The Neovim plugin is in #{opt_share}/aurora/nvim: link it as
        ~/.local/share/nvim/site/pack/aurora/start/aurora
    TEXT
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/aurora version")
  end
end
RUBY
