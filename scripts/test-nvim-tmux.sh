#!/usr/bin/env bash
# Uses the Neovim plugin as a person does: keys go in through a private tmux server, what the screen shows is checked.
#   scripts/test-nvim-tmux.sh [NVIM...]
# AURORA_BIN names the sidecar (bin/aurora). SCREENS=DIR keeps a capture of every step. Exit status 0 when all is seen.
set -euo pipefail
# shellcheck source=scripts/lib-editors.sh
. "$(dirname "$0")/lib-editors.sh"

AURORA_BIN=$(aurora_bin)
command -v tmux >/dev/null || { echo "tmux is needed: run scripts/install-test-deps.sh" >&2; exit 1; }
checker=$repo/testdata/editors/lsp-check
passed=0 failed=0 run=0

tm() { tmux -L "aurora$$" -f /dev/null "$@"; }
screen() { tm capture-pane -p -t editor; }
keys() { tm send-keys -t editor "$@"; }

cleanup() {
  tm kill-server 2>/dev/null || true
  [ -z "${workspace:-}" ] || remove_workspace
}
trap cleanup EXIT

ok() {
  echo "ok      $1"
  passed=$((passed + 1))
}

fail() {
  echo "FAILED  $1"
  failed=$((failed + 1))
  screen
}

keep_screen() {
  [ -n "${SCREENS:-}" ] || return 0
  mkdir -p "$SCREENS"
  screen >"$SCREENS/$run-$(printf '%02d' "$passed").txt"
}

# see WHAT PATTERN [KEYS...]: waits until the screen shows the pattern; KEYS are pressed again every few seconds until
# then, for what the sidecar may leave unanswered on a busy machine.
see() {
  local what=$1 pattern=$2 i
  shift 2
  for i in $(seq 0 599); do
    if [ $# -gt 0 ] && [ $((i % 30)) -eq 0 ]; then keys "$@"; fi
    if screen | grep -qE -- "$pattern"; then
      ok "$what"
      keep_screen
      return 0
    fi
    sleep 0.1 # tmux tells nobody when a screen has changed
  done
  fail "$what: never saw $pattern"
  return 1
}

command_line() { keys ":$1" Enter; }

session() {
  see 'the file is there' 'Package basket keeps' || return
  see 'the statusline says that the index is ready' '\[aurora\]' || return
  keys '/volumeDiscount(len' Enter
  see 'K shows what the function is' 'takes a tenth off' K || return
  keys j 0
  keys '/volumeDiscount(len' Enter ga
  see 'the code actions are offered' '[Ff]ind related code' || return
  keys 1 Enter
  see 'related code is in the quickfix list' 'basket\.go\|[0-9]+ col [0-9]+.*TotalCents' || return
  command_line cclose
  command_line 'Aurora search ParsePrice'
  see 'the hits are offered' '1: ParsePrice +function +internal/price/price\.go:16' || return
  keys 1 Enter
  see 'the chosen one is shown' 'internal/price/price\.go .*16,6' || return
  command_line 'Aurora query who calls ParsePrice?'
  see 'the question is answered with sources' '1\. .*\.go:[0-9]+' || return
  see 'g? shows the keys of the answer' 'ask on, in the same window' 'g?' || return
  keys j i
  see 'i asks on' 'Ask on:' || return
  keys 'what calls volumeDiscount?' Enter
  see 'and the answer is shown below' '^# what calls volumeDiscount' || return
  keys +
  see 'a rating is shown' 'Rated good' '+' G || return
  keys q
  command_line 'Aurora status'
  see 'the status is shown' 'files +12 of 12 indexed' || return
  keys q
}

run_nvim() { # NVIM
  run=$((run + 1))
  echo "== $1 by keyboard: $("$1" --version | head -n 1)"
  new_workspace
  local log=$workspace/findings.jsonl
  (
    editor_env
    AURORA_CMD=$(printf '["node","%s/lsp-check.mjs","--log","%s","--","%s","serve"]' \
      "$checker" "$log" "$AURORA_BIN")
    export AURORA_CMD LANG=C.UTF-8 TERM=xterm-256color
    tm new-session -d -s editor -x 110 -y 32 -c "$workspace/project" \
      "'$1' --clean --cmd 'set rtp^=$repo/editors/nvim' --cmd 'luafile $repo/testdata/editors/nvim/keyboard.lua' internal/basket/basket.go"
  )
  session || true
  command_line 'qa!'
  # Neovim waits for its servers; the tmux server ends with its last window.
  local i
  for i in $(seq 100); do
    tm has-session -t editor 2>/dev/null || break
    sleep 0.1
  done
  if grep -s '"who":"\(server\|checker\)"' "$log" | cut -c 1-600; then
    echo "FAILED  the sidecar broke the protocol"
    failed=$((failed + 1))
  fi
  cleanup
}

while read -r nvim <&3; do run_nvim "$nvim"; done 3< <(neovims "$@")
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
