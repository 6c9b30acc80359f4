package cli

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/cli/serve"
)

func frame(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }

func TestAskedFolders(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"folders", frame(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"rootUri":"file:///b","workspaceFolders":[{"uri":"file:///a%20b","name":"a"}]}}`), "/a b"},
		{"rootUri", frame(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"rootUri":"file:///b","workspaceFolders":null}}`), "/b"},
		{"rootPath", frame(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"rootUri":null,"rootPath":"/c"}}`), "/c"},
		{"several", frame(`{"method":"initialize","params":{"workspaceFolders":[{"uri":"file:///a"},{"uri":"untitled:x"},{"uri":"file:///b"}]}}`), "/a, /b"},
		{"no folder", frame(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"rootUri":null}}`), ""},
		{"other scheme", frame(`{"method":"initialize","params":{"rootUri":"untitled:x"}}`), ""},
		{"other header first", "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n" + frame(`{"method":"initialize","params":{"rootUri":"file:///b"}}`), "/b"},
		{"other method", frame(`{"method":"textDocument/hover"}`), ""},
		{"no JSON", frame(`{{{`), ""},
		{"no frame", "hello\r\n\r\n", ""},
		{"cut header", "Content-Len", ""},
		{"cut body", "Content-Length: 50\r\n\r\n{}", ""},
		{"too large", "Content-Length: 99999999999\r\n\r\n{}", ""},
		{"negative", "Content-Length: -1\r\n\r\n{}", ""},
		{"nothing", "", ""},
	} {
		in := bufio.NewReaderSize(slowReader{strings.NewReader(tt.in)}, serve.PeekSize)
		if got := strings.Join(serve.AskedFolders(in), ", "); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		if rest, _ := io.ReadAll(in); string(rest) != tt.in {
			t.Errorf("%s: looking took bytes from the stream: %q left of %q", tt.name, rest, tt.in)
		}
	}
}

// slowReader hands out one byte at a time, as a slow client may.
type slowReader struct{ r io.Reader }

func (o slowReader) Read(p []byte) (int, error) { return o.r.Read(p[:min(1, len(p))]) }

func FuzzAskedFolders(f *testing.F) {
	f.Add(frame(`{"method":"initialize","params":{"rootUri":"file:///b"}}`))
	f.Add("Content-Length: 5\r\nX: y\r\n\r\n{}")
	f.Fuzz(func(t *testing.T, in string) {
		r := bufio.NewReaderSize(strings.NewReader(in), 4096)
		serve.AskedFolders(r)
		if rest, _ := io.ReadAll(r); string(rest) != in {
			t.Fatalf("%q became %q", in, rest)
		}
	})
}
