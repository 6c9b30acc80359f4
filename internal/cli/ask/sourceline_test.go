package ask

import "testing"

func TestSourceLine(t *testing.T) {
	for _, tt := range []struct{ place, name, want string }{
		{"lsp/daemon/hello.go:1", "hello.go:1", "lsp/daemon/hello.go:1"},
		{"a.go:1", "a.go:1", "a.go:1"},
		{"a.go:3", "Alpha", "a.go:3 Alpha"},
		{"know:x", "", "know:x"},
	} {
		if got := sourceLine(tt.place, tt.name); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}
