package watch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patience is how long a test waits for what must come; a passing test never waits that long.
const patience = 30 * time.Second

// A watched folder and what was reported about it.
type watched struct {
	t       *testing.T
	dir     string
	w       *Watcher
	changed map[string]bool
	dirs    map[string]bool
	rescan  bool
	batches int
}

func watchDir(t *testing.T, o Options, prepare func(dir string)) *watched {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if prepare != nil {
		prepare(dir)
	}
	if o.Debounce == 0 {
		o.Debounce = 20 * time.Millisecond
	}
	w, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	if err := w.Add(dir); err != nil {
		t.Fatal(err)
	}
	if w.Mode() != ModeFull || w.Err() != nil {
		t.Fatalf("mode %s, %v", w.Mode(), w.Err())
	}
	return &watched{t: t, dir: dir, w: w, changed: make(map[string]bool), dirs: make(map[string]bool)}
}

func (x *watched) path(rel string) string { return filepath.Join(x.dir, rel) }

func (x *watched) write(rel, text string) { x.t.Helper(); write(x.t, x.path(rel), text) }

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (x *watched) rename(from, to string) {
	x.t.Helper()
	if err := os.Rename(x.path(from), x.path(to)); err != nil {
		x.t.Fatal(err)
	}
}

// await reads batches until done.
func (x *watched) await(what string, done func() bool) {
	x.t.Helper()
	timeout := time.After(patience)
	for !done() {
		select {
		case b, open := <-x.w.Batches():
			if !open {
				x.t.Fatalf("closed before %s", what)
			}
			x.take(b)
		case <-timeout:
			x.t.Fatalf("no %s; changed %v, dirs %v", what, x.changed, x.dirs)
		}
	}
}

func (x *watched) take(b Batch) {
	x.t.Helper()
	if b.empty() || !slices.IsSorted(b.Changed) || !slices.IsSorted(b.Dirs) {
		x.t.Errorf("odd batch %+v", b)
	}
	x.batches++
	x.rescan = x.rescan || b.Rescan
	for _, path := range b.Changed {
		x.changed[path] = true
	}
	for _, dir := range b.Dirs {
		x.dirs[dir] = true
	}
}

func (x *watched) awaitChanged(rels ...string) {
	x.t.Helper()
	x.await("change of "+strings.Join(rels, ", "), func() bool {
		for _, rel := range rels {
			if !x.changed[x.path(rel)] {
				return false
			}
		}
		return true
	})
}

// settle waits until everything that happened before was delivered, by a change of its own, which the system tells in one event.
func (x *watched) settle() {
	x.t.Helper()
	rel := fmt.Sprintf("settled-%d", x.batches)
	made := filepath.Join(x.t.TempDir(), "made")
	write(x.t, made, "x")
	if err := os.Rename(made, x.path(rel)); err != nil {
		x.t.Fatal(err)
	}
	x.awaitChanged(rel)
	delete(x.changed, x.path(rel))
}

func (x *watched) expect(changed, dirs []string) {
	x.t.Helper()
	x.settle()
	if got := x.rels(x.changed); !slices.Equal(got, changed) {
		x.t.Errorf("changed %q, want %q", got, changed)
	}
	if got := x.rels(x.dirs); !slices.Equal(got, dirs) {
		x.t.Errorf("dirs %q, want %q", got, dirs)
	}
	clear(x.changed)
	clear(x.dirs)
}

func (x *watched) rels(set map[string]bool) []string {
	var rels []string
	for path := range set {
		rel, err := filepath.Rel(x.dir, path)
		if err != nil {
			x.t.Fatal(err)
		}
		rels = append(rels, filepath.ToSlash(rel))
	}
	slices.Sort(rels)
	return rels
}

func TestCreateModifyDelete(t *testing.T) {
	x := watchDir(t, Options{}, func(dir string) { write(t, filepath.Join(dir, "sub/old.go"), "x") })
	x.write("a.go", "1")
	x.expect([]string{"a.go"}, nil)
	x.write("a.go", "2")
	x.write("sub/old.go", "2")
	x.expect([]string{"a.go", "sub/old.go"}, nil)
	if err := os.Remove(x.path("a.go")); err != nil {
		t.Fatal(err)
	}
	x.expect([]string{"a.go"}, nil)
	x.rename("sub/old.go", "sub/new.go")
	x.expect([]string{"sub/new.go", "sub/old.go"}, nil)
}

func TestNewFoldersLoseNothing(t *testing.T) {
	x := watchDir(t, Options{}, nil)
	var want []string
	for i := range 200 {
		rel := fmt.Sprintf("a%d/b/c/f.go", i)
		x.write(rel, "x")
		want = append(want, rel)
	}
	x.awaitChanged(want...)
	x.write("a7/b/c/later.go", "x")
	x.awaitChanged("a7/b/c/later.go")
}

func TestSavesByRename(t *testing.T) {
	saves := map[string]func(x *watched){
		"temporary file": func(x *watched) {
			x.write("a.go.tmp123", "new")
			x.rename("a.go.tmp123", "a.go")
		},
		"vim": func(x *watched) {
			x.write("4913", "")
			_ = os.Remove(x.path("4913"))
			x.rename("a.go", "a.go~")
			x.write("a.go", "new")
			_ = os.Remove(x.path("a.go~"))
		},
		"vim with a swap file": func(x *watched) {
			x.write(".a.go.swp", "x")
			x.write("a.go", "new")
			_ = os.Remove(x.path(".a.go.swp"))
		},
		"emacs": func(x *watched) {
			x.write("#a.go#", "x")
			_ = os.Symlink("user@host", x.path(".#a.go"))
			x.write("a.go", "new")
			_ = os.Remove(x.path(".#a.go"))
		},
		"jetbrains": func(x *watched) {
			x.write("a.go___jb_tmp___", "new")
			x.rename("a.go", "a.go___jb_old___")
			x.rename("a.go___jb_tmp___", "a.go")
			_ = os.Remove(x.path("a.go___jb_old___"))
		},
	}
	for name, save := range saves {
		t.Run(name, func(t *testing.T) {
			x := watchDir(t, Options{Debounce: 100 * time.Millisecond}, func(dir string) { write(t, filepath.Join(dir, "a.go"), "old") })
			save(x)
			x.expect([]string{"a.go"}, nil)
		})
	}
}

func TestFileReplacedAndRemovedAtOnce(t *testing.T) {
	x := watchDir(t, Options{Debounce: 200 * time.Millisecond}, func(dir string) { write(t, filepath.Join(dir, "a.go"), "old") })
	x.write("b", "new")
	x.rename("b", "a.go")
	if err := os.Remove(x.path("a.go")); err != nil {
		t.Fatal(err)
	}
	x.awaitChanged("a.go")
}

func TestFolderMoves(t *testing.T) {
	x := watchDir(t, Options{}, func(dir string) {
		write(t, filepath.Join(dir, "a/b/f.go"), "x")
		write(t, filepath.Join(dir, "a/g.go"), "x")
	})
	x.rename("a", "z")
	x.expect([]string{"z/b/f.go", "z/g.go"}, []string{"a", "z"})
	x.write("z/b/f.go", "2")
	x.expect([]string{"z/b/f.go"}, nil)

	x.write("new/place", "x")
	x.settle()
	clear(x.changed)
	clear(x.dirs)
	x.rename("z/b", "new/b")
	x.expect([]string{"new/b/f.go"}, []string{"new/b", "z/b"})
	x.write("new/b/f.go", "3")
	x.expect([]string{"new/b/f.go"}, nil)
}

// A folder that moves into one that was just made is listed under its new name before its old watch is known to be
// stale; it must be followed there all the same.
func TestFolderMovesIntoNewFolder(t *testing.T) {
	x := watchDir(t, Options{}, func(dir string) {
		for i := range 20 {
			write(t, filepath.Join(dir, fmt.Sprintf("d%d/f.go", i)), "x")
		}
	})
	for i := range 20 {
		if err := os.Mkdir(x.path(fmt.Sprintf("n%d", i)), 0o755); err != nil {
			t.Fatal(err)
		}
		x.rename(fmt.Sprintf("d%d", i), fmt.Sprintf("n%d/d", i))
	}
	var want []string
	for i := range 20 {
		want = append(want, fmt.Sprintf("n%d/d/f.go", i))
	}
	x.awaitChanged(want...)
	x.settle()
	clear(x.changed)
	for i := range 20 {
		x.write(fmt.Sprintf("n%d/d/f.go", i), "2")
	}
	x.awaitChanged(want...)
}

func TestFolderLeavesAndComesBack(t *testing.T) {
	outside, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	x := watchDir(t, Options{}, func(dir string) { write(t, filepath.Join(dir, "a/b/f.go"), "x") })
	if err := os.Rename(x.path("a"), filepath.Join(outside, "a")); err != nil {
		t.Skip(err)
	}
	x.expect(nil, []string{"a"})
	write(t, filepath.Join(outside, "a/b/f.go"), "unseen")
	x.expect(nil, nil)
	if err := os.Rename(filepath.Join(outside, "a"), x.path("a")); err != nil {
		t.Fatal(err)
	}
	x.expect([]string{"a/b/f.go"}, []string{"a"})
	if err := os.RemoveAll(x.path("a")); err != nil {
		t.Fatal(err)
	}
	x.expect([]string{"a/b/f.go"}, []string{"a", "a/b"})
}

func TestSkippedFolders(t *testing.T) {
	skip := func(dir string) bool { return filepath.Base(dir) == "node_modules" }
	x := watchDir(t, Options{Skip: skip}, func(dir string) { write(t, filepath.Join(dir, "node_modules/m.js"), "x") })
	x.write("node_modules/m.js", "2")
	x.write("sub/node_modules/m.js", "2")
	x.write("sub/a.js", "2")
	x.expect([]string{"sub/a.js", "sub/node_modules"}, []string{"sub"})
}

// TestSingleFile follows a file through folders that come, go and are moved, and nothing beside it.
func TestSingleFile(t *testing.T) {
	outside := t.TempDir()
	x := watchDir(t, Options{}, nil)
	file := filepath.Join(outside, "settings/git/ignore")
	for _, want := range []bool{true, false} {
		if fresh, err := x.w.AddFile(file); fresh != want || err != nil {
			t.Fatalf("fresh %v, %v", fresh, err)
		}
	}
	seen := func(what string) {
		t.Helper()
		x.await(what, func() bool { return x.changed[file] })
		x.settle()
		if len(x.changed) != 1 || len(x.dirs) != 0 {
			t.Errorf("%s: changed %v, dirs %v", what, x.changed, x.dirs)
		}
		clear(x.changed)
	}
	write(t, file, "one")
	seen("a file in new folders")
	write(t, filepath.Join(outside, "settings/git/other"), "not followed")
	write(t, file, "two")
	seen("a change")
	if err := os.Rename(filepath.Join(outside, "settings"), filepath.Join(outside, "away")); err != nil {
		t.Fatal(err)
	}
	seen("its folder goes")
	write(t, file, "three")
	seen("it is there again")
}

func TestCheckoutOfManyFiles(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	home := t.TempDir()
	git := func(dir string, args ...string) {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a",
			"GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	var rels []string
	for i := range 500 {
		rels = append(rels, fmt.Sprintf("d%d/f%d.go", i%25, i))
	}
	skip := func(dir string) bool { return filepath.Base(dir) == ".git" }
	x := watchDir(t, Options{Skip: skip}, func(dir string) {
		git(dir, "init", "-q", "-b", "main")
		for _, text := range []string{"one", "two"} {
			for _, rel := range rels {
				write(t, filepath.Join(dir, rel), text+rel)
			}
			git(dir, "add", ".")
			git(dir, "commit", "-q", "-m", text)
		}
	})
	git(x.dir, "checkout", "-q", "HEAD~1")
	x.awaitChanged(rels...)
	if x.batches > 100 {
		t.Errorf("%d batches for one checkout", x.batches)
	}
}

func TestSteadyStreamIsDelivered(t *testing.T) {
	x := watchDir(t, Options{Debounce: 20 * time.Millisecond}, nil)
	stop := make(chan struct{})
	var writer sync.WaitGroup
	writer.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				_ = os.WriteFile(x.path("log"), []byte("x"), 0o644)
			}
		}
	})
	x.await("batch while the stream goes on", func() bool { return x.batches >= 3 })
	close(stop)
	writer.Wait()
}

func TestBatchesMergeWhileNobodyReads(t *testing.T) {
	x := watchDir(t, Options{Debounce: time.Millisecond}, nil)
	for i := range 50 {
		x.write(fmt.Sprintf("f%d", i), "x")
		if err := x.w.do(func() {}); err != nil { // the events so far have passed the loop or wait for it
			t.Fatal(err)
		}
	}
	x.awaitChanged("f0", "f49")
	if x.batches > 50 {
		t.Errorf("%d batches", x.batches)
	}
}

func TestOverflowAsksForARescan(t *testing.T) {
	x := watchDir(t, Options{}, func(dir string) { write(t, filepath.Join(dir, "a/f.go"), "x") })
	x.w.overflow <- struct{}{} // as drainErrors does on fsnotify.ErrEventOverflow
	x.await("rescan", func() bool { return x.rescan })
	x.write("a/f.go", "2")
	x.expect([]string{"a/f.go"}, nil)
}

func TestRoots(t *testing.T) {
	x := watchDir(t, Options{}, func(dir string) {
		write(t, filepath.Join(dir, "in/f.go"), "x")
		write(t, filepath.Join(dir, "file"), "x")
	})
	if err := x.w.Add(x.path("missing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing root: %v", err)
	}
	if err := x.w.Add(x.path("file")); !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("file as root: %v", err)
	}
	if err := x.w.Add(x.path("in")); err != nil {
		t.Fatal(err)
	}
	if err := x.w.Remove(x.path("in")); err != nil { // the outer root still covers it
		t.Fatal(err)
	}
	x.write("in/f.go", "2")
	x.awaitChanged("in/f.go")
	if err := x.w.Add(x.path("in")); err != nil {
		t.Fatal(err)
	}
	if err := x.w.Remove(x.dir); err != nil {
		t.Fatal(err)
	}
	x.write("outer.go", "unseen")
	clear(x.changed)
	x.write("in/f.go", "3")
	x.awaitChanged("in/f.go")
	if x.changed[x.path("outer.go")] {
		t.Error("a removed root is still followed")
	}
}

func TestLimitIsSaid(t *testing.T) {
	x := watchDir(t, Options{}, func(dir string) { write(t, filepath.Join(dir, "a/b/f.go"), "x") })
	// The real limit belongs to everybody on the machine, so the system's answer is put in its place.
	err := x.w.do(func() { x.w.addDir = func(string) error { return syscall.ENOSPC } })
	if err != nil {
		t.Fatal(err)
	}
	if err := x.w.Add(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	if x.w.Mode() != ModeLimited || x.w.Err() == nil || !strings.Contains(x.w.Err().Error(), "max_user_watches") {
		t.Errorf("mode %s, %v", x.w.Mode(), x.w.Err())
	}
}

func TestCloseWhileBusy(t *testing.T) {
	x := watchDir(t, Options{Debounce: time.Millisecond}, nil)
	stop := make(chan struct{})
	var writers sync.WaitGroup
	for i := range 4 {
		writers.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
					dir := x.path(fmt.Sprintf("w%d/d%d", i, n%10))
					_ = os.MkdirAll(dir, 0o755)
					_ = os.WriteFile(filepath.Join(dir, "f"), []byte("x"), 0o644)
					_ = os.RemoveAll(dir)
				}
			}
		})
	}
	x.await("some batches", func() bool { return x.batches >= 3 })
	if err := x.w.Close(); err != nil {
		t.Error(err)
	}
	if err := x.w.Close(); err != nil {
		t.Error(err)
	}
	close(stop)
	writers.Wait()
	if _, open := <-x.w.Batches(); open {
		t.Error("a batch after Close")
	}
	if err := x.w.Add(x.dir); !errors.Is(err, ErrClosed) {
		t.Errorf("Add after Close: %v", err)
	}
	if err := x.w.Remove(x.dir); !errors.Is(err, ErrClosed) {
		t.Errorf("Remove after Close: %v", err)
	}
}

func TestIsNoise(t *testing.T) {
	for name, want := range map[string]bool{
		"4913": true, "a.go~": true, ".a.go.swp": true, ".a.go.swx": true, ".#a.go": true, "#a.go#": true,
		"a.go": false, "a.swp": false, "#include": false, "4913.go": false, "": false,
	} {
		if got := isNoise(name); got != want {
			t.Errorf("isNoise(%q) = %v", name, got)
		}
	}
}

func BenchmarkAddThousandFolders(b *testing.B) {
	dir := b.TempDir()
	for i := range 1000 {
		if err := os.MkdirAll(filepath.Join(dir, fmt.Sprintf("a%d/b%d", i/50, i)), 0o755); err != nil {
			b.Fatal(err)
		}
	}
	w, err := New(Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	for b.Loop() {
		if err := w.Add(dir); err != nil {
			b.Fatal(err)
		}
		if err := w.Remove(dir); err != nil {
			b.Fatal(err)
		}
	}
}
