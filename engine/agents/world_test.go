//go:build unix

package agents

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aurora-sidecar/aurora/engine/llm/llmtest"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/internal/sandbox"
	"github.com/aurora-sidecar/aurora/internal/trust"
)

// TestMain is also the MCP server and the sandboxed program of these tests, and fails when agents leave goroutines behind.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == sandbox.Argument {
		fmt.Fprintln(os.Stderr, sandbox.Enter())
		os.Exit(1)
	}
	if len(os.Args) > 1 && os.Args[1] == "mcp-server" {
		if err := serveTools(context.Background(), &sdk.StdioTransport{}); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		return
	}
	os.Exit(llmtest.WithoutLeaks(m.Run))
}

// A world is a workspace folder and a home with a registry over them.
type world struct {
	*testing.T
	folder, home string
	mu           sync.Mutex
	trusted      bool
	now          time.Time
	options      Options
	*Registry
}

// usualPaths are the register's.
var usualPaths = []string{
	"./.aurora/agents.json", "./.claude/agents", "./agents", "./droids", "./agent", "~/.aurora/agents.json", "~/.claude/agents",
	"~/.config/amp/agents", "~/.factory/droids", "~/.config/opencode/agent",
}

func newWorld(t *testing.T) *world {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{T: t, folder: filepath.Join(base, "shop"), home: filepath.Join(base, "home"), now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	for _, dir := range []string{w.folder, w.home} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	w.options = Options{
		Paths: usualPaths, UserHome: w.home, StateFile: filepath.Join(w.home, ".aurora", "agents_state.json"), AutoDiscover: true,
		RefreshEvery: 15 * 24 * time.Hour, Timeout: 20 * time.Second, Fallback: "llm_only",
		Now: func() time.Time { w.mu.Lock(); defer w.mu.Unlock(); return w.now },
		Approves: func(folder string, _ trust.Item) bool {
			w.mu.Lock()
			defer w.mu.Unlock()
			return w.trusted && folder == w.folder
		},
	}
	w.open()
	return w
}

// open begins with a new registry, as the next process does.
func (w *world) open() { w.Registry = Open(w.options) }

func (w *world) trust(yes bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.trusted = yes
}

func (w *world) write(path, content string, mode os.FileMode) string {
	w.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.Fatal(err)
	}
	syscall.ForkLock.RLock() // a program that starts meanwhile would hold a file open that is about to be run
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		w.Fatal(err)
	}
	return path
}

func (w *world) project(name, content string) string {
	w.Helper()
	return w.write(filepath.Join(w.folder, name), content, 0o644)
}

func (w *world) user(name, content string) string {
	w.Helper()
	return w.write(filepath.Join(w.home, name), content, 0o644)
}

func (w *world) list() *Listing {
	w.Helper()
	l, err := w.List(context.Background(), []string{w.folder})
	if err != nil {
		w.Fatal(err)
	}
	return l
}

// program writes a shell script and returns an agent that is it.
func (w *world) program(script string) Definition {
	w.Helper()
	path := w.write(filepath.Join(w.home, "agent.sh"), "#!/bin/sh\n"+script+"\n", 0o755)
	return Definition{ID: "tester", Type: Executable, Launch: Launch{Path: path}, Provenance: Provenance{Origin: FromUser, Source: path}, Ready: true}
}

func (w *world) run(ctx context.Context, d Definition, ask soar.Asker) (*soar.Envelope, error) {
	w.Helper()
	return w.Agent(d, []string{w.folder}).Run(ctx, soar.Task{
		Subgoal: soar.Subgoal{ID: "SG1", Description: "Find what calls Checkout"}, Query: "who calls Checkout?", Step: 1, Steps: 2, Ask: ask,
		Sources: []soar.Source{{ID: "S1", Path: "cart.go", Line: 4, Name: "Checkout", Text: "func Checkout() {}"}}, Incoming: []string{"SG0: it is in cart.go"},
	})
}

func ids(l *Listing) string {
	var all []string
	for _, d := range l.Agents {
		if d.Origin != FromAurora {
			all = append(all, d.ID)
		}
	}
	return strings.Join(all, " ")
}

// serveTools is a server with tools of several sorts.
func serveTools(ctx context.Context, transport sdk.Transport) error {
	server := sdk.NewServer(&sdk.Implementation{Name: "tools", Version: "1"}, nil)
	type taskArgs struct {
		Task string `json:"task"`
	}
	type idArgs struct {
		ID int `json:"id"`
	}
	text := func(s string) *sdk.CallToolResult {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: s}}}
	}
	reads := &sdk.ToolAnnotations{ReadOnlyHint: true}
	sdk.AddTool(server, &sdk.Tool{Name: "research", Description: "Looks things up.", Annotations: reads},
		func(_ context.Context, _ *sdk.CallToolRequest, in taskArgs) (*sdk.CallToolResult, any, error) {
			return text(`{"summary": "asked for: ` + strings.ReplaceAll(in.Task, "\n", "; ") + `", "confidence": 0.9}`), nil, nil
		})
	sdk.AddTool(server, &sdk.Tool{Name: "chat", Annotations: reads},
		func(context.Context, *sdk.CallToolRequest, taskArgs) (*sdk.CallToolResult, any, error) {
			return text("It rains."), nil, nil
		})
	sdk.AddTool(server, &sdk.Tool{Name: "delete", Description: "Deletes."},
		func(context.Context, *sdk.CallToolRequest, taskArgs) (*sdk.CallToolResult, any, error) {
			return text("gone"), nil, nil
		})
	sdk.AddTool(server, &sdk.Tool{Name: "fetch", Annotations: reads},
		func(context.Context, *sdk.CallToolRequest, idArgs) (*sdk.CallToolResult, any, error) {
			return text("1"), nil, nil
		})
	sdk.AddTool(server, &sdk.Tool{Name: "hang", Annotations: reads},
		func(ctx context.Context, _ *sdk.CallToolRequest, _ taskArgs) (*sdk.CallToolResult, any, error) {
			<-ctx.Done()
			return nil, nil, ctx.Err()
		})
	sdk.AddTool(server, &sdk.Tool{Name: "flood", Annotations: reads},
		func(context.Context, *sdk.CallToolRequest, taskArgs) (*sdk.CallToolResult, any, error) {
			return text(strings.Repeat("flood ", 1<<20)), nil, nil
		})
	sdk.AddTool(server, &sdk.Tool{Name: "fail", Annotations: reads},
		func(context.Context, *sdk.CallToolRequest, taskArgs) (*sdk.CallToolResult, any, error) {
			return nil, nil, fmt.Errorf("the disk is full")
		})
	sdk.AddTool(server, &sdk.Tool{Name: "curious", Annotations: reads},
		func(_ context.Context, r *sdk.CallToolRequest, _ taskArgs) (*sdk.CallToolResult, any, error) {
			answer, ok := r.Params.InputResponses["shop"].(*sdk.ElicitResult)
			if !ok {
				return &sdk.CallToolResult{InputRequests: sdk.InputRequestMap{"shop": &sdk.ElicitParams{Message: "Which shop?", RequestedSchema: json.RawMessage(
					`{"type": "object", "properties": {"shop": {"type": "string", "enum": ["north", "south"]}}, "required": ["shop"]}`)}}}, nil, nil
			}
			return text(fmt.Sprintf(`{"summary": "%s: %v", "confidence": 1}`, answer.Action, answer.Content["shop"])), nil, nil
		})
	return server.Run(ctx, transport)
}
