package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/internal/api"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// A wire is a client that writes lines as it likes.
type wire struct {
	*testing.T
	in    io.WriteCloser
	lines *bufio.Reader
	ended chan error
}

func (w *world) wire() *wire {
	w.Helper()
	serverIn, in := io.Pipe()
	out, serverOut := io.Pipe()
	l := &wire{T: w.T, in: in, lines: bufio.NewReader(out), ended: make(chan error, 1)}
	go func() { l.ended <- w.server.ServeStdio(context.Background(), serverIn, serverOut) }()
	w.Cleanup(func() { in.Close() })
	return l
}

func (l *wire) send(line string) {
	l.Helper()
	if _, err := io.WriteString(l.in, line+"\n"); err != nil {
		l.Fatal(err)
	}
}

// answer reads messages up to the next answer. Whatever is no message fails the test.
func (l *wire) answer() map[string]any {
	l.Helper()
	for {
		line, err := l.lines.ReadString('\n')
		if err != nil {
			l.Fatal(err)
		}
		var message map[string]any
		if err := json.Unmarshal([]byte(line), &message); err != nil || message["jsonrpc"] != "2.0" {
			l.Fatalf("not a message: %s", line)
		}
		if _, notification := message["method"]; !notification {
			return message
		}
	}
}

func (l *wire) initialize() {
	l.Helper()
	l.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"wire","version":"1"}}}`)
	if a := l.answer(); a["error"] != nil || a["id"] != 0.0 {
		l.Fatalf("initialize: %v", a)
	}
	l.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

// alive fails unless the session still answers.
func (l *wire) alive(id int) {
	l.Helper()
	l.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, id))
	if a := l.answer(); a["id"] != float64(id) || a["error"] != nil {
		l.Errorf("after it, ping answers %v", a)
	}
}

func TestMalformedMessages(t *testing.T) {
	w := newServerWorld(t, "")
	l := w.wire()
	l.initialize()
	deep := strings.Repeat(`[`, 20_000)
	for i, tt := range []struct {
		line string
		code float64 // 0: no answer
	}{
		{`hello`, codeParse},
		{`{"jsonrpc":"2.0","id":1,"method":"ping"`, codeParse},
		{`{"jsonrpc":"2.0","id":1,"method":"ping"} {"jsonrpc":"2.0","id":2,"method":"ping"}`, codeParse},
		{"\xff\xfe\x00", codeParse},
		{deep, codeParse},
		{`[]`, codeInvalidRequest},
		{`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, codeInvalidRequest},
		{`null`, codeInvalidRequest},
		{`"ping"`, codeInvalidRequest},
		{`{}`, codeInvalidRequest},
		{`{"jsonrpc":"1.0","id":1,"method":"ping"}`, codeInvalidRequest},
		{`{"jsonrpc":"2.0","id":{},"method":"ping"}`, codeInvalidRequest},
		{`{"jsonrpc":"2.0","id":1,"method":5}`, codeInvalidRequest},
		{`{"jsonrpc":"2.0","id":1}`, codeInvalidRequest},
		{strings.Repeat("x", maxMessage+10), codeInvalidRequest},
		{`{"jsonrpc":"2.0","id":1,"method":"no/such"}`, -32601},
		{`{"jsonrpc":"2.0","id":1,"method":""}`, -32601},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, codeInvalidRequest},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}`, -32602},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}`, -32602},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"none"}}`, -32602},
		{`{"jsonrpc":"2.0","id":99,"result":{}}`, 0},
		{`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":12345}}`, 0},
		{`{"jsonrpc":"2.0","method":"notifications/nonsense","params":{}}`, 0},
		{``, 0},
		{"\r", 0},
	} {
		l.send(tt.line)
		if tt.code != 0 {
			a := l.answer()
			failure, _ := a["error"].(map[string]any)
			if failure == nil || failure["code"] != tt.code {
				t.Errorf("%.60q: %v, want code %v", tt.line, a, tt.code)
			}
		}
		l.alive(1000 + i)
	}
}

func TestCancelEndsTheCall(t *testing.T) {
	w := newServerWorld(t, "")
	begun, ended := make(chan struct{}), make(chan struct{})
	w.fake(fakes{api.Search.Operation: func(ctx context.Context, _ any, _ api.Caller) (any, error) { // waits until its caller gives up
		close(begun)
		<-ctx.Done()
		close(ended)
		return nil, ctx.Err()
	}})
	l := w.wire()
	l.initialize()
	l.send(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"search","arguments":{"query":"x"}}}`)
	<-begun
	l.alive(8) // others are answered meanwhile
	l.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7,"reason":"enough"}}`)
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		t.Fatal("the search goes on")
	}
}

// unready indexes until it is released.
func unready(release chan struct{}) fakes {
	return fakes{api.Ready.Operation: func(ctx context.Context, _ any, _ api.Caller) (any, error) {
		select {
		case <-release:
			return &api.ReadyResult{Ready: true}, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}}
}

// A call that waits for the index says so, and is answered when the index is ready; one that has waited enough is
// answered from what there is.
func TestCallsWaitForTheIndex(t *testing.T) {
	w := newWorld(t, "")
	release := make(chan struct{})
	w.fake(unready(release))
	answered := make(chan error, 1)
	go func() {
		params := &sdk.CallToolParams{Name: "search", Arguments: args{"query": "TotalPrice"}}
		params.SetProgressToken(1)
		_, err := w.client.CallTool(t.Context(), params)
		answered <- err
	}()
	if told := <-w.told; !strings.Contains(told.Message, "indexing the workspace") {
		t.Errorf("told %q", told.Message)
	}
	select {
	case err := <-answered:
		t.Errorf("answered before the index was ready: %v", err)
	default:
	}
	close(release)
	if err := <-answered; err != nil {
		t.Error(err)
	}
	w.fake(unready(make(chan struct{})))
	w.server.wait = time.Millisecond
	w.must("search", args{"query": "TotalPrice"}, "cart/cart.go")
}

func TestHangUpEndsTheServer(t *testing.T) {
	before := runtime.NumGoroutine()
	w := newServerWorld(t, "")
	running := runtime.NumGoroutine()
	l := w.wire()
	l.initialize()
	l.in.Close()
	if err := <-l.ended; err != nil && !errors.Is(err, io.EOF) {
		t.Errorf("the end of input: %v", err)
	}
	for limit := time.Now().Add(20 * time.Second); runtime.NumGoroutine() > max(running, before); runtime.Gosched() {
		if time.Now().After(limit) {
			stacks := make([]byte, 1<<16)
			t.Fatalf("goroutines are left:\n%s", stacks[:runtime.Stack(stacks, true)])
		}
	}
}

// FuzzLines reads any bytes as a client's messages. What is let through is one JSON object a line, and what isn't is answered.
func FuzzLines(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\nhello\n[]\n\r\n"))
	f.Add([]byte(strings.Repeat("[", 100) + "\n{}"))
	f.Fuzz(func(t *testing.T, sent []byte) {
		var answers bytes.Buffer
		through, err := io.ReadAll(newLineGuard(io.NopCloser(bytes.NewReader(sent)), closeless{&answers}))
		if err != nil {
			t.Fatal(err)
		}
		for _, stream := range [][]byte{through, answers.Bytes()} {
			for line := range bytes.Lines(stream) {
				if line = bytes.TrimSpace(line); len(line) > 0 && (line[0] != '{' || !json.Valid(line)) {
					t.Errorf("%q: %q is no message", sent, line)
				}
			}
		}
	})
}

// closeless is a writer that stays open.
type closeless struct{ io.Writer }

func (closeless) Close() error { return nil }
