#!/usr/bin/env bash
# Replays what an audit of robustness once broke, against the built program, and faults of the machine. One line for each:
# `held:` or `FAILED:`, with what. The exit status is 1 when any failed. Inputs are bounded by ulimit and timeout.
set -uo pipefail
cd "$(dirname "$0")/.."
aurora=$(realpath "${AURORA_BIN:-bin/aurora}")
work=$(mktemp -d)
failed=0
export AURORA_HOME=$work/home HOME=$work
trap 'rm -rf "$work"' EXIT

# replay WHAT COMMAND...: the command must succeed. Its output is shown when it does not.
replay() {
  local what=$1; shift
  if "$@" > "$work/output" 2>&1; then echo "held: $what"; return; fi
  echo "FAILED: $what"; tail -n 5 "$work/output" | sed 's/^/    /'; failed=1
}

# gotest PACKAGE PATTERN: these tests pass, and there are some.
gotest() { HOME=$home GOFLAGS=-vet=off go test "$1" -count=1 -timeout 5m -v -run "^($2)\$" | tee "$work/tests" | grep -E '^(---|ok|FAIL|panic)' ; ! grep -qE '^(FAIL|panic)' "$work/tests" && grep -q '^--- PASS' "$work/tests"; }
home=$(getent passwd "$(id -u)" | cut -d: -f6)

# project NAME: a new project of one sound file.
project() { mkdir -p "$work/$1/.git" && printf 'package p\n\nfunc SoundNeighbour() {}\n' > "$work/$1/sound.go"; }

# ended SECONDS COMMAND...: it ends by itself within that time, with whatever exit status but that of a crash.
ended() {
  local limit=$1 status; shift
  timeout -s KILL "$limit" "$@" < /dev/null || status=$?
  [ "${status:-0}" -lt 124 ] && [ "${status:-0}" -ne 2 ] || { echo "exit status $status"; return 1; }
}

# finds NAME: the sound file of a project is found, within 4 GB and a minute of processor time.
finds() { (ulimit -v 8000000 -t 60; timeout -s KILL 300 "$aurora" --project "$work/$1" search SoundNeighbour --timeout 4m) | grep sound.go; }

repeated() { yes "$1" | tr -d '\n' | head -c "$2"; }

port_refused() { ! timeout 20 "$aurora" serve --listen 127.0.0.1:0 < /dev/null; }

hostile_sources() {
  project hostile
  repeated 'a=>' 25000 > "$work/hostile/a.c"
  repeated 'a,' 3000 > "$work/hostile/a.lua"
  repeated 'a<b,' 3000 > "$work/hostile/b.lua"
  repeated 'a=>' 4500 > "$work/hostile/A.java"
  repeated '$((' 30000 > "$work/hostile/a.sh"
  finds hostile
}

long_keys() {
  project settings; mkdir -p "$work/settings/.aurora"
  echo "{\"$(repeated 'a.' 40000)a\": 1}" > "$work/settings/.aurora/config.json"
  ended 20 "$aurora" --project "$work/settings" config list
}

random_frames() {
  project frames
  { for _ in $(seq 300); do head -c $((RANDOM % 200)) /dev/urandom | tr -d '\n'; echo; done
    echo '{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}'
    sleep 3
  } | timeout -s KILL 60 "$aurora" --project "$work/frames" mcp --standalone 2> "$work/errors" | grep -a '"id":7,"result"'
}

few_files() { project few; (ulimit -n 64; ended 60 "$aurora" --project "$work/few" search SoundNeighbour); }
little_memory() { project little; (export GOMEMLIMIT=150MiB; ulimit -d 200000; ended 60 "$aurora" --project "$work/little" search SoundNeighbour); }
no_home() { project homeless; env -u HOME -u AURORA_HOME -u XDG_RUNTIME_DIR "$aurora" --project "$work/homeless" search SoundNeighbour | grep sound.go; }

clock() { # the files are of next year, then of twenty years ago
  project clock; finds clock && touch -d '1 year' "$work/clock/sound.go" && finds clock && touch -d '20 years ago' "$work/clock/sound.go" && finds clock
}

many_starts() {
  project many
  local pids=() pid
  for _ in $(seq 20); do timeout -s KILL 120 "$aurora" --project "$work/many" search SoundNeighbour > "$work/many.$_" 2>&1 & pids+=($!); done
  for pid in "${pids[@]}"; do wait "$pid" || return 1; done
}

replaced_binary() {
  project replaced; cp "$aurora" "$work/program"
  "$work/program" --project "$work/replaced" search SoundNeighbour > /dev/null || return 1
  cp "$aurora" "$work/next" && printf 'x' >> "$work/next" && mv "$work/next" "$work/program" # another build, while data of the first is there
  "$work/program" --project "$work/replaced" search SoundNeighbour | grep sound.go
}

replay "the language server listens on no port" port_refused
replay "HTTP refuses foreign origins, hosts and bodies, and bodies that come slowly take nobody's place" gotest ./httpapi 'TestBadRequests|TestSlowBodies'
replay "files outside the workspace are opened and closed while the index works, editors go at random: nothing hangs" gotest ./lsp 'TestNothingHangs'
replay "1,000 searches at once are answered, and hovers between them" gotest ./lsp 'TestAFloodIsAnswered'
replay "a panic leaves no lock held" gotest ./internal/arch 'TestLocksAreReleasedByDefer'
replay "citations are listed before the first snapshot" gotest ./engine/recall 'TestCitedCacheOfTheFirstSnapshot'
replay "a request that hangs is told of and answered" gotest ./internal/workload 'TestStuck|TestAPanicGoesOnInTheCaller'
replay "a daemon whose index hangs can be looked at and stopped" gotest ./lsp/daemon 'TestADaemonWhoseIndexHangs'
replay "small files of repeated half constructs (C, Lua, Java, bash) cost little" hostile_sources
replay "a settings file with a key of 20,000 parts stops nothing" long_keys
replay "MCP goes on after 300 random frames" random_frames
replay "MCP hands out no file that is left out" gotest ./mcp 'TestLeftOutFilesStayIn'
replay "kill -9 of the daemon and of the forwarder" gotest ./internal/cli 'TestKilledDaemon|TestKilledForwarder'
replay "a suspended daemon" gotest ./internal/cli 'TestSuspendedDaemon'
replay "a limit of 64 open files" few_files
replay "a limit of 200 MB of memory: it works or ends with an error" little_memory
replay "no home folder" no_home
replay "times of files in the future and the past" clock
replay "memory when the clock is set back" gotest ./memory/sqlite 'TestClockSetBackAYear'
replay "20 starts at once" many_starts
replay "a program that is replaced by another build" replaced_binary
exit $failed
