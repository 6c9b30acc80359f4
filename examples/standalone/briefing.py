#!/usr/bin/env python3
"""A briefing for the reviewer of a branch: of every definition that it changes, who calls it, which tests reach it, and
what was decided about it. Only the command line of AURORA is used, so it runs wherever aurora and git do: on a laptop,
in a pipeline, in a hook. It needs no editor, no model and no network.

    examples/standalone/briefing.py [BASE]      # what differs from BASE, by default the last commit but one

Exit status: 0 when the briefing was written, 1 when something failed, 3 when a decision cites code that has changed since.
Needs Python 3.8.
"""
import json
import os
import re
import subprocess
import sys

AURORA = os.environ.get("AURORA_BIN", "aurora")
MOST = 20  # definitions, and neighbours of each
SURE = 0.5  # how sure an edge must be, 0 to 1; names are resolved by scope, not by a compiler
NOTHING = 3  # the exit status of aurora when it found nothing, which is an answer
STALE = 3


class Failed(Exception):
    """A program ended badly; the text says which and how."""


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", errors="replace", check=False)
    nothing = command[0] == AURORA and done.returncode == NOTHING
    if done.returncode != 0 and not nothing:
        raise Failed(f"{' '.join(command)}: {done.stderr.strip() or done.returncode}")
    return done.stdout


def aurora(*args):
    out = run(AURORA, *args, "--json")
    return json.loads(out) if out.strip() else {}


def changed_lines(base):
    """The lines that differ from base and are there now: (path, line), one for each hunk."""
    path = None
    for line in run("git", "diff", "--unified=0", "--no-color", "--no-ext-diff", base, "--").splitlines():
        if line.startswith("+++ "):
            path = None if line == "+++ /dev/null" else line[len("+++ b/"):]
        hunk = re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line)
        if hunk and path:
            first, count = int(hunk[1]), int(hunk[2] or 1)
            yield path, first + count // 2


def neighbours(place, direction):
    try:
        edges = aurora("related", place, "--direction", direction, "--limit", str(MOST)).get("edges", [])
    except Failed:
        return []  # the line lies in no definition
    return [e for e in edges if e["confidence"] >= SURE]


def at(hit):
    return f"{hit['path']}:{hit['nameRange']['start']['line'] + 1 if hit.get('nameRange') else 1} {hit.get('name', '')}".rstrip()


def briefing(base):
    seen = set()
    for path, line in changed_lines(base):
        edges = {kind: neighbours(f"{path}:{line}", kind) for kind in ("callers", "tests")}
        start = next((e["from"] for found in edges.values() for e in found), None)
        if start is None or start in seen or not start.startswith(f"code:{path}:") or len(seen) == MOST:
            continue  # the line is in no definition, or only names another one
        seen.add(start)
        print(f"\n{start[len('code:'):]}")
        for kind, found in edges.items():
            for edge in found:
                print(f"  {kind[:-1]:7} {at(edge['to'])}")
    if not seen:
        print("\nNothing that is called or tested by name has changed.")
    stale = aurora("memory", "audit").get("stale", [])
    if stale:
        print("\nDecisions about code that is not what it was:")
        for record in stale:
            print(f"  {record['title']} ({record['reason']})")
    return STALE if stale else 0


def main():
    base = sys.argv[1] if len(sys.argv) > 1 else "HEAD~1"
    try:
        print(f"What differs from {base}")
        return briefing(base)
    except (Failed, OSError, ValueError) as err:
        print(f"briefing: {err}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
