#!/usr/bin/env bash
# The sidecar in editors that know nothing of it beyond the protocol: Helix and Kakoune by keyboard, Emacs with Eglot, Vim with
# ALE. Each is skipped, and said to be, where it is not installed; every message passes the protocol checker.
#   scripts/test-other-editors.sh [helix|kakoune|emacs|vim]...
# AURORA_BIN names the sidecar (bin/aurora). Exit status 0 when nothing failed.
set -euo pipefail
# shellcheck source=scripts/lib-editors.sh
. "$(dirname "$0")/lib-editors.sh"

AURORA_BIN=$(aurora_bin)
checker=$repo/testdata/editors/lsp-check
bash "$repo/scripts/install-lsp-check.sh"
passed=0 failed=0 workspace=

tm() { tmux -L "aurora$$" -f /dev/null "$@"; }

cleanup() {
  tm kill-server 2>/dev/null || true
  [ -z "$workspace" ] || remove_workspace
  workspace=
}
trap cleanup EXIT

count() { # PASSED FAILED
  passed=$((passed + $1))
  failed=$((failed + $2))
}

# begin: a workspace, and in AURORA_CMD the sidecar behind the checker.
begin() {
  new_workspace
  log=$workspace/findings.jsonl
  export AURORA_CMD="node $checker/lsp-check.mjs --log $log -- $AURORA_BIN serve"
  export AURORA_PROJECT=$workspace/project
}

# finish: what the checker found about the server, and the workspace's end.
finish() {
  if grep -s '"who":"\(server\|checker\)"' "$log" | cut -c 1-600; then
    echo "FAILED  the sidecar broke the protocol"
    count 0 1
  fi
  cleanup
}

emacs_run() { # EMACS OPTIONS...
  local out status=0 ok bad
  echo "== $("$1" --version | head -n 1), Eglot"
  begin
  out=$(editor_env; cd "$workspace/project" && limited 300 "$@" -l "$repo/testdata/editors/emacs/eglot.el" \
    -f ert-run-tests-batch-and-exit </dev/null 2>&1) || status=$?
  ok=$(grep -c '^ *passed ' <<<"$out" || true)
  bad=$(grep -cE '^ *FAILED ' <<<"$out" || true)
  [ "$status" -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
  if [ "$bad" -gt 0 ]; then tail -n 60 <<<"$out"; else grep '^ *passed ' <<<"$out"; fi
  count "$ok" "$bad"
  finish
}

test_emacs() {
  local new=$repo/.editors/emacs-30/emacs-nox ran=
  if command -v emacs >/dev/null && [ -d /usr/share/emacs/site-lisp/elpa-src ]; then
    emacs_run emacs --batch -l package -f package-initialize
    ran=yes
  fi
  if [ -x "$new" ]; then
    emacs_run "$new" --batch -Q
    ran=yes
  fi
  [ -n "$ran" ] || echo "SKIPPED  Emacs with Eglot is not installed"
}

test_vim() {
  local out status=0 counts
  if ! command -v vim >/dev/null || [ ! -d /usr/share/vim-ale ]; then
    echo "SKIPPED  Vim with ALE is not installed"
    return
  fi
  echo "== $(vim --version | head -n 1), ALE"
  begin
  out=$(editor_env; cd "$workspace/project" && TERM=dumb limited 300 vim -N -u NONE -i NONE -n -es \
    -S "$repo/testdata/editors/vim/ale.vim" </dev/null 2>&1) || status=$?
  grep -Ev '^[0-9]+ passed, [0-9]+ failed$' <<<"$out" || true
  counts=$(grep -Eo '^[0-9]+ passed, [0-9]+ failed' <<<"$out" | tail -n 1 || true)
  [ -n "$counts" ] || { echo "BROKEN  Vim ended with status $status"; counts='0 passed, 1 failed'; }
  counts=${counts/ passed,/}
  count "${counts%% *}" "$(cut -d ' ' -f 2 <<<"$counts")"
  finish
}

keys() { tm send-keys -t editor "$@"; }

# see WHAT PATTERN [KEYS...]: waits until the screen shows the pattern; KEYS are pressed again every few seconds.
see() {
  local what=$1 pattern=$2 i
  shift 2
  for i in $(seq 0 599); do
    if [ $# -gt 0 ] && [ $((i % 30)) -eq 0 ]; then keys "$@"; fi
    if tm capture-pane -p -t editor | grep -qE -- "$pattern"; then
      echo "ok      $what"
      count 1 0
      return 0
    fi
    sleep 0.1 # tmux tells nobody when a screen has changed
  done
  echo "FAILED  $what: never saw $pattern"
  count 0 1
  tm capture-pane -p -t editor
  return 1
}

helix_session() {
  see 'the file is there' 'Package basket keeps' || return
  keys '/volumeDiscount' Enter
  see 'a hover tells of the name under the cursor' 'Defined in|takes a tenth off from .*item on|Called by' Escape Space k || return
  keys Escape
  keys Escape Escape
  see 'the code actions are offered' '[Ff]ind related code' Escape Escape Space a || return
  keys Escape Escape
  see 'the symbols of the workspace' 'ParsePrice' Escape Escape Space S ParsePrice || return
  keys Escape Escape
}

test_helix() {
  local hx=$repo/.editors/helix/hx i
  [ -x "$hx" ] || hx=$(command -v hx || true)
  if [ -z "$hx" ] || ! command -v tmux >/dev/null; then
    echo "SKIPPED  Helix is not installed"
    return
  fi
  echo "== $("$hx" --version)"
  begin
  (
    editor_env
    mkdir -p "$XDG_CONFIG_HOME/helix"
    read -ra cmd <<<"$AURORA_CMD"
    cat >"$XDG_CONFIG_HOME/helix/languages.toml" <<TOML
[language-server.aurora]
command = "${cmd[0]}"
args = [$(printf '"%s", ' "${cmd[@]:1}")]

[[language]]
name = "go"
language-servers = ["aurora"]
TOML
    export LANG=C.UTF-8 TERM=xterm-256color
    tm new-session -d -s editor -x 110 -y 32 -c "$workspace/project" "'$hx' internal/basket/basket.go"
  )
  helix_session || true
  keys Escape ':qa!' Enter
  for i in $(seq 100); do
    tm has-session -t editor 2>/dev/null || break
    sleep 0.1
  done
  finish
}

# A key right behind Escape would be one with Alt, so it is pressed alone.
kakoune_session() {
  see 'the file is there' 'Package basket keeps' || return
  keys '/volumeDiscount' Enter
  see 'a hover tells of the name under the cursor' 'Defined in internal/basket/basket.go:35' ':lsp-hover' Enter || return
  see 'the code actions are offered' 'Find related code: volumeDiscount' ':lsp-code-actions' Enter || return
  keys Escape
  see 'and go away' '1 sel - client' || return
  see 'the symbols of the workspace' 'internal/price/price.go:16:6: ParsePrice' ':lsp-workspace-symbol ParsePrice' Enter || return
}

test_kakoune() {
  local kak=$repo/.editors/kakoune/kak i
  [ -x "$kak" ] || kak=$(command -v kak || true)
  PATH=$repo/.editors/kak-lsp/bin:$PATH
  if [ -z "$kak" ] || ! command -v tmux >/dev/null || ! command -v kak-lsp >/dev/null; then
    echo "SKIPPED  Kakoune or kak-lsp is not installed (cargo install kak-lsp --version 22.0.0 --locked --root .editors/kak-lsp)"
    return
  fi
  echo "== Kakoune, kak-lsp $(kak-lsp --version)"
  begin
  (
    editor_env
    mkdir -p "$XDG_CONFIG_HOME/kak"
    read -ra cmd <<<"$AURORA_CMD"
    cat >"$XDG_CONFIG_HOME/kak/kakrc" <<KAK
eval %sh{kak-lsp}
hook -group lsp-aurora global BufSetOption filetype=go %{
  set-option buffer lsp_servers %{
    [aurora]
    command = "${cmd[0]}"
    args = [$(printf '"%s", ' "${cmd[@]:1}")]
    root_globs = [".git", "go.mod"]
  }
}
lsp-enable
KAK
    export LANG=C.UTF-8 TERM=xterm-256color
    tm new-session -d -s editor -x 110 -y 32 -c "$workspace/project" "'$kak' internal/basket/basket.go"
  )
  kakoune_session || true
  keys ':lsp-exit' Enter ':quit!' Enter
  for i in $(seq 100); do
    tm has-session -t editor 2>/dev/null || break
    sleep 0.1
  done
  finish
}

editors=("$@")
[ ${#editors[@]} -gt 0 ] || editors=(helix kakoune emacs vim)
for editor in "${editors[@]}"; do "test_$editor"; done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
