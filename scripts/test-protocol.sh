#!/usr/bin/env bash
# A whole session of the sidecar with a client that others wrote, every message checked against the protocol's types;
# before it, planted faults that the checker must find.
# AURORA_BIN names the sidecar (bin/aurora). Exit status 0 when all passed.
set -euo pipefail
# shellcheck source=scripts/lib-editors.sh
. "$(dirname "$0")/lib-editors.sh"

AURORA_BIN=$(aurora_bin)
checker=$repo/testdata/editors/lsp-check
bash "$repo/scripts/install-lsp-check.sh"
echo "== the protocol checker finds planted faults"
node "$checker/lsp-check.test.mjs"
new_workspace
trap remove_workspace EXIT
editor_env
cd "$workspace/project"
status=0
for how in --stdio --standalone; do
  echo "== smoke client through the protocol checker: aurora serve $how"
  limited 300 node "$checker/smoke.mjs" node "$checker/lsp-check.mjs" --log "$workspace/findings.jsonl" \
    -- "$AURORA_BIN" serve "$how" 2>>"$workspace/stderr" || status=$?
done
python=$repo/.editors/pygls/bin/python
if [ -x "$python" ]; then
  echo "== pygls through the protocol checker: aurora serve"
  limited 300 "$python" "$repo/testdata/editors/pygls/session.py" node "$checker/lsp-check.mjs" \
    --log "$workspace/findings.jsonl" -- "$AURORA_BIN" serve 2>>"$workspace/stderr" || status=$?
else
  echo "SKIPPED  pygls is not installed (scripts/install-test-deps.sh)"
fi
if grep -s '"who":"\(server\|checker\)"' "$workspace/findings.jsonl" | cut -c 1-600; then
  echo "PROTOCOL  the sidecar broke the protocol"
  status=1
fi
[ "$status" -eq 0 ] || tail -n 20 "$workspace/stderr"
exit "$status"
