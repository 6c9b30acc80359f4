package enginetest

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/index"
)

// A Workspace is a folder with a git repository, and its index.
type Workspace struct {
	Dir   string
	Index *index.Index
}

// Open writes files, commits them as "Open the shop", and waits until they are indexed.
func Open(t testing.TB, files map[string]string) *Workspace {
	t.Helper()
	home := t.TempDir()
	for _, key := range []string{"HOME", "XDG_CONFIG_HOME", "AURORA_HOME"} {
		t.Setenv(key, home)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &Workspace{Dir: dir}
	for name, text := range files {
		path := w.Path(name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w.git(t, "init", "-q", "-b", "main")
	w.git(t, "add", ".")
	w.git(t, "-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "-q", "-m", "Open the shop")
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if w.Index, err = index.Open(ctx, index.Options{Folders: []string{dir}, NoWatch: true}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Index.Shutdown(); err != nil {
			t.Errorf("shut index down: %v", err)
		}
	})
	if err := w.Index.WaitReady(ctx); err != nil {
		t.Fatal(err)
	}
	if err := w.Index.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	return w
}

// Path is the absolute path of a file.
func (w *Workspace) Path(name string) string { return filepath.Join(w.Dir, filepath.FromSlash(name)) }

func (w *Workspace) git(t testing.TB, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = w.Dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}
