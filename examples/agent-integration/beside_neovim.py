#!/usr/bin/env python3
"""Plays an agent beside a running Neovim: the editor types text and does not save it, the agent finds it over MCP and
remembers a decision about it, and the editor shows that decision. Nothing is saved, and the decision is forgotten again.

    examples/agent-integration/beside_neovim.py FILE TEXT WORDS
    examples/agent-integration/beside_neovim.py retry.go "func Jitter(n int) int { return Backoff(n) + 1 }" Jitter

TEXT is typed below the last line of FILE, and WORDS is what the agent searches for; it should begin with a name in TEXT.
Run it in the folder of a project. Needs Python 3.8 and Neovim 0.7.2; AURORA_BIN and NVIM_BIN name the programs when they are
not in PATH. The plugin is the one of this repository.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # the import below would leave a folder here
from agent import Aurora, Refused  # noqa: E402

PATIENCE = 60  # seconds, for each thing that is waited for
DECISION = "Decided beside Neovim, as an example"
PLUGIN = pathlib.Path(__file__).resolve().parents[2] / "editors" / "nvim"

# Hovers over a word of the open file and returns what is shown, "" when nothing is within half a second.
HOVER = r"""(function(word)
  local function shown()
    for _, win in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(win).relative ~= "" then
        local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(win), 0, -1, false)
        vim.api.nvim_win_close(win, true)
        return table.concat(lines, "\n")
      end
    end
  end
  vim.fn.cursor(vim.fn.line("$"), 1)
  vim.fn.search("\\V" .. word, "c")
  vim.lsp.buf.hover()
  local text
  vim.wait(500, function() text = shown(); return text ~= nil end, 10)
  return text or ""
end)(_A)"""


class Neovim:
    """A headless Neovim with the plugin, which is typed into and asked through its socket."""

    def __init__(self, file, aurora):
        self.program = os.environ.get("NVIM_BIN") or "nvim"
        if not shutil.which(self.program):
            raise Refused(f"there is no {self.program}; install Neovim 0.7.2 or later, or set NVIM_BIN")
        self.folder = tempfile.mkdtemp(prefix="nvim-")
        self.socket = os.path.join(self.folder, "s")
        self.environment = {name: value for name, value in os.environ.items() if name not in ("NVIM", "NVIM_LISTEN_ADDRESS")}
        self.process = subprocess.Popen(
            [self.program, "--clean", "--headless", "--listen", self.socket, "--cmd", f"set rtp^={PLUGIN} noswapfile",
             "--cmd", f"let g:aurora = {{'cmd': [{quoted(aurora)}, 'serve']}}", file],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment)

    def __enter__(self):
        wait("Neovim", lambda: os.path.exists(self.socket))
        return self

    def __exit__(self, *_):
        self.process.kill()  # what was typed goes with it
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def call(self, how, what):
        done = subprocess.run([self.program, "--clean", "--headless", "--server", self.socket, how, what],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,  # Neovim before 0.10 prints values to stderr
                              text=True, timeout=PATIENCE, env=self.environment, check=False)
        if done.returncode != 0:
            raise Refused(f"Neovim: {done.stdout}")
        return done.stdout.strip()

    def types_below(self, text):
        self.call("--remote-expr", f"append('$', {quoted(text)})")

    def attached(self):
        lua = '#(vim.lsp.get_clients or vim.lsp.get_active_clients)({bufnr = vim.api.nvim_get_current_buf(), name = "aurora"})'
        return self.call("--remote-expr", f"luaeval({quoted(lua)})") != "0"

    def hover(self, word):
        return self.call("--remote-expr", f"luaeval({quoted(HOVER)}, {quoted(word)})")


def quoted(text):
    """A string of Vim's."""
    return "'" + text.replace("'", "''") + "'"


def wait(what, ready):
    limit = time.monotonic() + PATIENCE
    while True:
        found = ready()
        if found:
            return found
        if time.monotonic() > limit:
            raise Refused(f"{what} did not come within {PATIENCE} s")
        time.sleep(0.05)


def unsaved(aurora, file, words):
    """The hit in the file, as it is in the editor."""
    _, found = aurora.tool("search", query=words, limit=10)
    for hit in found.get("hits", []):
        if hit.get("open") and os.path.basename(hit.get("path", "")) == os.path.basename(file):
            return hit
    return None


def play(file, text, words):
    program = os.environ.get("AURORA_BIN", "aurora")
    before = pathlib.Path(file).read_bytes()
    with Neovim(file, program) as editor, Aurora(program, "--tools=default,forget") as aurora:
        wait("the plugin", editor.attached)
        editor.types_below(text)
        print(f"Neovim has {file} open, with a line that is not saved:\n  {text}")

        hit = wait("the unsaved text", lambda: unsaved(aurora, file, words))
        print(f"The agent finds it: {hit['path']}:{hit['lines']} {hit['type']} {hit['name']} (open in an editor)")

        _, stored = aurora.tool("remember", content=f"{DECISION}: {words}", path=hit["path"], line=hit["line"], tags=["example"])
        print(f"The agent remembers: {stored['id']}")
        try:
            shown = wait("the hover", lambda: [line for line in editor.hover(words.split()[0]).splitlines() if DECISION in line])
            print(f"Neovim shows it: {shown[0].strip()}")
            read = aurora.request("resources/read", {"uri": f"aurora://memory/{stored['id']}"})
            print(f"As a resource: {len(read['contents'][0]['text'])} characters of {read['contents'][0]['uri']}")
        finally:
            aurora.tool("forget", ids=[stored["id"]])
    print(f"Forgotten again, and {file} is {'as it was' if pathlib.Path(file).read_bytes() == before else 'CHANGED'}.")
    return 0


def main():
    if len(sys.argv) != 4 or not all(argument.strip() for argument in sys.argv[1:]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    try:
        return play(*sys.argv[1:])
    except (Refused, OSError, subprocess.TimeoutExpired) as err:
        print(f"beside_neovim: {err}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
