package rpc

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

const patience = 20 * time.Second // how long a test waits for what must happen

// A rawClient speaks frames over two OS pipes, right or wrong ones.
type rawClient struct {
	t    testing.TB
	in   *os.File
	conn *Conn
	got  chan message
}

type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	} `json:"error"`
	batch []message
}

func (m message) code() int {
	if m.Error == nil {
		return 0
	}
	return m.Error.Code
}

type pipePair struct {
	io.ReadCloser
	io.WriteCloser
}

func (p pipePair) Close() error {
	_ = p.ReadCloser.Close()
	return p.WriteCloser.Close()
}

func dial(t testing.TB, methods Methods) *rawClient {
	return dialLog(t, methods, slog.New(slog.DiscardHandler))
}

func dialLog(t testing.TB, methods Methods, log *slog.Logger) *rawClient {
	t.Helper()
	serverIn, clientOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	clientIn, serverOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c := &rawClient{t: t, in: clientOut, conn: NewConn(pipePair{serverIn, serverOut}, log), got: make(chan message, 100)}
	if methods.Calls == nil {
		methods.Calls = map[string]Call{}
	}
	for _, method := range []string{"initialize", "shutdown", "ping"} {
		if methods.Calls[method] == nil {
			methods.Calls[method] = answer("pong")
		}
	}
	c.conn.Start(context.Background(), methods)
	go func() {
		defer close(c.got)
		in := newFrameReader(clientIn)
		for {
			body, err := in.next(nil)
			if err != nil {
				return
			}
			var m message
			if body[0] == '[' {
				err = json.Unmarshal(body, &m.batch)
			} else {
				err = json.Unmarshal(body, &m)
			}
			if err != nil {
				t.Errorf("the server wrote %q: %v", body, err)
			}
			c.got <- m
		}
	}()
	t.Cleanup(func() {
		_ = clientOut.Close()
		if !c.conn.Close(patience) {
			t.Error("handlers are still running")
		}
		_ = clientIn.Close()
	})
	return c
}

func answer(v any) Call {
	return func(context.Context, json.RawMessage) (any, error) {
		b, err := json.Marshal(v)
		return json.RawMessage(b), err
	}
}

func (c *rawClient) raw(bytes string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, bytes); err != nil {
		c.t.Fatal(err)
	}
}

func (c *rawClient) frame(body string) {
	c.t.Helper()
	c.raw(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body))
}

func (c *rawClient) call(id, method, params string) {
	c.t.Helper()
	c.frame(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, params))
}

func (c *rawClient) notify(method, params string) {
	c.t.Helper()
	c.frame(fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, params))
}

func (c *rawClient) next() message {
	c.t.Helper()
	select {
	case m, ok := <-c.got:
		if !ok {
			c.t.Fatal("the server closed the connection")
		}
		return m
	case <-time.After(patience):
		c.t.Fatal("no message came")
	}
	panic("unreachable")
}

// expect reads one answer.
func (c *rawClient) expect(id string, code int) message {
	c.t.Helper()
	m := c.next()
	if string(m.ID) != id || m.code() != code {
		c.t.Fatalf("answer %s with code %d (%+v), want %s with %d", m.ID, m.code(), m.Error, id, code)
	}
	return m
}

func (c *rawClient) initialize() {
	c.t.Helper()
	c.call("0", "initialize", "{}")
	c.expect("0", 0)
}

// alive proves that the connection still serves.
func (c *rawClient) alive() {
	c.t.Helper()
	c.call(`"alive"`, "ping", "{}")
	c.expect(`"alive"`, 0)
}

func (c *rawClient) closed() {
	c.t.Helper()
	select {
	case m, ok := <-c.got:
		if ok {
			c.t.Fatalf("got %+v, want the end", m)
		}
	case <-time.After(patience):
		c.t.Fatal("the connection is still open")
	}
}

// A logBuffer collects log lines of several goroutines.
type logBuffer struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
