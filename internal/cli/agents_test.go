//go:build unix

package cli

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/api/jsonrpc"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
)

// curious is an agent that asks which shop is meant.
const curious = `read -r task
case "$task" in
*user_response*) echo "{\"summary\": \"The shop is $(printf '%s' "$task" | sed 's/.*"user_response":"\([^"]*\)".*/\1/').\", \"confidence\": 0.9}" ;;
*) echo '{"ask": {"question": "Which shop?", "choices": ["north", "south"], "default": "east"}}' ;;
esac
`

// agentProject is a project with a user's agent that asks, and a scripted model.
func agentProject(t *testing.T) *project {
	t.Helper()
	p := newProject(t)
	p.startModel([]byte("[]"))
	p.write("go.mod", "module example.com/shop\n")
	p.write("cart.go", "package shop\n\n// Checkout pays.\nfunc Checkout() {}\n")
	dir := filepath.Join(p.home, ".aurora")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"curious.sh": curious, "agents.json": `[{"id": "curious", "type": "executable", "path": "sh", "args": ["~/.aurora/curious.sh"]}]`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// onTerminal runs a command line whose person types lines.
func (p *project) onTerminal(typed string, args ...string) outcome {
	p.t.Helper()
	var out, errs bytes.Buffer
	c := p.cli()
	c.In, c.Out, c.Err, c.InTTY, c.ErrTTY = strings.NewReader(typed), &out, &errs, true, true
	code := Run(context.Background(), c, args)
	return outcome{out.String(), errs.String(), code}
}

// TestAgentAsksInTheTerminal holds how a person at a terminal answers an agent, and what an agent gets from nobody.
func TestAgentAsksInTheTerminal(t *testing.T) {
	for typed, says := range map[string]string{
		"2\n": "The shop is south.", "nor\n": "The shop is north.", "SOUTH\n": "The shop is south.", "\n": "The shop is east.", "": "The shop is east.",
		"7\nsouth\n": "The shop is south.",
	} {
		p := agentProject(t)
		got := p.onTerminal(typed, "aurora", "agents", "run", "curious", "look")
		if got.code != 0 || !strings.Contains(got.out, says) || !strings.Contains(got.err, "curious asks: Which shop?\n  1) north\n  2) south\n[east] > ") {
			t.Errorf("%q: %s", typed, got)
		}
	}
	p := agentProject(t)
	got := p.onTerminal("1\n2\n", "aurora", "query", "compare Checkout with nothing", "--mode", "soar")
	if got.code != 0 || !strings.Contains(got.out, "The shop is") || strings.Count(got.err, "Which shop?") != 2 {
		t.Errorf("%s", got)
	}
	if got := p.run("aurora", "query", "compare Checkout with nothing", "--mode", "soar", "--force"); !strings.Contains(got.out, "The shop is east.") {
		t.Errorf("nobody to ask: %s", got)
	}
}

// TestDaemonAsksThePersonAtTheCommand has a daemon's query ask the person at the command that it serves.
func TestDaemonAsksThePersonAtTheCommand(t *testing.T) {
	p := agentProject(t)
	parts, err := workspace.Wire(t.Context(), p.cli(), workspace.Wiring{Root: p.dir, Folders: []string{p.dir}})
	if err != nil {
		t.Fatal(err)
	}
	defer parts.Close()
	asked, events := 0, 0
	client := api.Client{
		Backend: jsonrpc.Remote{Dial: func(context.Context) (io.ReadWriteCloser, error) {
			here, there := net.Pipe()
			go jsonrpc.Serve(t.Context(), there, parts.Operations(), api.Local(parts.Engine), slog.New(slog.DiscardHandler))
			return here, nil
		}},
		Caller: api.Caller{
			Progress: func(engine.Progress) { events++ },
			Ask: func(_ context.Context, q engine.Question) (string, bool, error) {
				asked++
				return q.Choices[1], true, nil
			},
		},
	}
	if _, err := api.Ready.Call(t.Context(), client, &api.ReadyParams{}); err != nil {
		t.Fatal(err)
	}
	params := &api.QueryParams{Query: "compare Checkout with nothing", Mode: "soar"}
	result, err := api.Query.Call(t.Context(), client, params)
	if err != nil || asked != 2 || events < 20 || !strings.Contains(result.Answer, "The shop is south.") {
		t.Fatalf("asked %d times, %d events: %+v, %v", asked, events, result, err)
	}
	client.Ask, params.Force = nil, true
	if result, err = api.Query.Call(t.Context(), client, params); err != nil || !strings.Contains(result.Answer, "The shop is east.") {
		t.Errorf("nobody to ask: %+v, %v", result, err)
	}
}

// TestNoAgents holds AGT-024 to AGT-028: asked once where agents are, then never again; and, where the settings say so,
// asked whether to go on without any.
func TestNoAgents(t *testing.T) {
	p := agentProject(t)
	if err := os.Rename(filepath.Join(p.home, ".aurora"), filepath.Join(p.home, "kept")); err != nil {
		t.Fatal(err)
	}
	if got := p.run("aurora", "agents", "list"); strings.Contains(got.err, "provide agent registry path") {
		t.Errorf("a pipe was asked: %s", got)
	}
	got := p.onTerminal("~/kept/agents.json\n", "aurora", "agents", "list")
	if !strings.Contains(got.err, "No agents found. Please provide agent registry path: ") || !strings.Contains(got.out, "curious") {
		t.Errorf("%s", got)
	}
	if got := p.onTerminal("", "aurora", "agents", "list"); strings.Contains(got.err, "provide") || !strings.Contains(got.out, "curious") {
		t.Errorf("the next time: %s", got)
	}
	t.Setenv("AURORA_AGENTS_AUTO_DISCOVER", "false")
	t.Setenv("AURORA_AGENTS_FALLBACK_MODE", "ask")
	if got := p.onTerminal("n\n", "aurora", "query", "compare Checkout with nothing", "--mode", "soar"); got.code != app.ExitFailed || !strings.Contains(got.err, "No agents found. Proceed with LLM-only mode?") {
		t.Errorf("declined: %s", got)
	}
	if got := p.onTerminal("y\n", "aurora", "query", "compare Checkout with nothing", "--mode", "soar"); got.code != 0 || !strings.Contains(got.out, "Checkout") {
		t.Errorf("agreed: %s", got)
	}
}

// TestTrustAsks shows what a project brings along before it is trusted.
func TestTrustAsks(t *testing.T) {
	p := agentProject(t)
	p.write(".aurora/agents.json", `[{"id": "theirs", "type": "executable", "path": "sh", "args": ["x.sh\u001b[2J"]}]`)
	for typed, trusted := range map[string]bool{"\n": false, "no\n": false, "": false, "yes\n": true} {
		got := p.onTerminal(typed, "aurora", "trust")
		if !strings.Contains(got.err, "agent   theirs: runs sh x.sh") || strings.Contains(got.err, "\x1b[2J") || strings.Contains(got.out, "trusted from now on") != trusted {
			t.Errorf("%q: %s", typed, got)
		}
		if trusted {
			p.run("aurora", "trust", "--remove")
		}
	}
}
