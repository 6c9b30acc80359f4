package lsp_test

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/lsp"
	"github.com/aurora-sidecar/aurora/mcp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.lsp.dev/jsonrpc2"
)

// rushes is how many editors one goroutine of the stress test opens one after the other; steps is how much each does.
const (
	rushes = 4
	steps  = 60
)

// Editors that open and close files outside the workspace, change and refresh those inside, and go without a word or in an
// orderly way, at random: every request is answered, and every session ends. Whatever hangs fails with all goroutines shown.
func TestNothingHangs(t *testing.T) {
	w := newWorld(t)
	dir, outside := workspace(t, manyFiles(200)), workspace(t, manyFiles(40))
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	var editors sync.WaitGroup
	for n := range 4 {
		random := rand.New(rand.NewPCG(seed, uint64(n)))
		editors.Go(func() {
			for range rushes {
				w.rush(random, dir, outside)
			}
		})
	}
	editors.Wait()
	w.settle()
}

// manyFiles is an archive of n small programs.
func manyFiles(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "-- f%d.go --\npackage p\n\nfunc Fold%d(a int) int { return a + %d }\n", i, i, i)
	}
	return b.String()
}

// rush is the life of one editor that does things at random.
func (w *world) rush(random *rand.Rand, dir, outside string) {
	client, conn := lsp.Pipe(w.t)
	code := w.serve(conn)
	e := lsp.Connect(w.t, client, lsp.Config{Dir: dir})
	for range steps {
		if err := w.step(random, e, outside); err != nil {
			w.t.Error(err)
			return
		}
	}
	if random.IntN(2) == 0 {
		_ = e.Hangup()
	} else {
		e.Quit()
	}
	select {
	case <-code:
	case <-time.After(time.Minute):
		w.t.Errorf("a session does not end\n%s", goroutines())
	}
}

// step does one thing that an editor does. The error tells of a request that nobody answered.
func (w *world) step(random *rand.Rand, e *lsp.Editor, outside string) error {
	inside := fmt.Sprintf("f%d.go", random.IntN(200))
	foreign := filepath.Join(outside, fmt.Sprintf("f%d.go", random.IntN(40)))
	document := map[string]any{"uri": api.FileURI(foreign)}
	switch random.IntN(8) {
	case 0, 1:
		e.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
			"uri": api.FileURI(foreign), "languageId": "go", "version": 1, "text": fmt.Sprintf("package p\nfunc F%d() {}\n", random.IntN(9)),
		}})
	case 2, 3:
		e.Notify("textDocument/didClose", map[string]any{"textDocument": document})
	case 4:
		if err := os.WriteFile(e.Path(inside), fmt.Appendf(nil, "package p\nfunc New%d() {}\n", random.Int()), 0o644); err != nil {
			return err
		}
		return answered(e, "aurora/refresh", map[string]any{})
	case 5:
		return answered(e, "aurora/search", map[string]any{"query": fmt.Sprintf("Fold%d", random.IntN(200))})
	case 6:
		return answered(e, "textDocument/hover", map[string]any{"textDocument": document, "position": api.Position{Line: 1, Character: 6}})
	case 7:
		e.Notify("workspace/didChangeWorkspaceFolders", map[string]any{"event": map[string]any{
			[]string{"added", "removed"}[random.IntN(2)]: []any{map[string]any{"uri": api.FileURI(filepath.Dir(foreign)), "name": "o"}},
		}})
		return answered(e, "aurora/status", nil)
	}
	return nil
}

// answered sends a request; an answer that refuses it is one, too.
func answered(e *lsp.Editor, method string, params any) error {
	var refused *jsonrpc2.Error
	if err := e.Try(method, params, nil); err != nil && !errors.As(err, &refused) {
		return fmt.Errorf("%s: %w\n%s", method, err, goroutines())
	}
	return nil
}

func goroutines() string {
	stacks := make([]byte, 1<<20)
	return string(stacks[:runtime.Stack(stacks, true)])
}

// A flood of searches on one connection: each gets an answer, be it that there are too many, and so do hovers meanwhile.
func TestAFloodIsAnswered(t *testing.T) {
	if testing.Short() {
		t.Skip("1,000 searches")
	}
	w := newWorld(t)
	e := w.open(manyFiles(100))
	e.OpenFile("f1.go")
	at := e.At("f1.go", strings.Index(e.Content("f1.go"), "Fold1"))
	var searches sync.WaitGroup
	var done atomic.Int64
	for n := range 1000 {
		searches.Go(func() {
			if err := answered(e, "aurora/search", map[string]any{"query": fmt.Sprintf("Fold%d", n%100)}); err != nil {
				t.Error(err)
			}
			done.Add(1)
		})
	}
	for done.Load() < 1000 && !t.Failed() {
		if err := e.Try("textDocument/hover", at, nil); err != nil {
			t.Error(err)
		}
	}
	searches.Wait()
}

// TestACrowdOfAgentsLeavesHoversAlone has 50 agents call 1,000 tools at once while somebody hovers. A hover takes no turn: it waits
// for what is at work and never for the line, which is counted in searches that end between its question and its answer.
func TestACrowdOfAgentsLeavesHoversAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("1,000 searches")
	}
	const agents, calls = 50, 20
	w := newWorld(t)
	e := w.open(manyFiles(100))
	e.OpenFile("f1.go")
	at := e.At("f1.go", strings.Index(e.Content("f1.go"), "Fold1"))
	var ended atomic.Int64
	var crowd sync.WaitGroup
	for range agents {
		agent := w.agent(e.Dir)
		for n := range calls {
			crowd.Go(func() {
				defer ended.Add(1)
				r, err := agent.CallTool(t.Context(), &sdk.CallToolParams{Name: "search", Arguments: map[string]any{"query": fmt.Sprintf("Fold%d", n)}})
				if err != nil || r.IsError {
					t.Errorf("%+v, %v", r, err)
				}
			})
		}
	}
	hovers, overtaken := 0, int64(0)
	for ended.Load() < agents*calls && !t.Failed() {
		before := ended.Load()
		if err := e.Try("textDocument/hover", at, nil); err != nil {
			t.Error(err)
		}
		hovers, overtaken = hovers+1, max(overtaken, ended.Load()-before)
	}
	crowd.Wait()
	t.Logf("%d hovers, the slowest was overtaken by %d searches", hovers, overtaken)
	if overtaken > agents*calls/4 {
		t.Errorf("of %d hovers one was overtaken by %d of %d searches", hovers, overtaken, agents*calls)
	}
}

// agent connects a client of MCP to the engine.
func (w *world) agent(dir string) *sdk.ClientSession {
	w.t.Helper()
	server, err := mcp.New(mcp.Options{Open: mcp.Fixed(api.Local(w.engine), dir), Wait: time.Minute})
	if err != nil {
		w.t.Fatal(err)
	}
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- server.ServeStdio(w.t.Context(), toServer, fromServer) }()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(w.t.Context(), &sdk.IOTransport{Reader: toClient, Writer: fromClient}, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		_ = session.Close()
		<-ended
	})
	return session
}
