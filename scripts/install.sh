#!/usr/bin/env bash
# Puts a built program, its short name, manual pages and completions below a folder such as /usr/local.
#   scripts/install.sh PROGRAM FOLDER
set -euo pipefail

program=${1:?the built program} folder=${2:?the folder to install into}
share=$folder/share

mkdir -p "$folder/bin" "$share"/bash-completion/completions "$share"/zsh/site-functions "$share"/fish/vendor_completions.d
"$program" man --dir "$share/man/man1" >/dev/null
# By another name first: the old one may be running.
install -m 755 "$program" "$folder/bin/.aurora.new"
mv -f "$folder/bin/.aurora.new" "$folder/bin/aurora"
ln -sf aurora "$folder/bin/aur"
for name in aurora aur; do
  # The program writes completions for the name by which it is called.
  "$folder/bin/$name" completion bash >"$share/bash-completion/completions/$name"
  "$folder/bin/$name" completion zsh >"$share/zsh/site-functions/_$name"
  "$folder/bin/$name" completion fish >"$share/fish/vendor_completions.d/$name.fish"
done
