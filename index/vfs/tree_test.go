package vfs

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// A tree is a temporary workspace folder.
type tree struct {
	t   testing.TB
	dir string
}

func newTree(t testing.TB) *tree {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(home, ".gitconfig"))
	return &tree{t, Canonical(t.TempDir())}
}

func (w *tree) path(rel string) string { return filepath.Join(w.dir, rel) }

func (w *tree) write(rel, text string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(w.path(rel)), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(w.path(rel), []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func (w *tree) link(target, rel string) {
	w.t.Helper()
	if err := os.Symlink(target, w.path(rel)); err != nil {
		w.t.Skip(err)
	}
}

func (w *tree) git(rel string, args ...string) {
	w.t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		w.t.Skip("git is not installed")
	}
	cmd := exec.Command("git", args...)
	cmd.Dir = w.path(rel)
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org")
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (w *tree) folder() Folder {
	w.t.Helper()
	f, err := CheckFolder(w.dir)
	if err != nil {
		w.t.Fatal(err)
	}
	return f
}

func (w *tree) filter(o FilterOptions) *Filter {
	w.t.Helper()
	f := NewFilter(context.Background(), w.folder(), o, nil)
	w.t.Cleanup(f.Close)
	return f
}

// scan returns the paths that a scan finds.
func (w *tree) scan(f *Filter) ([]string, Report) {
	w.t.Helper()
	var paths []string
	report, err := Scan(context.Background(), w.folder(), f, func(e Entry) bool {
		paths = append(paths, e.Path)
		return true
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return paths, report
}
