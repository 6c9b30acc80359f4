//go:build unix

package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// neovims are the editors of this machine that the plugin supports: that of the path, and those that
// scripts/install-test-deps.sh brings.
func neovims(t *testing.T) []string {
	t.Helper()
	candidates, err := filepath.Glob(filepath.Join(testDir, "../../.editors/nvim-*/nvim"))
	if err != nil {
		t.Fatal(err)
	}
	if found, err := exec.LookPath("nvim"); err == nil {
		candidates = append(candidates, found)
	}
	candidates = slices.DeleteFunc(candidates, func(path string) bool {
		version := neovimVersion(path)
		return version == "" || regexp.MustCompile(`^v0\.[0-6]\.`).MatchString(version)
	})
	if len(candidates) == 0 {
		t.Skip("no Neovim 0.7 or later here: scripts/install-test-deps.sh brings some")
	}
	return candidates
}

// neovimVersion is such as v0.7.2, "" for what is no Neovim.
func neovimVersion(program string) string {
	out, _ := exec.Command(program, "--version").Output()
	return string(regexp.MustCompile(`v\d+\.\d+\.\S+`).Find(out))
}

// A neovim is a headless one with the plugin, to be typed into and asked from outside.
type neovim struct {
	*project
	program string
	socket  string
	said    bytes.Buffer // to be read after it ended
}

// neovim opens a file of p in one.
func (p *project) neovim(program, file string) *neovim {
	p.t.Helper()
	aurora := p.command("aurora")              // builds it
	sockets, err := os.MkdirTemp("", "nvim-*") // a test's own folder may have a name too long for a socket
	if err != nil {
		p.t.Fatal(err)
	}
	n := &neovim{project: p, program: program, socket: filepath.Join(sockets, "s")}
	cmd := exec.Command(program, "--clean", "--headless", "--listen", n.socket,
		"--cmd", "set rtp^="+filepath.Join(testDir, "../../editors/nvim")+" noswapfile",
		"--cmd", "let g:aurora = {'cmd': ['"+aurora.Path+"', 'serve']}", file)
	cmd.Dir, cmd.Env = p.dir, aurora.Env
	cmd.Stdout, cmd.Stderr = &n.said, &n.said
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if p.t.Failed() {
			p.t.Logf("Neovim said: %s", &n.said)
		}
		os.RemoveAll(sockets)
	})
	p.eventually("Neovim listens", func() bool { _, err := os.Stat(n.socket); return err == nil })
	return n
}

func (n *neovim) ask(how, what string) string {
	n.t.Helper()
	cmd := exec.Command(n.program, "--clean", "--headless", "--server", n.socket, how, what)
	cmd.Dir, cmd.Env = n.dir, n.command("aurora").Env
	out, err := cmd.CombinedOutput()
	if err != nil {
		n.t.Fatalf("%s %s: %v: %s", how, what, err, out)
	}
	return strings.TrimSpace(string(out))
}

// types sends keys, as if somebody typed them.
func (n *neovim) types(keys string) { n.t.Helper(); n.ask("--remote-send", keys) }

// leave ends it. It may be gone before it has answered.
func (n *neovim) leave() {
	cmd := exec.Command(n.program, "--clean", "--headless", "--server", n.socket, "--remote-send", ":qall!<CR>")
	cmd.Dir, cmd.Env = n.dir, n.command("aurora").Env
	_ = cmd.Run()
}

// lua runs the body of a function and returns what it returns, as text.
func (n *neovim) lua(body string, arguments ...any) string {
	n.t.Helper()
	code := "tostring(((function() " + fmt.Sprintf(body, arguments...) + " end)()))"
	return n.ask("--remote-expr", "luaeval('"+strings.ReplaceAll(code, "'", "''")+"')")
}

// hover is what hovering over a name of the open file shows, "" when that takes more than half a second.
func (n *neovim) hover(name string) string {
	n.t.Helper()
	return n.lua(`
		local function text()
			for _, win in ipairs(vim.api.nvim_list_wins()) do
				if vim.api.nvim_win_get_config(win).relative ~= "" then
					local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(win), 0, -1, false)
					vim.api.nvim_win_close(win, true)
					return table.concat(lines, "\n")
				end
			end
		end
		vim.fn.cursor(1, 1)
		vim.fn.search(%q)
		vim.lsp.buf.hover()
		local seen
		vim.wait(500, function() seen = text(); return seen ~= nil end, 10)
		return seen or ""`, name)
}

// offers are the lines that :Aurora search shows to choose from, and does not choose from.
func (n *neovim) offers(words string) string {
	n.t.Helper()
	return n.lua(`
		local seen
		local choose = vim.ui.select
		vim.ui.select = function(items, options)
			seen = table.concat(vim.tbl_map(options.format_item, items), "\n")
		end
		vim.cmd(%q)
		vim.wait(2000, function() return seen ~= nil end, 10)
		vim.ui.select = choose
		return seen or ""`, "Aurora search "+words)
}

// An agent works beside the real editor: it finds text that was typed and not saved, and what it remembers the editor
// shows; and the other way round.
func TestAgentBesideNeovim(t *testing.T) {
	for _, program := range neovims(t) {
		t.Run(neovimVersion(program), func(t *testing.T) { agentBeside(t, program) })
	}
}

func agentBeside(t *testing.T, program string) {
	p := sharing(t, 600)
	saved := p.read("retry.go")
	n := p.neovim(program, "retry.go")
	p.eventually("the plugin has a sidecar", func() bool {
		return n.lua(`for _, c in ipairs((vim.lsp.get_clients or vim.lsp.get_active_clients)()) do if c.initialized then return c.name end end`) == "aurora"
	})
	a := p.agent(p.dir, nil)
	a.gets("search", with{"query": "Backoff"}, "retry.go:4")

	n.types("Gofunc Jitter(n int) int { return Backoff(n) + 1 } // spreads retries<Esc>")
	p.eventually("the agent finds what was typed", func() bool {
		text, _ := a.uses("search", with{"query": "Jitter"})
		return strings.Contains(text, "retry.go:5 function Jitter (open in an editor)")
	})
	a.gets("context", with{"task": "change how retries are spread", "symbol": "Jitter"}, "return Backoff(n) + 1", "1 << attempt")
	a.gets("related", with{"symbol": "Backoff"}, "caller retry.go:5 function Jitter")
	a.gets("ask", with{"question": "who calls Backoff?"}, "retry.go:5")

	p.write("answer.md", "`Backoff` is called by `Jitter`, retry.go:5.\n")
	if got := p.binary("dev", "verify", "who calls Backoff?", "--output", "answer.md"); got.code != app.ExitOK || !strings.Contains(got.out, "PASS") {
		t.Errorf("an answer about what is not saved: %s", got)
	}

	stored := a.gets("remember", with{"content": "Jitter since the outage of May", "path": "retry.go", "line": 5, "tags": []string{"decision"}}, "Remembered as know:")
	id := regexp.MustCompile(`know:\S+`).FindString(stored)
	p.eventually("hovering in the editor shows the decision", func() bool { return strings.Contains(n.hover("Jitter"), "outage of May") })
	p.eventually("searching in the editor finds it", func() bool { return strings.Contains(n.offers("outage of May"), "outage of May") })
	if got := a.reads("aurora://memory/" + id); !strings.Contains(got, "outage of May") {
		t.Errorf("the resource of the decision: %s", got)
	}
	logs := a.reads("aurora://logs")
	log := regexp.MustCompile(`aurora://logs/\S+`).FindString(logs)
	if !strings.Contains(logs, "who calls Backoff?") || log == "" {
		t.Fatalf("what was asked: %s", logs)
	}
	if got := a.reads(log); !strings.Contains(got, "retry.go:5") {
		t.Errorf("the log of a question: %s", got)
	}
	if got := a.reads("aurora://status"); !strings.Contains(got, "ready") {
		t.Errorf("the status: %s", got)
	}

	n.types(":Aurora remember Nine attempts were too many<CR>")
	p.eventually("the agent recalls what was noted in the editor", func() bool {
		text, _ := a.uses("search", with{"query": "how many attempts", "in": "memory"})
		return strings.Contains(text, "Nine attempts were too many")
	})

	n.types("ddo<Esc>")
	p.eventually("what was deleted is gone", func() bool {
		text, _ := a.uses("search", with{"query": "Jitter type:function"})
		return !strings.Contains(text, "function Jitter")
	})
	if got := n.lua("return vim.bo.modified"); got != "true" || p.read("retry.go") != saved {
		t.Errorf("modified: %s; on disk: %s", got, p.read("retry.go"))
	}
	if info := p.onlyDaemon(); info.Clients != 2 {
		t.Errorf("editor and agent share no daemon: %+v", info)
	}
	n.leave()
	p.eventually("the editor has left", func() bool { return p.onlyDaemon().Clients == 1 })
	a.gets("search", with{"query": "Backoff"}, "retry.go:4")
}

// reads is the text of a resource.
func (a *agent) reads(uri string) string {
	a.Helper()
	r, err := a.session.ReadResource(a.Context(), &sdk.ReadResourceParams{URI: uri})
	if err != nil {
		a.Fatalf("%s: %v", uri, err)
	}
	return r.Contents[0].Text
}

// TestExampleBesideNeovim runs the example by which people can see the same.
func TestExampleBesideNeovim(t *testing.T) {
	for _, program := range neovims(t) {
		t.Run(neovimVersion(program), func(t *testing.T) {
			p := sharing(t, 600)
			saved := p.read("retry.go")
			t.Setenv("NVIM_BIN", program)
			out, code := p.example("agent-integration/beside_neovim.py", "retry.go", "func Jitter(n int) int { return Backoff(n) + 1 }", "Jitter")
			for _, want := range []string{
				"The agent finds it: retry.go:5 function Jitter (open in an editor)", "The agent remembers: know:", "Neovim shows it: ",
				"As a resource: ", "Forgotten again, and retry.go is as it was.",
			} {
				if !strings.Contains(out, want) {
					t.Errorf("no %q", want)
				}
			}
			if code != 0 || p.read("retry.go") != saved || t.Failed() {
				t.Errorf("%d: %s", code, out)
			}
			if out, code := p.example("agent-integration/beside_neovim.py", "no-such.go", "x", "y"); code != 1 || strings.Contains(out, "Traceback") {
				t.Errorf("a file that is not there: %d: %s", code, out)
			}
			if out, code := p.example("agent-integration/beside_neovim.py"); code != 2 || !strings.Contains(out, "FILE TEXT WORDS") {
				t.Errorf("without arguments: %d: %s", code, out)
			}
		})
	}
}
