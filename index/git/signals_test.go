package git

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// count runs git through a program that notes each blame, and returns how many there were.
func countBlames(t *testing.T) func() int {
	t.Helper()
	real, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed")
	}
	dir := t.TempDir()
	notes := filepath.Join(dir, "notes")
	script := "#!/bin/sh\nfor a in \"$@\"; do case \"$a\" in blame) echo x >> '" + notes + "';; esac; done\nexec '" + real + "' \"$@\"\n"
	if err := os.WriteFile(filepath.Join(dir, "git"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return func() int {
		data, err := os.ReadFile(notes)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		return len(data) / 2
	}
}

func open(t *testing.T, dir string) *Repo {
	t.Helper()
	r, err := Open(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func collect(t *testing.T, r *Repo, paths ...string) {
	t.Helper()
	if err := r.Collect(context.Background(), paths); err != nil {
		t.Fatal(err)
	}
}

// commits returns the number of commits that the first line of a file remembers.
func commits(t *testing.T, r *Repo, rel string, line int) Info {
	t.Helper()
	info, err := r.History(context.Background(), rel, line, line)
	if err != nil {
		t.Fatal(err)
	}
	return info
}

// TestCollectReadsEachVersionOnce: what was collected is not blamed again, neither by a question nor by the next
// collection; only what a commit changed is.
func TestCollectReadsEachVersionOnce(t *testing.T) {
	w := newWorkTree(t)
	w.write("a.go", "one\ntwo\n")
	w.write("b.go", "one\n")
	w.commit(1, "Ada", "First")
	w.write("a.go", "one\nTWO\n")
	w.commit(2, "Bob", "Second")
	blames := countBlames(t)
	r := open(t, w.dir)
	if !r.Stale(context.Background()) {
		t.Error("nothing is collected, and that is not stale")
	}
	collect(t, r, "a.go", "b.go", "missing.go")
	if n := blames(); n != 2 || r.Collected() != 2 {
		t.Fatalf("%d blames, %d collected; want 2", n, r.Collected())
	}
	if r.Stale(context.Background()) {
		t.Error("stale right after the collection")
	}
	whole, err := r.History(context.Background(), "a.go", 0, 1)
	if err != nil || whole.Commits != 2 || whole.LastAuthor != "Bob" || whole.State != Tracked || !whole.LastModified.Equal(at(2)) {
		t.Errorf("history %+v, %v", whole, err)
	}
	buffer, err := r.HistoryText(context.Background(), "a.go", []byte("one\nTWO\n"), 0, 0)
	if err != nil || buffer.Commits != 1 || buffer.LastAuthor != "Ada" {
		t.Errorf("history of an unchanged buffer %+v, %v", buffer, err)
	}
	collect(t, r, "a.go", "b.go")
	if n := blames(); n != 2 {
		t.Errorf("%d blames after questions and a second collection, want 2", n)
	}

	w.write("b.go", "one\nmore\n")
	w.commit(3, "Cy", "Third")
	if !r.Stale(context.Background()) {
		t.Error("HEAD has moved, and that is not stale")
	}
	collect(t, r, "a.go", "b.go")
	if n := blames(); n != 3 {
		t.Errorf("%d blames after a commit to one file, want 3", n)
	}
	if info := commits(t, r, "b.go", 1); info.LastAuthor != "Cy" {
		t.Errorf("after the commit: %+v", info)
	}
	w.write("b.go", "one\nmore\nnot committed\n")
	if info := commits(t, r, "b.go", 2); info.Uncommitted != 1 || info.Commits != 0 {
		t.Errorf("a line that is not committed: %+v", info)
	}
	w.write("new.go", "x\n")
	if info := commits(t, r, "new.go", 0); info.State != Untracked {
		t.Errorf("an untracked file is %s", info.State)
	}
}

// TestCollectInEveryKindOfRepository compares what was collected with what a question without a collection gets.
func TestCollectInEveryKindOfRepository(t *testing.T) {
	w := newWorkTree(t)
	w.write("sub/a.go", "one\n")
	w.commit(1, "Ada", "First")
	w.write("sub/a.go", "one\ntwo\n")
	w.commit(2, "Bob", "Second")

	linked := filepath.Join(t.TempDir(), "linked")
	w.git("worktree", "add", "-q", linked, "-b", "side")
	shallow := filepath.Join(t.TempDir(), "shallow")
	w.git("clone", "-q", "--depth", "1", "file://"+w.dir, shallow)
	outer := newWorkTree(t)
	outer.write("x.go", "x\n")
	outer.commit(1, "Ada", "First")
	outer.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", w.dir, "module")
	outer.commit(2, "Ada", "Add the module")

	for name, dir := range map[string]string{
		"plain": w.dir, "subfolder": filepath.Join(w.dir, "sub"), "worktree": linked, "shallow": shallow,
		"submodule": filepath.Join(outer.dir, "module"),
	} {
		rel := "sub/a.go"
		if name == "subfolder" {
			rel = "a.go"
		}
		without := commits(t, open(t, dir), rel, 0)
		r := open(t, dir)
		collect(t, r, rel)
		if r.Collected() != 1 {
			t.Errorf("%s: %d collected", name, r.Collected())
		}
		if with := commits(t, r, rel, 0); with != without || with.State != Tracked || with.Commits != 1 {
			t.Errorf("%s: collected %+v, asked %+v", name, with, without)
		}
		if with := commits(t, r, rel, 0); with.Truncated != (name == "shallow") {
			t.Errorf("%s: truncated %v", name, with.Truncated)
		}
	}
	over := open(t, outer.dir)
	collect(t, over, "module", "module/sub/a.go", "x.go")
	if over.Collected() != 1 {
		t.Errorf("a submodule's files were collected for the repository around it: %d", over.Collected())
	}
}

func TestNothingToCollect(t *testing.T) {
	w := newWorkTree(t)
	w.write("a.go", "one\n")
	r := open(t, w.dir)
	collect(t, r, "a.go") // no commit yet
	if info := commits(t, r, "a.go", 0); info.State != Untracked || r.Collected() != 0 {
		t.Errorf("before the first commit: %+v", info)
	}
	bare := t.TempDir()
	w.git("init", "-q", "--bare", bare)
	for _, dir := range []string{bare, t.TempDir()} {
		if _, err := Open(context.Background(), dir); !errors.Is(err, ErrNotRepo) {
			t.Errorf("%s: %v, want ErrNotRepo", dir, err)
		}
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := Open(context.Background(), w.dir); !errors.Is(err, ErrNoGit) {
		t.Errorf("without git: %v", err)
	}
}

func TestCollectEndsWithItsContext(t *testing.T) {
	w := newWorkTree(t)
	w.write("a.go", "one\n")
	w.commit(1, "Ada", "First")
	r := open(t, w.dir)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := r.Collect(ctx, []string{"a.go"}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if !r.Stale(context.Background()) {
		t.Error("a collection that was cancelled counts as done")
	}
}

func TestSignalsAreBounded(t *testing.T) {
	s := newSignals(2000)
	b := &fileBlame{lines: make([]int32, 50), commits: make([]blameCommit, 1)} // 600 bytes and its name
	room := 0
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		if s.put(signalKey{rel: name}, b) {
			room++
		}
		s.get(signalKey{rel: "a"})
	}
	if room != 3 || len(s.entries) != 3 || s.bytes > s.limit || s.get(signalKey{rel: "a"}) == nil || s.get(signalKey{rel: "b"}) != nil {
		t.Errorf("room for %d, %d entries of %d bytes", room, len(s.entries), s.bytes)
	}
}

func TestBlobName(t *testing.T) {
	w := newWorkTree(t)
	w.write("a", "größer\x00\n")
	if got, want := blobName([]byte("größer\x00\n"), 40), w.git("hash-object", "a"); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
