package agents

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/internal/sandbox"
)

// boxed opens a world whose registry has a sandbox.
func boxed(w *world) {
	w.Helper()
	w.options.Sandbox = sandbox.New(filepath.Join(w.home, ".aurora", sandbox.Folder), "/proc/self/exe")
	if err := w.options.Sandbox.Check(); err != nil {
		w.Skip("no sandbox here:", err)
	}
	w.open()
}

// TestProgramsInTheSandbox holds that an agent's output is read there as it is elsewhere.
func TestProgramsInTheSandbox(t *testing.T) {
	for name, test := range scriptedPrograms {
		if name == "killed" {
			continue // the first process of its namespace can't kill itself
		}
		t.Run(name, func(t *testing.T) { test.run(t, boxed) })
	}
}

// TestAHostileAgentInTheSandbox tries what a program without a sandbox could do.
func TestAHostileAgentInTheSandbox(t *testing.T) {
	w := newWorld(t)
	boxed(w)
	w.options.Hidden = func(_ context.Context, folder string) func(string) bool {
		return func(path string) bool { return path == filepath.Join(folder, ".env") }
	}
	w.open()
	w.project(".env", "hunter2")
	code := w.project("cart.go", "package shop\n")
	key := w.user(".ssh/id", "hunter3")
	t.Setenv("AGENT_TEST_NAMED", "given")
	d := w.program(`echo overwritten > cart.go; { cat .env "` + key + `"; tail -n +2 /proc/net/route; } 2>/dev/null | tr -d '\n' > /tmp/seen
echo "{\"summary\": \"saw [$(cat /tmp/seen)] and $AGENT_TEST_NAMED in $(head -n 1 cart.go)\", \"confidence\": 1}"`)
	d.Env, d.Sandbox = []string{"AGENT_TEST_NAMED"}, true
	e, err := w.run(t.Context(), d, nil)
	if err != nil || !strings.HasPrefix(e.Output.Summary, "saw [] and given in ") {
		t.Errorf("%+v, %v", e, err)
	}
	if text, err := os.ReadFile(code); err != nil || string(text) != "package shop\n" {
		t.Errorf("the workspace was changed: %q, %v", text, err)
	}
	d.Path = w.write(filepath.Join(w.home, "long.sh"), "#!/bin/sh\nhead -c 2000000 /dev/zero | tr '\\0' x\n", 0o755)
	if e, err := w.run(t.Context(), d, nil); err == nil || !strings.Contains(err.Error(), "longer than") {
		t.Errorf("a long answer: %+v, %v", e, err)
	}
	d.Path = w.write(filepath.Join(w.home, "slow.sh"), "#!/bin/sh\nsleep 600\n", 0o755)
	w.options.Timeout = 500 * time.Millisecond
	w.open()
	if e, err := w.run(t.Context(), d, nil); err == nil || !strings.Contains(err.Error(), "no answer within") {
		t.Errorf("no answer: %+v, %v", e, err)
	}
}

// TestServersInTheSandbox holds that servers answer there as they do elsewhere, and have ended when they did not.
func TestServersInTheSandbox(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for tool, want := range map[string]string{
		"research": "asked for: Find what calls Checkout; From an earlier step, SG0: it is in cart.go", "chat": "It rains.", "curious": "accept: south",
		"fail": "the disk is full", "absent": "no tool absent; it has chat, curious", "hang": "no answer within 3s", "flood": "call flood",
	} {
		t.Run(tool, func(t *testing.T) {
			w := newWorld(t)
			boxed(w)
			d := Definition{ID: "tester", Type: MCP, Launch: Launch{Path: program, Args: []string{"mcp-server"}, Tool: tool, TimeoutSeconds: 60, Sandbox: true}, Provenance: Provenance{Origin: FromUser}}
			if tool == "hang" {
				d.TimeoutSeconds = 3
			}
			e, err := w.run(t.Context(), d, func(_ context.Context, q soar.Question) (string, bool, error) { return q.Choices[1], true, nil })
			if err != nil && !strings.Contains(err.Error(), want) || err == nil && e.Output.Summary != want {
				t.Errorf("%+v, %v", e, err)
			}
			if r, err := w.options.Sandbox.Run(t.Context(), sandbox.Command{Workspace: w.folder, Dir: w.folder, Args: []string{"true"}, Limit: time.Minute}); err != nil || r.Code != 0 {
				t.Errorf("the next one: %+v, %v", r, err) // one at a time
			}
		})
	}
	for name, script := range map[string]string{"dies": "echo broken >&2; exit 1", "garbage": "yes no", "silent": "sleep 600"} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			boxed(w)
			d := w.program(script)
			d.Type, d.Sandbox, d.TimeoutSeconds = MCP, true, 1
			if name == "dies" {
				d.TimeoutSeconds = 60 // it ends by itself, on a busy machine later
			}
			if _, err := w.run(t.Context(), d, nil); err == nil || name == "dies" && !strings.Contains(err.Error(), "broken") {
				t.Errorf("%v", err)
			}
		})
	}
}

// TestWithoutASandbox has an agent that is to run in one not run at all.
func TestWithoutASandbox(t *testing.T) {
	w := newWorld(t)
	w.trust(true)
	w.project("tool.sh", "#!/bin/sh\n")
	if err := os.Chmod(filepath.Join(w.folder, "tool.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	w.project(".aurora/agents.json", `{"agent_registry": {"agents": [
		{"id": "boxed", "path": "./tool.sh", "sandbox": true}, {"id": "remote", "endpoint": "https://example.com", "sandbox": true},
		{"id": "both", "path": "./tool.sh", "sandbox": true, "availability": "depends_on_network"}, {"id": "odd", "path": "./tool.sh", "sandbox": "yes"}]}}`)
	l := w.list()
	d, ok := l.Get("boxed")
	if !ok || d.Ready || !d.Sandbox || !strings.Contains(d.Problem, "sandbox") || !strings.HasSuffix(d.Does(), "tool.sh in the sandbox") {
		t.Errorf("%+v", d)
	}
	if e, err := w.run(t.Context(), *d, nil); err == nil || !strings.Contains(err.Error(), "sandbox") {
		t.Errorf("%+v, %v", e, err)
	}
	var said strings.Builder
	for _, p := range l.Problems {
		said.WriteString(p.String() + "\n")
	}
	for _, want := range []string{"remote: sandbox is for agents that are programs", "both: a program in the sandbox reaches no network", "odd: sandbox must be true or false"} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("no %q in:\n%s", want, &said)
		}
	}
	boxed(w)
	if d, _ := w.list().Get("boxed"); d == nil || !d.Ready {
		t.Errorf("%+v", d)
	}
}
