package lsp

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/memory/sqlite"
)

func options(t testing.TB) Options {
	t.Helper()
	ctx := context.Background()
	ix, err := index.Open(ctx, index.Options{NoWatch: true})
	if err != nil {
		t.Fatal(err)
	}
	store, err := sqlite.OpenMemory(ctx, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e := engine.New(engine.Options{Index: ix, Memory: store})
	t.Cleanup(func() {
		for _, err := range []error{ix.Shutdown(), e.Close(), store.Close()} {
			if err != nil {
				t.Error(err)
			}
		}
	})
	return Options{Engine: e, Version: "test"}
}

func frame(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }

// TestServeAScript pipes a whole session in and reads all answers, as a shell script would.
func TestServeAScript(t *testing.T) {
	tests := []struct {
		name string
		in   []string
		want []string // in the output, in order
		code int
	}{
		{"orderly", []string{
			`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`,
			`{"jsonrpc":"2.0","method":"initialized","params":{}}`,
			`{"jsonrpc":"2.0","id":2,"method":"aurora/status"}`,
			`{"jsonrpc":"2.0","id":3,"method":"shutdown"}`,
			`{"jsonrpc":"2.0","method":"exit"}`,
		}, []string{`"id":1,"result"`, `"id":3,"result":null`}, 0},
		{"cut off", []string{
			`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`,
			`{"jsonrpc":"2.0","id":2,"method":"aurora/search","params":{"query":"x"}}`,
		}, []string{`"id":1,"result"`, `"id":2,"result"`}, 1},
		{"rubbish", []string{`{`, `[1]`, `{"jsonrpc":"2.0","id":1,"method":"nope"}`}, []string{"-32700", "-32002"}, 1},
		{"nothing", nil, nil, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			opts := options(t)
			var in strings.Builder
			for _, body := range test.in {
				in.WriteString(frame(body))
			}
			var out lockedBuffer
			if code := Serve(context.Background(), opts, strings.NewReader(in.String()), &out); code != test.code {
				t.Errorf("code %d, want %d", code, test.code)
			}
			rest := out.String()
			for _, want := range test.want {
				_, after, found := strings.Cut(rest, want)
				if !found {
					t.Fatalf("no %s in %s", want, rest)
				}
				rest = after
			}
		})
	}
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func TestServeStopsWithItsContext(t *testing.T) {
	opts := options(t)
	in, blocked := io.Pipe()
	defer func() { _ = blocked.Close() }()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if code := Serve(ctx, opts, in, io.Discard); code != 1 {
		t.Errorf("code %d", code)
	}
}

// TestLifecycleFortyTimes looks for what happens once in a while, and for goroutines left behind.
func TestLifecycleFortyTimes(t *testing.T) {
	opts := options(t)
	before := runtime.NumGoroutine()
	for i := range 40 {
		client, server := Pipe(t)
		code := make(chan int, 1)
		go func() { code <- Serve(context.Background(), opts, server, server) }()
		e := Connect(t, client, Config{})
		e.Call("aurora/status", nil, nil)
		if i%2 == 0 {
			e.Quit()
		} else {
			_ = e.Hangup()
		}
		if c := <-code; c != i%2 {
			t.Fatalf("run %d ended with %d", i, c)
		}
		_ = e.Hangup()
	}
	for limit := time.Now().Add(20 * time.Second); runtime.NumGoroutine() > before; runtime.Gosched() {
		if time.Now().After(limit) {
			stacks := make([]byte, 1<<20)
			t.Fatalf("%d goroutines before, %d after:\n%s", before, runtime.NumGoroutine(), stacks[:runtime.Stack(stacks, true)])
		}
	}
}

// listening starts a server and returns once clients can connect.
func listening(t *testing.T, addr string) (net.Addr, func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	l, err := listen(ctx, addr)
	if err != nil {
		t.Fatal(err)
	}
	opts := options(t)
	ended := make(chan error, 1)
	go func() { ended <- serveListener(ctx, l, opts) }()
	var once sync.Once
	var result error
	stop := func() error {
		once.Do(func() { cancel(); result = <-ended })
		return result
	}
	t.Cleanup(func() { _ = stop() })
	return l.Addr(), stop
}

func TestListenServesSeveralClients(t *testing.T) {
	path := socketPath(t)
	_, stop := listening(t, "unix:"+path)
	var editors []*Editor
	for range 3 {
		conn, err := net.Dial("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		editors = append(editors, Connect(t, conn, Config{}))
	}
	editors[0].Quit() // ends its own connection only
	for _, e := range editors[1:] {
		e.Call("aurora/status", nil, nil)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

// socketPath is short enough for a socket, unlike t.TempDir() of tests with long names.
func socketPath(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp(t.TempDir(), "s")
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "a.sock")
}

func TestListenUnix(t *testing.T) {
	path := socketPath(t)
	_, stop := listening(t, "unix:"+path)
	info, err := os.Lstat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("socket %v, %v", info, err)
	}
	conn, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	Connect(t, conn, Config{}).Call("aurora/status", nil, nil)
	if err := Listen(context.Background(), "unix:"+path, Options{}); err == nil || !strings.Contains(err.Error(), "another server") {
		t.Errorf("a second server: %v", err)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(path); !os.IsNotExist(err) {
		t.Errorf("the socket is still there: %v", err)
	}
}

func TestListenReplacesADeadSocket(t *testing.T) {
	path := socketPath(t)
	dead, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	dead.(*net.UnixListener).SetUnlinkOnClose(false)
	_ = dead.Close()
	listening(t, "unix:"+path)
	conn, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	Connect(t, conn, Config{}).Call("aurora/status", nil, nil)
}

func TestListenRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "precious")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for addr, want := range map[string]string{
		"127.0.0.1:0":    "ports are not served",
		"localhost:7717": "ports are not served",
		"0.0.0.0:0":      "ports are not served",
		"nonsense":       "no unix:PATH",
		"unix:" + file:   "is no socket",
		"unix:" + filepath.Join(t.TempDir(), strings.Repeat("x", 120)): "too long",
	} {
		err := Listen(context.Background(), addr, Options{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", addr, err, want)
		}
	}
	if content, err := os.ReadFile(file); err != nil || string(content) != "x" {
		t.Errorf("the file in the way was touched: %q, %v", content, err)
	}
}

// BenchmarkKeystroke is a didChange and a hover that sees it, in a file of 10,000 lines, over OS pipes.
func BenchmarkKeystroke(b *testing.B) {
	dir := b.TempDir()
	source := "package a\n\n// Target is hovered over.\nfunc Target() {}\n" + strings.Repeat("\nvar _ = 1 // filler", 10_000)
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte(source), 0o600); err != nil {
		b.Fatal(err)
	}
	opts := options(b)
	client, server := Pipe(b)
	done := make(chan int, 1)
	go func() { done <- Serve(context.Background(), opts, server, server) }()
	e := Connect(b, client, Config{Dir: dir})
	e.AwaitReady()
	e.OpenFile("a.go")
	at, place := strings.Index(source, "// Target"), strings.Index(source, "Target()")
	var slowest time.Duration
	for b.Loop() {
		start := time.Now()
		e.Edit("a.go", at+3, at+3, "x")
		place++
		e.Hover("a.go", place)
		slowest = max(slowest, time.Since(start))
	}
	b.ReportMetric(float64(slowest.Milliseconds()), "max-ms")
	_ = e.Hangup()
	<-done
}

// BenchmarkHover is a hover alone, over OS pipes.
func BenchmarkHover(b *testing.B) {
	dir := b.TempDir()
	source := "package a\n\n// Target is hovered over.\nfunc Target() {}\n"
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte(source), 0o600); err != nil {
		b.Fatal(err)
	}
	opts := options(b)
	client, server := Pipe(b)
	done := make(chan int, 1)
	go func() { done <- Serve(context.Background(), opts, server, server) }()
	e := Connect(b, client, Config{Dir: dir})
	e.AwaitReady()
	place := strings.Index(source, "Target()")
	for b.Loop() {
		e.Hover("a.go", place)
	}
	_ = e.Hangup()
	<-done
}
