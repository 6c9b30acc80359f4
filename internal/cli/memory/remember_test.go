package memory

import (
	"os"
	"path/filepath"
	"testing"
)

// A source is typed as one types a path: from the current folder, or from the project's.
func TestSourceIn(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	outside, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(root, "net"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(root, "net", "retry.go"), filepath.Join(root, "main.go"), filepath.Join(outside, "far.go")} {
		if err := os.WriteFile(path, []byte("package x\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(filepath.Join(root, "net"))
	for source, want := range map[string]struct {
		place string
		known bool
	}{
		"retry.go:4":                     {"net/retry.go:4", true},
		"retry.go:4:2":                   {"net/retry.go:4:2", true},
		"../main.go":                     {"main.go", true},
		"net/retry.go:4":                 {"net/retry.go:4", true},
		filepath.Join(root, "main.go"):   {"main.go", true},
		filepath.Join(outside, "far.go"): {filepath.Join(outside, "far.go"), true},
		"gone.go:4":                      {"gone.go:4", false},
		"https://example.com/x:4":        {"https://example.com/x:4", true},
		"code:net/retry.go:Retry":        {"code:net/retry.go:Retry", true},
	} {
		if place, known := sourceIn(root, source); place != want.place || known != want.known {
			t.Errorf("%s: got %s, %v", source, place, known)
		}
	}
}
