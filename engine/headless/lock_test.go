package headless

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLock(t *testing.T) {
	r := newRepo(t)
	r.write("a.go", "package a\n")
	r.git("add", "-A")
	r.git("commit", "-q", "-m", "x")
	ctx := context.Background()
	unlock, err := Lock(ctx, r.dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Lock(ctx, r.dir); !errors.Is(err, ErrRunning) || !strings.Contains(err.Error(), fmt.Sprintf("(process %d)", os.Getpid())) {
		t.Errorf("a second run: %v", err)
	}
	beside := filepath.Join(t.TempDir(), "beside")
	r.git("worktree", "add", "-q", "-b", "other", beside)
	free, err := Lock(ctx, beside)
	if err != nil {
		t.Fatalf("another work tree: %v", err)
	}
	free()
	unlock()
	again, err := Lock(ctx, r.dir)
	if err != nil {
		t.Fatalf("after the first run: %v", err)
	}
	again()
	if out := r.git("status", "--porcelain"); out != "" {
		t.Errorf("git sees %s", out)
	}
	if _, err := Lock(ctx, t.TempDir()); err == nil || errors.Is(err, ErrRunning) {
		t.Errorf("no repository: %v", err)
	}
}
