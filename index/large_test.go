package index

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"
)

var large = flag.Bool("large", false, "run the tests with tens of thousands of files")

func needLarge(t *testing.T) {
	t.Helper()
	if !*large {
		t.Skip("make test-soak runs it")
	}
}

// TestManyTinyFiles: 100,000 files, half of them in one folder.
func TestManyTinyFiles(t *testing.T) {
	needLarge(t)
	dir, store := workspace(t, nil), t.TempDir()
	const files = 100_000
	for i := range files {
		sub := "flat"
		if i >= files/2 {
			sub = fmt.Sprintf("d%d/e%d", i%50, i%7)
		}
		name := filepath.Join(dir, sub, fmt.Sprintf("f%d.txt", i))
		err := os.WriteFile(name, fmt.Appendf(nil, "word%d\n", i), 0o644)
		if errors.Is(err, os.ErrNotExist) {
			write(t, dir, map[string]string{sub + "/" + filepath.Base(name): fmt.Sprintf("word%d\n", i)})
		} else if err != nil {
			t.Fatal(err)
		}
	}
	x, err := Open(t.Context(), Options{Folders: []string{dir}, StoreDir: store})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := x.Shutdown(); err != nil {
			t.Error(err)
		}
	}()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	if err := x.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	s := x.Snapshot()
	if n, _ := s.Counts(); n != files {
		t.Errorf("%d files, want %d", n, files)
	}
	for _, i := range []int{0, files/2 - 1, files / 2, files - 1} {
		if hits, _ := s.Search(Query{Text: fmt.Sprintf("word%d", i)}); len(hits) == 0 {
			t.Errorf("word%d is not found", i)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "flat", "f7.txt"), []byte("anotherword\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	until(t, x, "a change among many files", func(s *Snapshot) bool {
		hits, _ := s.Search(Query{Text: "anotherword"})
		return len(hits) == 1
	})
}

// TestBranchSwitch: git checkout of a branch in which 5,000 files differ, while events are followed.
func TestBranchSwitch(t *testing.T) {
	needLarge(t)
	const files = 5000
	texts := map[string]string{"stays.go": "package p\n\nfunc Stays() {}\n"}
	for i := range files {
		texts[fmt.Sprintf("p%d/f%d.go", i%40, i)] = fmt.Sprintf("package p\n\nfunc Old%d() {}\n", i)
	}
	dir := workspace(t, texts)
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "."}, {"commit", "-qm", "old"}, {"checkout", "-q", "-b", "new"}} {
		gitIn(t, dir, args...)
	}
	for i := range files {
		name := filepath.Join(dir, fmt.Sprintf("p%d/f%d.go", i%40, i))
		switch {
		case i%10 == 0:
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
		default:
			if err := os.WriteFile(name, fmt.Appendf(nil, "package p\n\nfunc New%d() {}\n", i), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, args := range [][]string{{"add", "-A"}, {"commit", "-qm", "new"}, {"checkout", "-q", "main"}} {
		gitIn(t, dir, args...)
	}
	store := t.TempDir()
	x := open(t, Options{Folders: []string{dir}, StoreDir: store})
	flush(t, x)
	last := func(name string, n int) func(*Snapshot) bool {
		return func(s *Snapshot) bool {
			count, _ := s.Counts()
			return count == n && has(name)(s)
		}
	}
	parsed := x.queue.parses.Load()
	gitIn(t, dir, "checkout", "-q", "new")
	until(t, x, "the new branch", func(s *Snapshot) bool {
		return last("New4999", files/10*9+1)(s) && hasNot("Old4999")(s) && has("New1")(s) && hasNot("Old1")(s)
	})
	got := contents(flush(t, x))
	fresh, _ := once(t, Options{Folders: []string{dir}})
	if !maps.Equal(got, fresh) {
		t.Error("after the switch the index is not what a fresh one is")
	}
	if n := x.queue.parses.Load() - parsed; n != files/10*9 {
		t.Errorf("%d texts parsed, want %d", n, files/10*9)
	}
	parsed = x.queue.parses.Load()
	gitIn(t, dir, "checkout", "-q", "main")
	until(t, x, "the old branch", last("Old0", files+1))
	flush(t, x)
	if n := x.queue.parses.Load() - parsed; n != 0 {
		t.Errorf("%d texts parsed on the way back, want none", n)
	}
}
