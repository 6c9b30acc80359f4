# shellcheck shell=bash
# Shared by the scripts that run editors; sourced, not run. Sets $repo and gives:
#   new_workspace     a fresh folder with a home and a copy of testdata/project under git; its path in $workspace
#   editor_env        exports the HOME and XDG folders of $workspace
#   remove_workspace  ends the sidecars that editors left running for each other, and removes $workspace
#   limited SECONDS COMMAND...   runs with a time limit where the system has one
repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

limited() {
  local seconds=$1 tool
  shift
  for tool in timeout gtimeout; do
    if command -v "$tool" >/dev/null; then "$tool" "$seconds" "$@"; return; fi
  done
  "$@"
}

new_workspace() {
  workspace=$(mktemp -d "${TMPDIR:-/tmp}/aurora.XXXXXX")
  workspace=$(cd "$workspace" && pwd -P) # macOS: /tmp is a link
  mkdir -p "$workspace/home"
  cp -R "$repo/testdata/project" "$workspace/project"
  (
    cd "$workspace/project" || exit 1
    export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
    git init -q
    git add -A
    git -c user.name='A. Tester' -c user.email=tester@example.com -c commit.gpgsign=false commit -qm 'Open the shop'
  )
}

editor_env() {
  export HOME=$workspace/home
  export XDG_CONFIG_HOME=$HOME/.config XDG_DATA_HOME=$HOME/.local/share XDG_STATE_HOME=$HOME/.local/state \
    XDG_CACHE_HOME=$HOME/.cache
  unset NVIM_APPNAME VIMRUNTIME VIMINIT NVIM AURORA_HOME
  mkdir -p "$XDG_CONFIG_HOME" "$XDG_DATA_HOME" "$XDG_STATE_HOME" "$XDG_CACHE_HOME"
}

remove_workspace() {
  (editor_env; "${AURORA_BIN:?}" daemon stop --all >/dev/null 2>&1) || true
  rm -rf "$workspace"
}

# The Neovims to test: those given, else 0.7, 0.10, 0.11, the system's and the current one, as far as they are there.
neovims() {
  local path
  if [ $# -gt 0 ]; then
    for path; do
      path=$(command -v "$path") || { echo "there is no $path" >&2; return 1; }
      case $path in
        /*) echo "$path" ;;
        *) echo "$PWD/$path" ;; # the tests run in other folders
      esac
    done
    return
  fi
  for path in "$repo/.editors/nvim-0.7/nvim" "$repo/.editors/nvim-0.10/nvim" "$repo/.editors/nvim-0.11/nvim" "$(command -v nvim || true)" \
    "$repo/.editors/nvim-new/nvim"; do
    if [ -n "$path" ] && [ -x "$path" ]; then echo "$path"; fi
  done
}

aurora_bin() {
  local bin=${AURORA_BIN:-$repo/bin/aurora}
  if [ ! -x "$bin" ]; then
    echo "no $bin: run 'make build' first, or set AURORA_BIN" >&2
    return 1
  fi
  (cd "$(dirname "$bin")" && echo "$PWD/$(basename "$bin")")
}
