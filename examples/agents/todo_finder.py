#!/usr/bin/env python3
"""An agent for AURORA: finds TODO, FIXME and XXX comments that a subgoal is about.

It reads one task, a JSON object, from its input and writes one answer to its output. Needs Python 3.8 and git.
docs/agents.md explains every field.
"""
import json
import re
import subprocess
import sys

MOST = 10  # comments that one answer names
MARKS = ("TODO", "FIXME", "XXX")
COMMON = {"the", "and", "are", "there", "which", "what", "where", "about", "find", "all", "for", "with", "todo", "todos", "comments"}


def answer(summary, confidence, **more):
    print(json.dumps({"summary": summary, "confidence": confidence, **more}))


def comments():
    """The marked comments of the files that git knows: (path, line, text)."""
    found = subprocess.run(
        ["git", "grep", "-nIE", r"(#|//|/\*|--|;|%).*\b(" + "|".join(MARKS) + r")\b"],
        capture_output=True, text=True, errors="replace", check=False,
    )
    for entry in found.stdout.splitlines():
        path, line, text = entry.split(":", 2)
        yield path, int(line), text.strip()


def main():
    task = json.load(sys.stdin)
    wanted = {w for w in re.findall(r"[a-z]{3,}", task["subgoal"]["description"].lower()) if w not in COMMON}
    everything = list(comments())
    hits = [c for c in everything if any(w in (c[0] + c[2]).lower() for w in wanted)] if wanted else everything
    if not hits:
        # Nothing found is an answer, too: it says how much was looked at.
        return answer(f"None of {len(everything)} marked comments is about this.", 0.9)
    if len(hits) > MOST and not task["user_interactions"]:
        # AURORA asks the person, and runs this program again with the answer in user_interactions.
        print(json.dumps({"ask": {"question": f"There are {len(hits)} comments. Which ones?", "choices": list(MARKS), "default": MARKS[0]}}))
        return None
    if task["user_interactions"]:
        hits = [c for c in hits if task["user_interactions"][-1]["user_response"] in c[2]]
    # What the summary cites as [A1], [A2] are the entries of sources, in their order: AURORA reads those places itself.
    shown = hits[:MOST]
    summary = "\n".join(f"- {path}:{line} [A{n}]" for n, (path, line, _) in enumerate(shown, 1))
    return answer(
        f"{len(hits)} of {len(everything)} marked comments are about this.\n{summary}", 0.9,
        sources=[{"path": path, "line": line} for path, line, _ in shown],
        data={"comments": [{"path": path, "line": line, "text": text} for path, line, text in shown]},
        metadata={"tools_used": ["git grep"]},
    )


if __name__ == "__main__":
    main()
