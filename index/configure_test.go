package index

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/index/vfs"
)

// fixed are the same rules for every folder.
func fixed(r Rules) func(string) Rules { return func(string) Rules { return r } }

// paths are the indexed paths, sorted.
func paths(s *Snapshot) string {
	var list []string
	for f := range s.Files() {
		list = append(list, f.Path)
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// TestConfigureLive changes rules while the index runs, and counts what is parsed for that.
func TestConfigureLive(t *testing.T) {
	dir := workspace(t, map[string]string{
		"src/a.go": "package a\n\nfunc Alpha() {}\n", "src/b.py": "def beta(): pass\n", "docs/c.md": "# Gamma\n", "lib/d.go": "package d\n",
		"big.txt": strings.Repeat("large\n", 100), "odd.txt": strings.Repeat("abcdefgh\x01\x02", 40),
	})
	x := open(t, Options{Folders: []string{dir}, StoreDir: t.TempDir(), Debounce: 5 * time.Millisecond})
	all := "big.txt docs/c.md lib/d.go odd.txt src/a.go src/b.py"
	if got := paths(flush(t, x)); got != all {
		t.Fatalf("first: %s", got)
	}
	parsed := x.queue.parses.Load()
	for _, tt := range []struct {
		name   string
		rules  Rules
		want   string
		parses int64 // beyond what was parsed before
	}{
		{"pattern", Rules{Files: vfs.FilterOptions{Ignore: []string{"*.PY"}}}, "big.txt docs/c.md lib/d.go odd.txt src/a.go", 0},
		{"watch paths", Rules{Files: vfs.FilterOptions{WatchPaths: []string{"src"}}}, "src/a.go src/b.py", 0},
		{"size", Rules{Files: vfs.FilterOptions{MaxSize: 300}}, "docs/c.md lib/d.go src/a.go src/b.py", 0},
		{"exception", Rules{Files: vfs.FilterOptions{MaxSize: 300, SizeExceptions: []string{"big.txt"}}}, "big.txt docs/c.md lib/d.go src/a.go src/b.py", 0},
		{"extensions", Rules{Files: vfs.FilterOptions{Extensions: []string{".go"}}}, "lib/d.go src/a.go", 0},
		{"no watch path", Rules{Files: vfs.FilterOptions{WatchPaths: []string{"nowhere"}}}, "", 0},
		{"default", Rules{}, all, 0},
	} {
		x.Configure(fixed(tt.rules))
		if got := paths(flush(t, x)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
		// A text that was parsed before comes from the store.
		if n := x.queue.parses.Load() - parsed; n != tt.parses {
			t.Errorf("%s: %d files were parsed again, want %d", tt.name, n, tt.parses)
		}
	}
	x.Configure(fixed(Rules{Files: vfs.FilterOptions{WatchPaths: []string{"src"}}}))
	flush(t, x)
	write(t, dir, map[string]string{"lib/e.go": "package d\n\nfunc Outside() {}\n", "src/f.go": "package a\n\nfunc Inside() {}\n"})
	until(t, x, "a file of a watch path", has("Inside"))
	if got := paths(flush(t, x)); got != "src/a.go src/b.py src/f.go" {
		t.Errorf("after events: %s", got)
	}
	x.Configure(fixed(Rules{}))
	flush(t, x)
	write(t, dir, map[string]string{"lib/late.go": "package d\n\nfunc Late() {}\n"})
	until(t, x, "a folder that is watched again", has("Late"))
}

// TestNoStoreParsesOnlyWhatEnters does the same without a store, where what enters has to be parsed.
func TestNoStoreParsesOnlyWhatEnters(t *testing.T) {
	dir := workspace(t, map[string]string{"a.go": "package a\n", "b.go": "package b\n", "c.py": "x = 1\n"})
	x := open(t, Options{Folders: []string{dir}, NoWatch: true, Rules: fixed(Rules{Files: vfs.FilterOptions{Ignore: []string{"*.py"}}})})
	if got, n := paths(flush(t, x)), x.queue.parses.Load(); got != "a.go b.go" || n != 2 {
		t.Fatalf("%s, %d parsed", got, n)
	}
	x.Configure(fixed(Rules{}))
	if got, n := paths(flush(t, x)), x.queue.parses.Load(); got != "a.go b.go c.py" || n != 3 {
		t.Errorf("%s, %d parsed, want 3", got, n)
	}
}

// TestSecretsByRule changes what is a secret while the index runs: words are made again, nothing is parsed.
func TestSecretsByRule(t *testing.T) {
	dir := workspace(t, map[string]string{"a.go": "package a\n\n// ticket acmeticket777 of the password = \"hunter2hunter3\"\nfunc A() {}\n"})
	storeDir := t.TempDir()
	x := open(t, Options{Folders: []string{dir}, StoreDir: storeDir, NoWatch: true})
	finds := func(x *Index, ticket, password bool) {
		t.Helper()
		s := flush(t, x)
		for query, want := range map[string]bool{"acmeticket777": ticket, "hunter2hunter3": password} {
			if hits, _ := s.Search(Query{Text: query}); len(hits) > 0 != want {
				t.Errorf("%s: found %v, want %v", query, !want, want)
			}
		}
		if n := x.queue.parses.Load(); n > 1 {
			t.Errorf("%d parsed", n)
		}
	}
	finds(x, true, false)
	x.Configure(fixed(Rules{SecretPatterns: []string{`acmeticket\d+`}}))
	finds(x, false, false)
	x.Open(filepath.Join(dir, "a.go"), "go", 1, []byte("package a\n\n// acmeticket777\nfunc A() {}\n"))
	finds(x, false, false)
	x.Configure(fixed(Rules{KeepSecrets: true}))
	finds(x, true, false) // the buffer has no password
	x.Close(filepath.Join(dir, "a.go"))
	finds(x, true, true)
	if err := x.Shutdown(); err != nil {
		t.Fatal(err)
	}
	finds(open(t, Options{Folders: []string{dir}, StoreDir: storeDir, NoWatch: true}), true, false)
}

// TestRulesAreStored opens an index that was made under other rules.
func TestRulesAreStored(t *testing.T) {
	dir := workspace(t, map[string]string{"a.go": "package a\n", "b.py": "x = 1\n", "odd.txt": strings.Repeat("abcdefgh\x01\x02", 40)})
	storeDir := t.TempDir()
	run := func(r Rules, want string, parses int64) rulesFile {
		t.Helper()
		x, err := Open(context.Background(), Options{Folders: []string{dir}, StoreDir: storeDir, NoWatch: true, Rules: fixed(r)})
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := x.Shutdown(); err != nil {
				t.Error(err)
			}
		}()
		if got := paths(flush(t, x)); got != want || x.queue.parses.Load() != parses {
			t.Errorf("%+v: %s, %d parsed; want %s, %d", r, got, x.queue.parses.Load(), want, parses)
		}
		files, err := filepath.Glob(filepath.Join(storeDir, "*", rulesName))
		if err != nil || len(files) != 1 {
			t.Fatalf("rules files %q, %v", files, err)
		}
		data, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		var file rulesFile
		if err := json.Unmarshal(data, &file); err != nil {
			t.Fatal(err)
		}
		return file
	}
	made := run(Rules{}, "a.go b.py odd.txt", 3)
	if made.Created.IsZero() || len(made.Changes) != 0 {
		t.Errorf("stored %+v", made)
	}
	run(Rules{}, "a.go b.py odd.txt", 0)
	run(Rules{Files: vfs.FilterOptions{Ignore: []string{"*.py"}}}, "a.go odd.txt", 0)
	run(Rules{Files: vfs.FilterOptions{Extensions: []string{".go", ".py"}}}, "a.go b.py", 0)
	last := run(Rules{Files: vfs.FilterOptions{MaxSize: 1 << 20}}, "a.go b.py odd.txt", 0)
	var keys []string
	for _, c := range last.Changes {
		keys = append(keys, strings.Join(c.Keys, "+"))
	}
	if got, want := strings.Join(keys, " "), "Ignore Extensions+Ignore Extensions+MaxSize"; got != want {
		t.Errorf("changes %s, want %s", got, want)
	}
	if !last.Created.Equal(made.Created) || last.Updated.Before(made.Updated) || last.Rules.Files.MaxSize != 1<<20 {
		t.Errorf("stored %+v", last)
	}
}

// TestLeftOutIsNotShown: what other rules leave out now is not in the first snapshot of the next start, either.
func TestLeftOutIsNotShown(t *testing.T) {
	dir := workspace(t, map[string]string{"a.go": "package a\n", "b.py": "x = 1\n"})
	storeDir := t.TempDir()
	first := open(t, Options{Folders: []string{dir}, StoreDir: storeDir, NoWatch: true})
	flush(t, first)
	if err := first.Shutdown(); err != nil {
		t.Fatal(err)
	}
	x, err := Open(context.Background(), Options{StoreDir: storeDir, NoWatch: true, Rules: fixed(Rules{Files: vfs.FilterOptions{Ignore: []string{"*.py"}}})})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = x.Shutdown() }()
	x.AddFolder(dir)
	for {
		s := x.Snapshot()
		if got := paths(s); strings.Contains(got, "b.py") {
			t.Fatalf("snapshot %d shows %s", s.Number(), got)
		}
		if s.Number() > 0 && s.State() == Ready {
			break
		}
	}
	if got := paths(flush(t, x)); got != "a.go" {
		t.Error(got)
	}
}

// ours counts the goroutines that run code of this module below the index.
func ours(t *testing.T) int {
	t.Helper()
	var b strings.Builder
	if err := pprof.Lookup("goroutine").WriteTo(&b, 2); err != nil {
		t.Fatal(err)
	}
	n := 0
	for stack := range strings.SplitSeq(b.String(), "\n\n") {
		if strings.Contains(stack, "aurora/index") && !strings.Contains(stack, "index.ours(") || strings.Contains(stack, "fsnotify") {
			n++
		}
	}
	return n
}

// TestOffIsOff counts goroutines: what is switched off starts none, and ends those it had.
func TestOffIsOff(t *testing.T) {
	before := ours(t)
	files := map[string]string{"a.go": "package a\n\nfunc Alpha() {}\n"}
	one, two := workspace(t, files), workspace(t, map[string]string{"b.go": "package b\n\nfunc Beta() {}\n"})
	off := Rules{Off: "indexing is off: index.enabled is false"}
	x := open(t, Options{Folders: []string{one, two}, StoreDir: t.TempDir(), Debounce: 5 * time.Millisecond, Rules: fixed(off)})
	path := filepath.Join(one, "a.go")
	x.Open(path, "go", 1, []byte("package a\n\nfunc Typed() {}\n"))
	expectOff := func(when string) {
		t.Helper()
		s := flush(t, x)
		// A goroutine that has told of its end may take a moment to be gone.
		for limit := time.Now().Add(10 * time.Second); ours(t) != before; runtime.Gosched() {
			if time.Now().After(limit) {
				t.Fatalf("%s: %d goroutines run", when, ours(t)-before)
			}
		}
		st := x.Status()
		if files, _ := s.Counts(); files != 0 || len(s.Pending()) > 0 || st.Watcher != "off" || st.Folders[0].Refused != off.Off || st.State != Ready {
			t.Errorf("%s: %d files, status %+v", when, files, st)
		}
	}
	expectOff("at the start")
	if _, err := x.Rebuild(t.Context(), nil); err == nil {
		t.Error("a rebuild began")
	}
	if _, err := x.Refresh(t.Context(), nil, true); err != nil {
		t.Error(err)
	}
	x.Change(path, 2, []byte("package a\n\nfunc TypedMore() {}\n"), nil)
	expectOff("after requests")

	x.Configure(fixed(Rules{}))
	s := flush(t, x)
	if !has("TypedMore")(s) || !has("Beta")(s) || ours(t) == before {
		t.Errorf("switched on: %s, %d goroutines", paths(s), ours(t)-before)
	}
	write(t, two, map[string]string{"c.go": "package b\n\nfunc Gamma() {}\n"})
	until(t, x, "events", has("Gamma"))

	// One folder only: its file, its buffer and its watches go, the other one stays.
	x.Configure(func(folder string) Rules {
		if folder == one {
			return off
		}
		return Rules{}
	})
	if s := flush(t, x); paths(s) != "b.go c.go" {
		until(t, x, "the files of the folder that is off to be gone", func(s *Snapshot) bool { return paths(s) == "b.go c.go" })
	}
	if st := x.Status(); st.Folders[0].Refused != off.Off || st.Folders[1].Refused != "" {
		t.Errorf("status %+v", st.Folders)
	}
	x.Change(path, 3, []byte("package a\n\nfunc Silent() {}\n"), nil)
	if s := flush(t, x); has("Silent")(s) {
		t.Error("a buffer of a folder that is off was indexed")
	}
	x.Configure(fixed(off))
	expectOff("switched off")
	x.Configure(fixed(Rules{}))
	if s := flush(t, x); !has("Silent")(s) || !has("Gamma")(s) {
		t.Errorf("switched on again: %s", paths(s))
	}
	if st := x.Status(); st.Writer != "this" || st.SizeBytes == 0 {
		t.Errorf("the stores were not opened again: %+v", st)
	}
}

// TestFirstScanRules are those that shape the first scan.
func TestFirstScanRules(t *testing.T) {
	files := map[string]string{}
	for _, name := range []string{"a.go", "b.go", "c.py", "d.ts", "e.md"} {
		files[name] = "x\n"
	}
	dir := workspace(t, files)
	t.Run("in turn", func(t *testing.T) {
		entries := []vfs.Entry{{Path: "f.yaml"}, {Path: "e.rst"}, {Path: "a.go"}, {Path: "d.ts"}, {Path: "large.py", Size: 2 << 20}, {Path: "c.PY"}}
		inTurn(entries)
		var got []string
		for _, e := range entries {
			got = append(got, e.Path)
		}
		if want := "c.PY d.ts a.go e.rst f.yaml large.py"; strings.Join(got, " ") != want {
			t.Errorf("read %q, want %s", got, want)
		}
	})
	t.Run("not by itself", func(t *testing.T) {
		x := open(t, Options{Folders: []string{dir}, NoWatch: true, Rules: fixed(Rules{NoFirstScan: true})})
		if got := paths(flush(t, x)); got != "" {
			t.Errorf("indexed %s", got)
		}
		if _, err := x.Refresh(t.Context(), []string{filepath.Join(dir, "a.go")}, false); err != nil {
			t.Fatal(err)
		}
		if got := paths(flush(t, x)); got != "a.go" {
			t.Errorf("after a refresh of one file: %s", got)
		}
		if _, err := x.Refresh(t.Context(), nil, false); err != nil {
			t.Fatal(err)
		}
		if got := paths(flush(t, x)); got != "a.go b.go c.py d.ts e.md" {
			t.Errorf("after a refresh: %s", got)
		}
	})
	t.Run("nothing is left", func(t *testing.T) {
		x := open(t, Options{Folders: []string{dir}, NoWatch: true, Rules: fixed(Rules{Files: vfs.FilterOptions{Extensions: []string{".zig"}}})})
		flush(t, x)
		if got := strings.Join(x.Status().Warnings, " "); !strings.Contains(got, "the rules leave out all there is") {
			t.Errorf("warnings %q", got)
		}
	})
}

func TestProjectsOfFiles(t *testing.T) {
	dir := workspace(t, map[string]string{"web/a.ts": "x\n", "api/b.go": "x\n", "c.go": "x\n"})
	x := open(t, Options{Folders: []string{dir}, NoWatch: true, Rules: fixed(Rules{Files: vfs.FilterOptions{
		Projects: map[string]vfs.Project{"web": {WatchPaths: []string{"web"}}, "api": {WatchPaths: []string{"api/"}}},
	}})})
	flush(t, x)
	for rel, want := range map[string]string{"web/a.ts": "web", "api/b.go": "api", "c.go": ""} {
		if got := x.Project(filepath.Join(dir, rel)); got != want {
			t.Errorf("%s belongs to %q, want %q", rel, got, want)
		}
	}
	if got := x.Projects(); !slices.Equal(got, []string{"api", "web"}) {
		t.Errorf("projects %q", got)
	}
}

// TestLargeIsTold looks for warnings about large files and large projects in the log.
func TestLargeIsTold(t *testing.T) {
	var log lockedBuffer
	dir := workspace(t, map[string]string{"small.txt": "a\n", "large.txt": strings.Repeat("words\n", largeFile/6+1)})
	x := open(t, Options{
		Folders: []string{dir}, NoWatch: true, Log: slog.New(slog.NewTextHandler(&log, nil)),
	})
	flush(t, x)
	if got := log.String(); strings.Count(got, "a large file is indexed") != 1 || !strings.Contains(got, "large.txt") || strings.Contains(got, "a very large project") {
		t.Errorf("log\n%s", got)
	}
	x.scans.warnOfSize(x.folders.live()[0], manyFiles+1, vfs.Report{})
	if got := log.String(); !strings.Contains(got, "a very large project") {
		t.Errorf("log\n%s", got)
	}
}

// A lockedBuffer may be written to by several goroutines.
type lockedBuffer struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// TestFollowedLinksAreWatched changes a file that only a link leads to.
func TestFollowedLinksAreWatched(t *testing.T) {
	dir := workspace(t, map[string]string{"src/a.go": "package a\n", "build/gen/b.go": "package b\n\nfunc Before() {}\n", "build/c.go": "package c\n"})
	if err := os.Symlink("../build/gen", filepath.Join(dir, "src/gen")); err != nil {
		t.Skip(err)
	}
	x := open(t, Options{Folders: []string{dir}, Debounce: 5 * time.Millisecond, Rules: fixed(Rules{Files: vfs.FilterOptions{FollowSymlinks: true}})})
	if got := paths(flush(t, x)); got != "build/gen/b.go src/a.go" {
		t.Fatalf("indexed %s", got)
	}
	write(t, dir, map[string]string{"build/gen/b.go": "package b\n\nfunc After() {}\n"})
	until(t, x, "the change", has("After"))
	x.Configure(fixed(Rules{}))
	if got := paths(flush(t, x)); got != "src/a.go" {
		t.Errorf("without links: %s", got)
	}
}

// TestSwitchingWhileBusy switches folders off and on while others are added, edited and removed. Nothing may hang, and
// in the end all is there.
func TestSwitchingWhileBusy(t *testing.T) {
	one, two := workspace(t, map[string]string{"a.go": "package a\n\nfunc Alpha() {}\n"}), workspace(t, map[string]string{"b.go": "package b\n\nfunc Beta() {}\n"})
	x := open(t, Options{Folders: []string{one}, StoreDir: t.TempDir(), Debounce: time.Millisecond})
	var listener sync.Mutex // as a hub's, which is also held while folders are added
	x.OnProgress(func(Progress) {
		listener.Lock()
		defer listener.Unlock()
	})
	var busy sync.WaitGroup
	const rounds = 60
	busy.Go(func() {
		for i := range rounds {
			x.Configure(func(folder string) Rules {
				if i%3 == 0 || i%3 == 1 && folder == one {
					return Rules{Off: "off"}
				}
				return Rules{}
			})
		}
	})
	busy.Go(func() {
		for range rounds {
			listener.Lock()
			x.AddFolder(two)
			listener.Unlock()
			x.RemoveFolder(two)
		}
	})
	busy.Go(func() {
		path := filepath.Join(one, "a.go")
		for i := range rounds {
			x.Open(path, "go", int32(i), []byte("package a\n\nfunc Open() {}\n"))
			x.Change(path, int32(i), []byte("package a\n\nfunc Change() {}\n"), nil)
			_, _ = x.Refresh(t.Context(), nil, true)
			_ = x.Flush(deadline(t))
			x.Close(path)
		}
	})
	busy.Wait()
	x.Configure(fixed(Rules{}))
	x.AddFolder(two)
	s := flush(t, x)
	if !has("Alpha")(s) || !has("Beta")(s) || paths(s) != "a.go b.go" {
		t.Errorf("in the end: %s, %+v", paths(s), x.Status())
	}
	if st := x.Status(); st.SizeBytes == 0 || st.Writer != "this" {
		t.Errorf("stores: %+v", st)
	}
}

// TestFirstFolderWhileConfigured adds the first folder at the moment at which settings arrive, as editors do.
func TestFirstFolderWhileConfigured(t *testing.T) {
	dir := workspace(t, map[string]string{"a.go": "package a\n\nfunc Alpha() {}\n"})
	for range 100 {
		x := open(t, Options{})
		var settings sync.WaitGroup
		begun := make(chan bool)
		settings.Go(func() {
			close(begun)
			x.Configure(fixed(Rules{}))
		})
		<-begun
		x.AddFolder(dir)
		if err := x.WaitReady(deadline(t)); err != nil {
			t.Fatal(err)
		}
		if st := x.Status(); st.State != Ready || st.Indexed != 1 {
			t.Fatalf("%+v", st)
		}
		settings.Wait()
		if err := x.Shutdown(); err != nil {
			t.Fatal(err)
		}
	}
}
