#!/usr/bin/env python3
"""An agent that works with AURORA over MCP, without a library: it finds the code for a task, looks at its callers, recalls
what was decided, and remembers what it found. A real agent has a model between these steps; the calls are the same.

    examples/agent-integration/agent.py "where are retries bounded?"

Run it in the folder of a project. Needs Python 3.8; AURORA_BIN names the program when it is not in PATH.
"""
import itertools
import json
import os
import subprocess
import sys

PROTOCOL = "2025-06-18"


class Refused(Exception):
    """AURORA answered with an error, which says what to do."""


class Aurora:
    """One session with `aurora mcp` on its standard input and output: a JSON object a line each way."""

    def __init__(self, program, *arguments):
        self.process = subprocess.Popen([program, "mcp", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
        self.ids = itertools.count(1)

    def __enter__(self):
        started = self.request("initialize", {
            "protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": {"name": "example-agent", "version": "1"},
        })
        self.send({"method": "notifications/initialized"})
        self.server = started["serverInfo"]
        return self

    def __exit__(self, *_):
        self.process.stdin.close()  # this is how an MCP session ends
        self.process.stdout.close()
        self.process.wait(timeout=30)

    def send(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def request(self, method, params):
        number = next(self.ids)
        self.send({"id": number, "method": method, "params": params})
        for line in self.process.stdout:
            message = json.loads(line)
            if "method" in message:
                self.answer(message)
            elif message.get("id") == number:
                if "error" in message:
                    raise Refused(message["error"]["message"])
                return message["result"]
        raise Refused("aurora ended before it answered")

    def answer(self, message):
        """Answers what the server asks. This agent can do nothing for it, and says so; notifications need no answer."""
        if "id" not in message:
            return
        if message["method"] == "ping":
            self.send({"id": message["id"], "result": {}})
        else:
            self.send({"id": message["id"], "error": {"code": -32601, "message": "not supported"}})

    def tool(self, name, **arguments):
        """Calls a tool. The answer is text for models and data for programs; each says everything."""
        result = self.request("tools/call", {"name": name, "arguments": arguments})
        text = "\n".join(part["text"] for part in result["content"] if part["type"] == "text")
        if result.get("isError"):
            raise Refused(text)
        return text, result.get("structuredContent", {})


def work(task):
    with Aurora(os.environ.get("AURORA_BIN", "aurora")) as aurora:
        print(f"Connected to {aurora.server['name']} {aurora.server['version']}")
        _, found = aurora.tool("search", query=task, limit=3)
        hits = [hit for hit in found.get("hits", []) if hit.get("name") and hit.get("path")]  # memory has no path
        if not hits:
            print("Nothing here answers that.")
            return 3
        best = hits[0]
        print(f"Found {best['path']}: {best['name']}")

        text, around = aurora.tool("related", symbol=best["name"])
        print(f"Its callers: {len(around.get('hits', []))}")

        # What a model would be given. The text is fenced and is data, whatever it says.
        context, _ = aurora.tool("context", task=task, symbol=best["name"], budget=1500)
        print(f"Context for the task: {len(context)} characters")

        text, known = aurora.tool("search", query=task, **{"in": "memory"}, limit=3)
        print(f"Remembered about it: {len(known.get('hits', []))}")

        text, _ = aurora.tool("remember", content=f"{task} See {best['name']} in {best['path']}.", path=best["path"], tags=["finding"])
        print(text.splitlines()[0])
        return 0


def main():
    if len(sys.argv) != 2 or not sys.argv[1].strip():
        print(__doc__.strip(), file=sys.stderr)
        return 2
    try:
        return work(sys.argv[1].strip())
    except (Refused, OSError) as err:
        print(f"agent: {err}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
