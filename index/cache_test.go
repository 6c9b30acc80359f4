package index

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// once opens an index, waits for it, and shuts it down; it returns what was in it and how many texts were parsed.
func once(t *testing.T, opts Options) (found map[string]string, parsed int64) {
	t.Helper()
	opts.NoWatch = true
	x, err := Open(context.Background(), opts)
	if err != nil {
		t.Fatal(err)
	}
	flush(t, x)
	found, parsed = contents(x.Snapshot()), x.queue.parses.Load()
	if err := x.Shutdown(); err != nil {
		t.Fatal(err)
	}
	return found, parsed
}

func numberedFiles(n int) map[string]string {
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("p%d/f%d.go", i%7, i)] = fmt.Sprintf("package p\n\n// Function%d is one of many.\nfunc Function%d() {}\n", i, i)
	}
	return files
}

func TestWorkspacesShareWhatWasParsed(t *testing.T) {
	files := numberedFiles(50)
	one, two, store := workspace(t, files), workspace(t, files), t.TempDir()
	want, parsed := once(t, Options{Folders: []string{one}, StoreDir: store})
	if parsed != 50 || len(want) == 0 {
		t.Fatalf("%d texts parsed, %d chunks", parsed, len(want))
	}
	write(t, two, map[string]string{"p0/f0.go": "package p\n\nfunc Changed() {}\n"})
	got, parsed := once(t, Options{Folders: []string{two}, StoreDir: store})
	if parsed != 1 {
		t.Errorf("%d texts of a copy were parsed, want 1", parsed)
	}
	fresh, _ := once(t, Options{Folders: []string{two}})
	if !maps.Equal(got, fresh) {
		t.Errorf("got %v\nwant %v", got, fresh)
	}
	write(t, two, files) // back again
	if _, parsed := once(t, Options{Folders: []string{two}, StoreDir: store}); parsed != 0 {
		t.Errorf("%d texts were parsed after a return to earlier ones", parsed)
	}
}

// TestDamagedCache: what the cache can't give is parsed.
func TestDamagedCache(t *testing.T) {
	files := numberedFiles(50)
	one, two, store := workspace(t, files), workspace(t, files), t.TempDir()
	want, _ := once(t, Options{Folders: []string{one}, StoreDir: store})
	databases, err := filepath.Glob(filepath.Join(store, cacheName, "*.db"))
	if err != nil || len(databases) != 1 {
		t.Fatal(databases, err)
	}
	data, err := os.ReadFile(databases[0])
	if err != nil {
		t.Fatal(err)
	}
	for i := 4096; i < len(data); i++ { // all pages but the first: found only when they are read
		data[i] = 0xee
	}
	if err := os.WriteFile(databases[0], data, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, _ := once(t, Options{Folders: []string{two}, StoreDir: store}); !maps.Equal(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
	three := workspace(t, files)
	if got, parsed := once(t, Options{Folders: []string{three}, StoreDir: store}); parsed == 50 || !maps.Equal(got, want) {
		t.Errorf("the cache did not start again: %d texts parsed", parsed)
	}
}

func gitIn(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=A", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func TestSecondWorkTreeBeginsWithTheFirst(t *testing.T) {
	dir, store := workspace(t, numberedFiles(50)), t.TempDir()
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"commit", "-qm", "all"}} {
		gitIn(t, dir, args...)
	}
	once(t, Options{Folders: []string{dir}, StoreDir: store})
	tree := filepath.Join(workspace(t, nil), "tree")
	gitIn(t, dir, "worktree", "add", "-q", tree)
	write(t, tree, map[string]string{"p1/f1.go": "package p\n\nfunc Changed() {}\n", "new.go": "package p\n\nfunc New() {}\n"})
	if err := os.Remove(filepath.Join(tree, "p2/f2.go")); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(store, cacheName)); err != nil { // it must not need the cache
		t.Fatal(err)
	}
	got, parsed := once(t, Options{Folders: []string{tree}, StoreDir: store})
	if parsed != 2 {
		t.Errorf("%d texts were parsed, want 2", parsed)
	}
	want, _ := once(t, Options{Folders: []string{tree}})
	if !maps.Equal(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
}

// TestSameTextWrittenAgain: a file whose time alone has changed is read once, not at every start.
func TestSameTextWrittenAgain(t *testing.T) {
	files := numberedFiles(50)
	dir, store := workspace(t, files), t.TempDir()
	once(t, Options{Folders: []string{dir}, StoreDir: store})
	write(t, dir, files)
	once(t, Options{Folders: []string{dir}, StoreDir: store})
	x := open(t, Options{Folders: []string{dir}, StoreDir: store, NoWatch: true})
	x.mu.Lock()
	defer x.mu.Unlock()
	if looked := x.folders.all[0].unsaved; looked != 0 {
		t.Errorf("%d files were looked at again", looked)
	}
	for _, e := range x.published.Load().Entries() {
		if info, err := os.Stat(e.File.Abs); err != nil || !info.ModTime().Equal(e.ModTime) {
			t.Fatalf("%s: %v, want %v", e.File.Path, e.ModTime, info.ModTime())
		}
	}
}

func TestRebuildsAreRemembered(t *testing.T) {
	dir, store := workspace(t, numberedFiles(10)), t.TempDir()
	var ids []string
	for range 2 {
		x, err := Open(t.Context(), Options{Folders: []string{dir}, StoreDir: store, NoWatch: true})
		if err != nil {
			t.Fatal(err)
		}
		flush(t, x)
		job, err := x.Rebuild(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, waitJob(t, x, job.ID).ID)
		if err := x.Shutdown(); err != nil {
			t.Fatal(err)
		}
	}
	x := open(t, Options{Folders: []string{dir}, StoreDir: store, NoWatch: true})
	for _, id := range ids {
		if job, err := x.Job(id); err != nil || job.Status != JobCompleted || job.Done != 10 || job.Ended.IsZero() {
			t.Errorf("%s: %+v, %v", id, job, err)
		}
	}
	x.jobs.save(x.folders.all[0], Job{ID: "killed", Status: JobRunning, Started: x.jobs.all[0].Started})
	if err := x.Shutdown(); err != nil {
		t.Fatal(err)
	}
	x = open(t, Options{Folders: []string{dir}, StoreDir: store, NoWatch: true})
	if job, err := x.Job("killed"); err != nil || job.Status != JobFailed || job.Err == "" {
		t.Errorf("a rebuild whose process was killed: %+v, %v", job, err)
	}
	if _, err := x.Job("never"); !errors.Is(err, ErrNoJob) {
		t.Errorf("an unknown job: %v", err)
	}
}
