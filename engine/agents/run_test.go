//go:build unix

package agents

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine/reason/soar"
)

const good = `{"summary": "Nothing does.", "data": {"n": 0}, "confidence": 0.8}`

// A scripted program is a shell script with what becomes of its output: a summary, or a failure.
type scriptedProgram struct{ script, summary, failure string }

var scriptedPrograms = map[string]scriptedProgram{
	"flat":           {"echo '" + good + "'", "Nothing does.", ""},
	"envelope":       {`echo '{"subgoal_id": "SG1", "agent_id": "me", "status": "partial", "output": {"summary": "Half.", "confidence": "0.5"}, "handoff_to_next": "more"}'`, "Half.", ""},
	"log before":     {"echo starting {x; echo '{\"level\": \"info\"}'; echo '" + good + "'", "Nothing does.", ""},
	"fenced":         {"printf '```json\\n" + good + "\\n```\\n'", "Nothing does.", ""},
	"reads its task": {`read -r task; case "$task" in *'"protocol":1'*'"description":"Find what calls Checkout"'*'"incoming_context":["SG0: it is in cart.go"]'*) echo '` + good + `';; esac`, "Nothing does.", ""},
	"ignores task":   {"exec <&-; echo '" + good + "'", "Nothing does.", ""},
	"in workspace":   {`echo "{\"summary\": \"$(basename "$PWD")\", \"confidence\": 1}"`, "shop", ""},
	"no keys":        {`echo "{\"summary\": \"[$AGENT_TEST_SECRET]\", \"confidence\": 1}"`, "[]", ""},
	"child holds on": {"sleep 600 & echo '" + good + "'", "Nothing does.", ""},
	"fails, answers": {"echo '" + good + "'; exit 3", "Nothing does.", ""},
	"nothing":        {"true", "", "it answered nothing"},
	"garbage":        {"echo hello there", "", `it begins with "hello there`},
	"binary":         {`printf '\377\376\000'`, "", "not UTF-8"},
	"cut":            {`printf '{"summary": "Half'`, "", "no JSON object"},
	"no summary":     {`echo '{"confidence": 1}'`, "", "no summary"},
	"no confidence":  {`echo '{"summary": "x"}'`, "", "no confidence"},
	"bad confidence": {`echo '{"summary": "x", "confidence": 7}'`, "", "between 0 and 1"},
	"bad status":     {`echo '{"summary": "x", "confidence": 1, "status": "done"}'`, "", `"done"`},
	"dies":           {"echo 'no such key' >&2; exit 4", "", "exit status 4: no such key"},
	"killed":         {"kill -9 $$", "", "signal: killed"},
	"list":           {"echo '[1, 2]'", "", "no JSON object"},
}

// TestPrograms holds what becomes of an executable agent's output.
func TestPrograms(t *testing.T) {
	for name, test := range scriptedPrograms {
		t.Run(name, func(t *testing.T) { test.run(t, func(w *world) { w.open() }) })
	}
}

// run runs the program as an agent of a world that setup has opened.
func (p scriptedProgram) run(t *testing.T, setup func(*world)) {
	t.Setenv("AGENT_TEST_SECRET", "hunter2")
	w := newWorld(t)
	d := w.program(p.script)
	setup(w)
	d.Sandbox = w.options.Sandbox != nil
	e, err := w.run(t.Context(), d, nil)
	if p.failure != "" {
		if err == nil || !strings.Contains(err.Error(), p.failure) {
			t.Fatalf("got %+v, %v; want %q", e, err, p.failure)
		}
		return
	}
	if err != nil || e.Output.Summary != p.summary || e.SubgoalID != "SG1" || e.AgentID != "tester" {
		t.Fatalf("got %+v, %v", e, err)
	}
}

// TestErrorEnvelope keeps what an agent says of its failure: the phases judge it.
func TestErrorEnvelope(t *testing.T) {
	w := newWorld(t)
	e, err := w.run(t.Context(), w.program(`echo '{"status": "error", "error": "the site is down"}'`), nil)
	if err != nil || e.Status != "error" || e.Error != "the site is down" || e.Output.Confidence != 0 {
		t.Fatalf("%+v, %v", e, err)
	}
}

// alive reports whether a process runs.
func alive(pid int) bool { return syscall.Kill(pid, 0) == nil }

// childOf waits for a script to write the pid of a process that it has started.
func childOf(t *testing.T, file string) int {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); runtime.Gosched() {
		var pid int
		if data, err := os.ReadFile(file); err == nil {
			if _, err := fmt.Sscan(string(data), &pid); err == nil && strings.HasSuffix(string(data), "\n") {
				return pid
			}
		}
	}
	t.Fatal("the agent did not start")
	return 0
}

func gone(t *testing.T, pid int) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); alive(pid); runtime.Gosched() {
		if time.Now().After(end) {
			t.Fatalf("process %d still runs", pid)
		}
	}
}

// TestEndlessPrograms holds that a program which never ends, and all that it started, is gone when its time is over,
// SIGTERM or not.
func TestEndlessPrograms(t *testing.T) {
	for name, script := range map[string]string{
		"polite":   "sleep 600 & echo $! > child; wait",
		"stubborn": "trap '' TERM; sleep 600 & echo $! > child; while :; do wait; sleep 600; done",
		"chatty":   "sleep 600 & echo $! > child; while :; do echo working >&2; sleep 0.1; done",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // they wait rather than work
			w := newWorld(t)
			d := w.program(script)
			d.TimeoutSeconds = 1
			_, err := w.run(t.Context(), d, nil)
			if err == nil || !strings.Contains(err.Error(), "no answer within 1s") {
				t.Fatalf("got %v", err)
			}
			gone(t, childOf(t, filepath.Join(w.folder, "child")))
		})
	}
}

// TestCancelledProgram holds that the end of a question ends its agents.
func TestCancelledProgram(t *testing.T) {
	w := newWorld(t)
	d := w.program("trap '' TERM; sleep 600 & echo $! > child; while :; do wait; sleep 600; done")
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() {
		_, err := w.run(ctx, d, nil)
		failed <- err
	}()
	pid := childOf(t, filepath.Join(w.folder, "child"))
	began := time.Now()
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	if took := time.Since(began); took > 20*time.Second { // 100 ms where nothing else runs
		t.Errorf("it took %v", took)
	}
	gone(t, pid)
}

// TestFlood has a program write a gigabyte: what is kept of it stays small, and the program ends.
func TestFlood(t *testing.T) {
	for name, script := range map[string]string{
		"stdout":   "yes aurora | head -c 1000000000; echo done > ended",
		"no lines": "tr '\\000' x < /dev/zero | head -c 1000000000; echo done > ended",
		"stderr":   "yes aurora | head -c 100000000 >&2; echo '" + good + "'",
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := w.run(t.Context(), w.program(script), nil)
			runtime.ReadMemStats(&after)
			if name == "stderr" && err != nil || name != "stderr" && (err == nil || !strings.Contains(err.Error(), "longer than 1024 KiB")) {
				t.Fatalf("got %v", err)
			}
			if grown := after.TotalAlloc - before.TotalAlloc; grown > 16<<20 {
				t.Errorf("%d MB were allocated", grown>>20)
			}
			if _, err := os.Stat(filepath.Join(w.folder, "ended")); err == nil {
				t.Error("the program wrote on to its end")
			}
		})
	}
}

// TestQuestions has an agent ask the person, over two runs, and one that never stops asking.
func TestQuestions(t *testing.T) {
	const script = `read -r task
case "$task" in
*'"user_response":"south"'*) echo '{"summary": "South it is.", "confidence": 0.9}' ;;
*'(no answer)'*) echo '{"summary": "Nobody answered.", "confidence": 0.1}' ;;
*) echo '{"ask": {"question": "Which shop?", "choices": ["north", "south"]}}' ;;
esac`
	w := newWorld(t)
	d := w.program(script)
	var asked soar.Question
	e, err := w.run(t.Context(), d, func(_ context.Context, q soar.Question) (string, bool, error) { asked = q; return "south", true, nil })
	if err != nil || e.Output.Summary != "South it is." || asked.Text != "Which shop?" || asked.AgentID != "tester" || len(asked.Choices) != 2 {
		t.Fatalf("%+v, %v, asked %+v", e, err, asked)
	}
	if len(e.Interactions) != 1 || e.Interactions[0].Turn != 1 || e.Interactions[0].Response != "south" || e.Interactions[0].Timestamp.IsZero() {
		t.Errorf("%+v", e.Interactions)
	}
	if e, err = w.run(t.Context(), d, nil); err != nil || e.Output.Summary != "Nobody answered." {
		t.Errorf("%+v, %v", e, err)
	}
	endless := w.program(`echo '{"ask": {"question": "And now?", "default": "go on"}}'`)
	if _, err = w.run(t.Context(), endless, nil); err == nil || !strings.Contains(err.Error(), "more than 5 questions") {
		t.Errorf("got %v", err)
	}
	_, err = w.run(t.Context(), d, func(context.Context, soar.Question) (string, bool, error) { return "", false, context.Canceled })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestEndpoints holds what becomes of the answers of HTTP agents.
func TestEndpoints(t *testing.T) {
	for name, test := range map[string]struct {
		serve            func(w http.ResponseWriter, r *http.Request, call int)
		summary, failure string
		calls            int
	}{
		"good":    {func(w http.ResponseWriter, _ *http.Request, _ int) { fmt.Fprint(w, good) }, "Nothing does.", "", 1},
		"500":     {func(w http.ResponseWriter, _ *http.Request, _ int) { http.Error(w, "it broke", 500) }, "", "HTTP status 500: it broke", 1},
		"404":     {func(w http.ResponseWriter, r *http.Request, _ int) { http.NotFound(w, r) }, "", "HTTP status 404", 1},
		"no text": {func(http.ResponseWriter, *http.Request, int) {}, "", "it answered nothing", 1},
		"503, then good": {func(w http.ResponseWriter, _ *http.Request, call int) {
			if call == 1 {
				w.WriteHeader(503)
				return
			}
			fmt.Fprint(w, good)
		}, "Nothing does.", "", 2},
		"redirect": {func(w http.ResponseWriter, r *http.Request, _ int) {
			http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusFound)
		}, "", "HTTP status 302", 1},
		"cut": {func(w http.ResponseWriter, _ *http.Request, _ int) {
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, `{"summary": "Ha`)
		}, "", "broke its answer off", 1},
		"flood": {func(w http.ResponseWriter, _ *http.Request, _ int) {
			for range 2000 {
				if _, err := w.Write(make([]byte, 1024)); err != nil {
					return
				}
			}
		}, "", "longer than 1024 KiB", 1},
		"hang": {func(_ http.ResponseWriter, r *http.Request, _ int) { <-r.Context().Done() }, "", "no answer within 1s", 1},
		"html": {func(w http.ResponseWriter, _ *http.Request, _ int) { fmt.Fprint(w, "<html>") }, "", "no JSON object", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("REMOTE_KEY", "k1")
			w := newWorld(t)
			var calls atomic.Int32
			server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
				call := int(calls.Add(1))
				buf := make([]byte, 64<<10)
				n, _ := r.Body.Read(buf)
				if r.Header.Get("Authorization") != "Bearer k1" || !strings.Contains(string(buf[:n]), `"protocol":1`) {
					t.Errorf("key %q, body %q", r.Header.Get("Authorization"), buf[:n])
				}
				test.serve(rw, r, call)
			}))
			defer server.Close()
			defer w.client.CloseIdleConnections()
			d := Definition{ID: "tester", Type: HTTP, Launch: Launch{Endpoint: server.URL, KeyEnv: "REMOTE_KEY"}, Provenance: Provenance{Origin: FromUser}}
			if name == "hang" {
				d.TimeoutSeconds = 1
			}
			e, err := w.run(t.Context(), d, nil)
			if test.failure != "" && (err == nil || !strings.Contains(err.Error(), test.failure)) || test.failure == "" && (err != nil || e.Output.Summary != test.summary) {
				t.Errorf("got %+v, %v", e, err)
			}
			if got := int(calls.Load()); got != test.calls {
				t.Errorf("%d calls", got)
			}
		})
	}
}

// TestEndpointAway tells that nobody listens, and does not try for long when the question is cancelled.
func TestEndpointAway(t *testing.T) {
	w := newWorld(t)
	d := Definition{ID: "tester", Type: HTTP, Launch: Launch{Endpoint: "http://127.0.0.1:1/", TimeoutSeconds: 1}, Provenance: Provenance{Origin: FromUser}}
	if _, err := w.run(t.Context(), d, nil); err == nil || !strings.Contains(err.Error(), "127.0.0.1:1") {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.run(ctx, d, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestServers has tools of an MCP server work on subgoals.
func TestServers(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ tool, summary, failure string }{
		{"research", "asked for: Find what calls Checkout; From an earlier step, SG0: it is in cart.go", ""},
		{"chat", "It rains.", ""},
		{"curious", "accept: south", ""},
		{"fail", "", "the disk is full"},
		{"fetch", "", "needs arguments"},
		{"absent", "", "no tool absent; it has chat, curious"},
		{"", "", "name one in tool"},
		{"hang", "", "no answer within 3s"},
		{"flood", "", ""},
	} {
		t.Run(test.tool, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			d := Definition{ID: "tester", Type: MCP, Launch: Launch{Path: program, Args: []string{"mcp-server"}, Tool: test.tool, TimeoutSeconds: 20}, Provenance: Provenance{Origin: FromUser}}
			if test.tool == "hang" {
				d.TimeoutSeconds = 3
			}
			e, err := w.run(t.Context(), d, func(_ context.Context, q soar.Question) (string, bool, error) { return q.Choices[1], true, nil })
			if test.summary == "" {
				if err == nil || !strings.Contains(err.Error(), test.failure) {
					t.Fatalf("got %+v, %v", e, err)
				}
				return
			}
			if err != nil || e.Output.Summary != test.summary {
				t.Fatalf("got %+v, %v", e, err)
			}
		})
	}
}

// TestServersThatAreNone has programs that are no MCP servers called as ones.
func TestServersThatAreNone(t *testing.T) {
	for name, script := range map[string]string{
		"dies": "echo broken >&2; exit 1", "garbage": "yes no", "silent": "sleep 600", "echo": "cat", "stubborn": "trap '' TERM; while :; do sleep 600; done",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			d := w.program(script)
			d.Type, d.TimeoutSeconds = MCP, 1
			began := time.Now()
			if _, err := w.run(t.Context(), d, nil); err == nil || time.Since(began) > 15*time.Second {
				t.Errorf("got %v after %v", err, time.Since(began))
			}
		})
	}
}

// TestScan makes agents of the tools that only read and take a task, and keeps them for later processes.
func TestScan(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	w.options.ScanConfigs = []string{"./.mcp.json", "~/.claude.json"}
	w.open()
	config := fmt.Sprintf(`{"mcpServers": {"shop": {"command": %q, "args": ["mcp-server"]}, "aurora": {"command": "aurora"}, "broken": {"command": "no-such-program"}}}`, program)
	w.user(".claude.json", config)
	w.project(".mcp.json", `{"mcpServers": {"evil": {"command": "touch", "args": ["ran"]}}}`)
	l, err := w.Refresh(t.Context(), []string{w.folder})
	if err != nil || !strings.Contains(ids(l), "shop-research") || strings.Contains(ids(l), "shop-delete") || strings.Contains(ids(l), "shop-fetch") {
		t.Fatalf("%s, %v, %v", ids(l), l.Problems, err)
	}
	if len(l.Problems) != 1 || l.Problems[0].Agent != "broken" {
		t.Errorf("%v", l.Problems)
	}
	if _, err := os.Stat(filepath.Join(w.folder, "ran")); err == nil {
		t.Error("a server of an untrusted project was started")
	}
	w.open()
	d, ok := w.list().Get("shop-research")
	if !ok || !d.Ready {
		t.Fatalf("%+v", d)
	}
	if e, err := w.run(t.Context(), *d, nil); err != nil || !strings.HasPrefix(e.Output.Summary, "asked for") {
		t.Errorf("%+v, %v", e, err)
	}
}
