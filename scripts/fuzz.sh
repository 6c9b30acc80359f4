#!/usr/bin/env bash
# Runs all fuzz targets by turns for FOR in all (default 10m), and prints how many inputs each tried. What fails is kept below
# the package's testdata/fuzz: commit it with the fix. The first run compiles the grammars with coverage, some minutes.
set -uo pipefail
cd "$(dirname "$0")/.."

total=${FOR:-10m}
case $total in
*h) total=$((${total%h} * 3600)) ;;
*m) total=$((${total%m} * 60)) ;;
*s) total=${total%s} ;;
*) echo "FOR is a duration such as 90s, 30m or 2h, not '$total'" >&2; exit 2 ;;
esac

targets=()
while read -r file name; do
	targets+=("$(dirname "$file") $name")
done < <(git grep -oE '^func Fuzz[A-Za-z]+' -- '*_test.go' | sed 's/:func / /')

each=$((total / ${#targets[@]}))
[ "$each" -ge 1 ] || each=1
mkdir -p bin
failed=0 sum=0
printf '%-28s %-22s %12s %8s %s\n' package target executions new result
for target in "${targets[@]}"; do
	read -r package name <<<"$target"
	if go test -vet=off -run '^$' -fuzz "^$name\$" -fuzztime "${each}s" "./$package" >bin/fuzz.log 2>&1; then
		result=ok
	else
		result="FAILED, see bin/fuzz-$name.log"
		cp bin/fuzz.log "bin/fuzz-$name.log"
		failed=1
	fi
	executions=$(grep -oE 'execs: [0-9]+' bin/fuzz.log | tail -1 | grep -oE '[0-9]+')
	new=$(grep -oE 'new interesting: [0-9]+' bin/fuzz.log | tail -1 | grep -oE '[0-9]+')
	sum=$((sum + ${executions:-0}))
	printf '%-28s %-22s %12s %8s %s\n' "$package" "$name" "${executions:-0}" "${new:-0}" "$result"
done
echo "${#targets[@]} targets, $sum executions, ${each}s each"
exit $failed
