#!/usr/bin/env bash
# Scores search and contexts on public benchmarks that are not part of this repository; what is not there is left out. At its end stand
# side by side: repositories that the rules were tuned on, others, weights measured on repositories that were left out, and references.
#   scripts/eval-public.sh DATA REPOS
# DATA/semble-dev and DATA/semble-more hold repos.json and annotations, DATA/functions-dev identifier, commit and docstring.jsonl.
# REPOS/semble/<repo> and REPOS/semble-more/<repo> hold checkouts for the first two, REPOS/functions/lab/trees{,-stripped}/<repo> for the
# third, REPOS/train/<repo> those of tools/cmd/aurora-train/questions.repos.json.
set -euo pipefail
data=$1 repos=$(realpath -m "$2")
bin=${AURORA_EVAL:-bin/aurora-eval}
rows=$(mktemp)
trap 'rm -f "$rows"' EXIT

# row GROUP SET QUERIES NDCG@10 MRR@10
row() { printf '%-34s %-26s %7s %8s %8s\n' "$@" >>"$rows"; }

# score GROUP NAME QUERIES CHECKOUTS [search|context]
score() {
  if [ ! -e "$3" ] || [ ! -d "$4" ]; then
    echo "$2: not measured, as $3 or $4 is not there"
    return
  fi
  echo "== $2, $1"
  local answer
  answer=$("$bin" "${5:-search}" --queries "$3" --repos "$4") || [ $? -eq 3 ]
  echo "$answer"
  if [ "${5:-search}" = search ]; then
    read -r queries gain rank < <(awk -F'|' '/^all +\|/ {print $2, $3, $4; exit}' <<<"$answer")
    row "$1" "$2" "$queries" "$gain" "$rank"
  fi
}

score "tuned on" "questions in words" "$data/semble-dev" "$repos/semble"
score "nothing tuned on" "questions in words" "$data/semble-more" "$repos/semble-more"
score "tuned on" "identifiers" "$data/functions-dev/identifier.jsonl" "$repos/functions/lab/trees"
score "tuned on" "commit subjects" "$data/functions-dev/commit.jsonl" "$repos/functions/lab/trees"
score "tuned on" "doc sentences" "$data/functions-dev/docstring.jsonl" "$repos/functions/lab/trees-stripped"
score "tuned on" "contexts of 2000 tokens for the questions in words" "$data/semble-dev" "$repos/semble" context

if [ -d "$repos/train" ]; then
  echo "== questions in words, by weights that were fitted to other repositories"
  left=$(cd tools && "${GO:-go}" run ./cmd/aurora-train files -repos "$repos/train")
  echo "$left"
  read -r rules fitted < <(sed -nE 's/^NDCG@10 of files.*rules ([0-9.]+), fitted ([0-9.]+);.*/\1 \2/p' <<<"$left")
  row "left out, files by the rules" "questions in words" "" "$rules" ""
  row "left out, files by fitted weights" "questions in words" "" "$fitted" ""
else
  echo "left out: not measured, as $repos/train is not there"
fi
if [ -s "$rows" ]; then
  row "reference, as published: BM25" "questions in words" "" 0.663 ""
  row "the same: static embeddings, BM25" "questions in words" "" 0.852 ""
  row "the same: transformer, BM25" "questions in words" "" 0.864 ""
  echo
  printf '%-34s %-26s %7s %8s %8s\n' Repositories Queries n NDCG@10 MRR@10
  cat "$rows"
fi
