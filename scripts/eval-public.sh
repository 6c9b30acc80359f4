#!/usr/bin/env bash
# Scores search and contexts on public benchmarks that are not part of this repository; what is not there is left out.
#   scripts/eval-public.sh DATA REPOS
# DATA/semble-dev holds repos.json and annotations, DATA/functions-dev identifier, commit and docstring.jsonl.
# REPOS/semble/<repo> holds checkouts for the first, REPOS/functions/lab/trees{,-stripped}/<repo> for the second.
set -euo pipefail
data=$1 repos=$2
bin=${AURORA_EVAL:-bin/aurora-eval}

# score NAME QUERIES CHECKOUTS [search|context]
score() {
  if [ ! -e "$2" ] || [ ! -d "$3" ]; then
    echo "$1: not measured, as $2 or $3 is not there"
    return
  fi
  echo "== $1"
  "$bin" "${4:-search}" --queries "$2" --repos "$3" || [ $? -eq 3 ]
}

score "questions in words" "$data/semble-dev" "$repos/semble"
score "identifiers" "$data/functions-dev/identifier.jsonl" "$repos/functions/lab/trees"
score "commit subjects" "$data/functions-dev/commit.jsonl" "$repos/functions/lab/trees"
score "doc sentences" "$data/functions-dev/docstring.jsonl" "$repos/functions/lab/trees-stripped"
score "contexts of 2000 tokens for the questions in words" "$data/semble-dev" "$repos/semble" context
