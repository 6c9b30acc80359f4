#!/usr/bin/env bash
# Scores search and contexts: the committed query sets, and public benchmarks that are not part of this repository, where they are there.
# At its end stand side by side: repositories that the rules were tuned on, others, and what training measured on repositories that it
# left out, each beside the reference, SQLite's FTS5 over the same chunks. "-" is what was not measured, and why stands below.
#   scripts/eval.sh DATA REPOS
# DATA/semble-dev and DATA/semble-more hold repos.json and annotations, DATA/functions-dev identifier, commit and docstring.jsonl.
# REPOS/semble/<repo> and REPOS/semble-more/<repo> hold checkouts for the first two, REPOS/functions/lab/trees{,-stripped}/<repo> for the
# third, REPOS/train/<repo> those of tools/cmd/aurora-train/questions.repos.json.
set -euo pipefail
data=$1 repos=$(realpath -m "$2")
bin=${AURORA_EVAL:-bin/aurora-eval}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
rows=$scratch/rows notes=$scratch/notes
touch "$notes"

# row GROUP SET QUERIES NDCG@10 FTS5 MRR@10 FTS5
row() { printf '%-36s %-22s %7s %8s %6s %8s %6s\n' "$@" >>"$rows"; }

# score GROUP NAME QUERIES CHECKOUTS [search|context]
score() {
  local answer code=0 what=${5:-search}
  if [ ! -e "$3" ] || [ ! -d "$4" ]; then
    echo "$2, $1: not measured, as $3 or $4 is not there" | tee -a "$notes"
    [ "$what" != search ] || row "$1" "$2" - - - - -
    return
  fi
  echo "== $2, $1"
  if [ "$what" = context ]; then
    "$bin" context --queries "$3" --repos "$4" || [ $? -eq 3 ]
    return
  fi
  answer=$("$bin" search --reference --queries "$3" --repos "$4" 2>"$scratch/err") || code=$?
  cat "$scratch/err" >&2
  echo "$answer"
  case $code in
    0) ;;
    3) echo "$2, $1: not measured, as no repository of it is in $4" >>"$notes"; row "$1" "$2" - - - - -; return ;;
    *) exit "$code" ;;
  esac
  local missing
  missing=$(grep -c 'because it is missing' "$scratch/err" || true)
  [ "$missing" -eq 0 ] || echo "$2, $1: without $missing repositories that are not in $4" >>"$notes"
  row "$1" "$2" $(awk -F'|' '/^all +\|/ {n = $2; a = $3; b = $4} /^reference, FTS5 +\|/ {c = $3; d = $4} END {print n, a, c, b, d}' <<<"$answer")
}

# left GROUP WEIGHTS SET NAME MAKE: what training measured, kept with the weights
left() {
  local list n measure before fitted
  if ! list=$("$bin" left-out "$2" 2>/dev/null); then
    echo "$4, $1: $2 has no figures; they are made by: $5" >>"$notes"
    row "$1" "$4" - - - - -
    return
  fi
  read -r n measure before fitted < <(awk -F'|' -v set="$3" '{sub(/ +$/, "", $1)} $1 == set {print $2, $3, $4, $5; exit}' <<<"$list") || true
  case ${measure:-} in
    NDCG@10) row "$1, before" "$4" "$n" "$before" - - -; row "$1" "$4" "$n" "$fitted" - - - ;;
    MRR@10) row "$1, before" "$4" "$n" - - "$before" -; row "$1" "$4" "$n" - - "$fitted" - ;;
    *) echo "$4, $1: $2 has no figures of $3" >>"$notes"; row "$1" "$4" - - - - - ;;
  esac
}

score "this repository" "committed queries" testdata/ranking/project.jsonl .
score "small ones in testdata" "committed queries" testdata/ranking/fixtures.jsonl testdata/ranking/fixtures
score "this repository" "contexts of 2000 tokens" testdata/ranking/project.jsonl . context
score "tuned on" "questions in words" "$data/semble-dev" "$repos/semble"
score "nothing tuned on" "questions in words" "$data/semble-more" "$repos/semble-more"
score "tuned on" "doc sentences" "$data/functions-dev/docstring.jsonl" "$repos/functions/lab/trees-stripped"
score "tuned on" "commit subjects" "$data/functions-dev/commit.jsonl" "$repos/functions/lab/trees"
score "tuned on" "identifiers" "$data/functions-dev/identifier.jsonl" "$repos/functions/lab/trees"
score "tuned on" "contexts of 2000 tokens" "$data/semble-dev" "$repos/semble" context

weights=engine/search/rank
train="cd tools && go run ./cmd/aurora-train"
files=$weights/files.json within=$weights/within.json
if [ -d "$repos/train" ]; then # the figures of today, by weights that are fitted for them and not kept
  files=$scratch/files.json within=$scratch/within.json
  for kind in files within; do
    echo "== $kind, by weights that are fitted to other repositories"
    (cd tools && "${GO:-go}" run ./cmd/aurora-train "$kind" -repos "$repos/train" -o "$scratch/$kind.json") 2>"$scratch/err" || { cat "$scratch/err" >&2; exit 1; }
    absent=$(grep -c 'as it is not there' "$scratch/err" || true)
    [ "$absent" -eq 0 ] || echo "$kind, left out of training: without $absent repositories that are not in $repos/train" >>"$notes"
  done
fi
left "left out of training" "$files" all "questions in words" "$train files -repos CHECKOUTS -o ../$weights/files.json"
left "left out of training" "$weights/actions.json" doc "doc sentences" "$train rank -queries QUERIES -o ../$weights/actions.json"
left "left out of training" "$weights/actions.json" commit "commit subjects" "$train rank -queries QUERIES -o ../$weights/actions.json"
left "left out of training" "$within" all "definitions of a file" "$train within -repos CHECKOUTS -o ../$weights/within.json"

row "published: BM25" "questions in words" - 0.663 - - -
row "published: static embeddings, BM25" "questions in words" - 0.852 - - -
row "published: transformer, BM25" "questions in words" - 0.864 - - -
echo
printf '%-36s %-22s %7s %8s %6s %8s %6s\n' Repositories Queries n NDCG@10 FTS5 MRR@10 FTS5
cat "$rows"
[ ! -s "$notes" ] || { echo; cat "$notes"; }
