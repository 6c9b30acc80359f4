package index

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/index/syntax"
)

// workspace writes files into a temporary folder and returns its canonical path.
func workspace(t testing.TB, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, files)
	return dir
}

func write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// open starts an index over dir and waits for its first scan. Everything it started must have ended afterwards.
func open(t testing.TB, opts Options) *Index {
	t.Helper()
	x, err := Open(context.Background(), opts)
	if err != nil {
		t.Fatal(err)
	}
	opened.Add(1)
	t.Cleanup(func() {
		if err := x.Shutdown(); err != nil {
			t.Error(err)
		}
		if n := syntax.Live(); opened.Add(-1) == 0 && n != 0 {
			t.Errorf("%d syntax trees leaked", n)
		}
	})
	if err := x.WaitReady(deadline(t)); err != nil {
		t.Fatalf("first scan: %v", err)
	}
	return x
}

// opened counts the indexes that run; the trees of all of them are counted together.
var opened atomic.Int32

func deadline(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func flush(t testing.TB, x *Index) *Snapshot {
	t.Helper()
	if err := x.Flush(deadline(t)); err != nil {
		t.Fatalf("flush: %v", err)
	}
	return x.Snapshot()
}

// until waits for something that file events bring about.
func until(t testing.TB, x *Index, what string, ok func(*Snapshot) bool) {
	t.Helper()
	err := x.life.wait(deadline(t), func() bool { return ok(x.published.Load()) })
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

func has(name string) func(*Snapshot) bool {
	return func(s *Snapshot) bool { return len(s.Named(name, false)) > 0 }
}

func hasNot(name string) func(*Snapshot) bool {
	return func(s *Snapshot) bool { return len(s.Named(name, false)) == 0 }
}

func ids(hits []Hit) []string {
	var out []string
	for _, h := range hits {
		out = append(out, h.ID())
	}
	return out
}

const serverGo = `package server

import "fmt"

// ParseHeader reads one header line.
func ParseHeader(line string) error {
	return checkLine(line)
}

func checkLine(line string) error { return fmt.Errorf("empty: %q", line) }

// Server answers requests.
type Server struct{ addr string }

// Listen waits for connections.
func (s *Server) Listen() error { return ParseHeader(s.addr) }
`

func TestFirstScan(t *testing.T) {
	dir := workspace(t, map[string]string{
		"server/server.go":     serverGo,
		"tools/greet.py":       "class Greeter:\n    \"\"\"Greets.\"\"\"\n    def greet_user(self, name):\n        return shout(name)\n",
		"web/app.ts":           "export const fetchPage = async (url: string) => {\r\n  return load(url)\r\n}\r\n",
		"README.md":            "# Title\n\nHello wörld 😀.\n\n## Install steps\n\nRun it.\n",
		"notes.txt":            "remember the milk\n",
		"node_modules/x/x.js":  "function hidden() {}",
		".env":                 "SECRET=hidden",
		"image.png":            "\x89PNG\x00\x00",
		"sub/.gitignore":       "",
		"bom.py":               "\ufeffdef with_bom():\n    pass\n",
		"latin1.go":            "package p\n\n// caf\xe9\nfunc Latin() {}\n",
		"nul.go":               "package p\x00\nfunc Nul() {}\n",
		"broken.go":            "package p\n\nfunc Good() {}\n\nfunc Bad( {\n\nfunc AlsoGood() {}\n",
		"oneline.js":           "var a=1;" + strings.Repeat("f(1,2,3);", 600_000),
		"empty.go":             "",
		"tools/deploy":         "#!/usr/bin/env python3\ndef deploy_everything():\n    pass\n",
		"lib/stack.h":          "#pragma once\nnamespace shop {\ntemplate <typename T> class StackOfThings { void push_thing(T t) {} };\n}\n",
		"config/app.yaml":      "database:\n  pool:\n    size: 5\n  host:\n    name: db\n",
		"dir with space/é.go":  "package p\n\nfunc Unicode() {}\n",
		"build/generated.go":   "package p\n\nfunc InBuild() {}\n",
		"deep/a/b/c/d/deep.go": "package deep\n\nfunc Deep() {}\n",
	})
	x := open(t, Options{Folders: []string{dir}})
	s := x.Snapshot()
	if s.State() != Ready {
		t.Errorf("state %s, warnings %v", s.State(), x.Status().Warnings)
	}
	for _, name := range []string{"ParseHeader", "checkLine", "Server", "Server.Listen", "greet_user", "Greeter", "fetchPage",
		"Install steps", "with_bom", "Latin", "Good", "Unicode", "Deep", "deploy_everything", "StackOfThings", "push_thing", "database"} {
		if refs := s.Named(name, false); len(refs) != 1 {
			t.Errorf("%s: %d chunks", name, len(refs))
		}
	}
	for _, name := range []string{"hidden", "Nul", "InBuild"} {
		if refs := s.Named(name, false); len(refs) != 0 {
			t.Errorf("%s is indexed: %s", name, refs[0].ID())
		}
	}
	if got := s.Callers("ParseHeader", 0); len(got) != 1 || got[0].Chunk().Name != "Listen" {
		t.Errorf("callers of ParseHeader: %v", got)
	}
	if hits, total := s.Search(Query{Text: "header line", Limit: 3}); total == 0 || hits[0].ID() != "code:server/server.go:ParseHeader" {
		t.Errorf("search: %d %v", total, ids(hits))
	}
	if hits, _ := s.Search(Query{Text: "milk"}); len(hits) != 1 || hits[0].File.Path != "notes.txt" {
		t.Errorf("plain text: %v", ids(hits))
	}
	for _, ref := range s.Named("Unicode", false) {
		text, fresh, ok := x.Read(ref)
		if got := string(fresh.Chunk().Span.In(text)); !ok || got != "func Unicode() {}" {
			t.Errorf("read: %q %v", got, ok)
		}
		if back, ok := s.ByID(ref.ID()); !ok || back != ref {
			t.Errorf("ByID(%q) = %v, %v", ref.ID(), back, ok)
		}
	}
}

func TestSuggest(t *testing.T) {
	dir := workspace(t, map[string]string{"a.go": "package a\n\nfunc getPageCount() {}\n\nfunc getPage() {}\n\nfunc unrelated() {}\n\nfunc Füße() {}\n"})
	s := open(t, Options{Folders: []string{dir}}).Snapshot()
	for word, want := range map[string][]string{
		"gpc":          {"getPageCount"},
		"getPage":      {"getPage", "getPageCount"},
		"getPageCuont": {"getPageCount"},
		"getPag":       {"getPage", "getPageCount"},
		"füsse":        nil,
		"füße":         {"Füße"},
		"zzz":          nil,
		"":             nil,
	} {
		if got := s.Suggest(word, 5); !slices.Equal(got, want) {
			t.Errorf("Suggest(%q) = %v, want %v", word, got, want)
		}
	}
}

func TestBufferWinsOverFile(t *testing.T) {
	dir := workspace(t, map[string]string{"a.go": "package a\n\nfunc OnDisk() {}\n"})
	x := open(t, Options{Folders: []string{dir}})
	path := filepath.Join(dir, "a.go")

	text := "package a\n\nfunc Typed() {}\n"
	x.Open(path, "go", 1, []byte(text))
	s := flush(t, x)
	if !has("Typed")(s) || !hasNot("OnDisk")(s) {
		t.Fatal("the buffer does not win")
	}
	at := strings.Index(text, "Typed")
	x.Change(path, 2, []byte(strings.Replace(text, "Typed", "Renamed", 1)), []Edit{{Start: at, OldEnd: at + 5, New: []byte("Renamed")}})
	if s := flush(t, x); !has("Renamed")(s) || !hasNot("Typed")(s) {
		t.Fatal("the edit is not there")
	}
	write(t, dir, map[string]string{"a.go": "package a\n\nfunc Saved() {}\n"})
	x.Saved(path)
	if s := flush(t, x); !has("Renamed")(s) || !hasNot("Saved")(s) {
		t.Fatal("the file won over the buffer")
	}
	if got, err := x.Text(path); err != nil || !strings.Contains(string(got), "Renamed") {
		t.Errorf("text: %q %v", got, err)
	}
	x.Close(path)
	if s := flush(t, x); !has("Saved")(s) || !hasNot("Renamed")(s) {
		t.Fatal("the buffer did not fall away")
	}
}

// TestSearchKeepsTheBest asks for a hundred of two hundred chunks, and of fifty.
func TestSearchKeepsTheBest(t *testing.T) {
	for files, want := range map[int]int{200: 100, 50: 50} {
		contents := map[string]string{}
		for i := range files {
			contents[fmt.Sprintf("f%d.go", i)] = fmt.Sprintf("package p\n\n// F%d weighs melons%s.\nfunc F%d() {}\n", i, strings.Repeat(" and plums", i%7), i)
		}
		x := open(t, Options{Folders: []string{workspace(t, contents)}, NoWatch: true})
		hits, total := flush(t, x).Search(Query{Text: "melons", Limit: 100})
		if len(hits) != want || total != files {
			t.Errorf("%d files: %d hits of %d", files, len(hits), total)
		}
		if !slices.IsSortedFunc(hits, func(a, b Hit) int { return cmp.Compare(b.BM25, a.BM25) }) {
			t.Errorf("%d files: the hits are not sorted", files)
		}
	}
}

func TestPendingNamesWhatIsNotThereYet(t *testing.T) {
	dir := workspace(t, map[string]string{"a.go": "package a\n"})
	x := open(t, Options{Folders: []string{dir}})
	before := x.Snapshot()
	x.Open(filepath.Join(dir, "a.go"), "go", 1, []byte("package a\n\nfunc Fresh() {}\n"))
	s := x.Snapshot()
	if !slices.Equal(s.Pending(), []string{"a.go"}) && !has("Fresh")(s) {
		t.Errorf("pending %v, and Fresh is not there", s.Pending())
	}
	if s = flush(t, x); len(s.Pending()) != 0 || !has("Fresh")(s) {
		t.Errorf("after flush: pending %v", s.Pending())
	}
	if !hasNot("Fresh")(before) || before.Number() >= s.Number() {
		t.Error("an old snapshot changed")
	}
}

func TestBufferOutsideEveryFolder(t *testing.T) {
	dir, other := workspace(t, map[string]string{"a.go": "package a\n"}), workspace(t, nil)
	x := open(t, Options{Folders: []string{dir}})
	path := filepath.Join(other, "loose.py")
	x.Open(path, "python", 1, []byte("def loose():\n    pass\n"))
	s := flush(t, x)
	if !has("loose")(s) {
		t.Fatal("the loose buffer is not there")
	}
	if ref := s.Named("loose", false)[0]; ref.File.Folder != "" {
		t.Errorf("folder %q", ref.File.Folder)
	}
	x.Close(path)
	until(t, x, "the loose buffer to go", hasNot("loose"))
}

func TestWatching(t *testing.T) {
	dir := workspace(t, map[string]string{"a.go": "package a\n\nfunc First() {}\n"})
	x := open(t, Options{Folders: []string{dir}, Debounce: 5 * time.Millisecond})
	write(t, dir, map[string]string{"a.go": "package a\n\nfunc Second() {}\n"})
	until(t, x, "a save", func(s *Snapshot) bool { return has("Second")(s) && hasNot("First")(s) })

	write(t, dir, map[string]string{"new/deep/b.go": "package b\n\nfunc InNewFolder() {}\n"})
	until(t, x, "a new folder", has("InNewFolder"))

	if err := os.Rename(filepath.Join(dir, "new"), filepath.Join(dir, "moved")); err != nil {
		t.Fatal(err)
	}
	until(t, x, "a moved folder", func(s *Snapshot) bool {
		refs := s.Named("InNewFolder", false)
		return len(refs) == 1 && refs[0].File.Path == "moved/deep/b.go"
	})

	tmp := filepath.Join(dir, "a.go.tmp")
	if err := os.WriteFile(tmp, []byte("package a\n\nfunc Renamed() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(tmp, filepath.Join(dir, "a.go")); err != nil {
		t.Fatal(err)
	}
	until(t, x, "a save by rename", func(s *Snapshot) bool { return has("Renamed")(s) && hasNot("Second")(s) })

	if err := os.RemoveAll(filepath.Join(dir, "moved")); err != nil {
		t.Fatal(err)
	}
	until(t, x, "a removed folder", hasNot("InNewFolder"))

	write(t, dir, map[string]string{".gitignore": "ignored.go\n", "ignored.go": "package a\n\nfunc Ignored() {}\n", "last.go": "package a\n\nfunc Last() {}\n"})
	until(t, x, "the last file", has("Last"))
	if s := flush(t, x); !hasNot("Ignored")(s) {
		t.Error("an ignored file was indexed")
	}
}

func TestFolders(t *testing.T) {
	a := workspace(t, map[string]string{"a.go": "package a\n\nfunc InA() {}\n"})
	b := workspace(t, map[string]string{"b.go": "package b\n\nfunc InB() {}\n"})
	x := open(t, Options{Folders: []string{a}})
	x.AddFolder(b)
	if s := flush(t, x); !has("InA")(s) || !has("InB")(s) {
		t.Fatal("the second folder is not there")
	}
	x.RemoveFolder(a)
	until(t, x, "the first folder to go", func(s *Snapshot) bool { return hasNot("InA")(s) && has("InB")(s) })
	if got := x.Folders(); !slices.Equal(got, []string{b}) {
		t.Errorf("folders %v", got)
	}
	for _, path := range []string{"/", filepath.Join(a, "missing"), filepath.Join(b, "b.go")} {
		x.AddFolder(path)
		flush(t, x)
		status := x.Status()
		last := status.Folders[len(status.Folders)-1]
		if last.Refused == "" || status.State != Degraded {
			t.Errorf("%s was taken: %+v, state %s", path, last, status.State)
		}
		x.RemoveFolder(path)
	}
}

func TestEmptyWorkspace(t *testing.T) {
	x := open(t, Options{Folders: []string{workspace(t, nil)}})
	s := x.Snapshot()
	if hits, total := s.Search(Query{Text: "anything"}); total != 0 || len(hits) != 0 || s.State() != Ready {
		t.Errorf("%v %d %s", hits, total, s.State())
	}
	none := open(t, Options{})
	if got := none.Snapshot().State(); got != Ready {
		t.Errorf("without folders: %s", got)
	}
}

func TestReadFollowsTheFile(t *testing.T) {
	dir := workspace(t, map[string]string{"a.go": "package a\n\nfunc Moved() {}\n"})
	x := open(t, Options{Folders: []string{dir}, NoWatch: true})
	ref := x.Snapshot().Named("Moved", false)[0]
	write(t, dir, map[string]string{"a.go": "package a\n\n// much longer\n// than before\n\nfunc Other() {}\n\nfunc Moved() { Other() }\n"})
	text, fresh, ok := x.Read(ref)
	if got := string(fresh.Chunk().Span.In(text)); !ok || got != "func Moved() { Other() }" {
		t.Errorf("%q %v", got, ok)
	}
	write(t, dir, map[string]string{"a.go": "package a\n"})
	if _, _, ok := x.Read(ref); ok {
		t.Error("a chunk that is gone was read")
	}
	if err := os.Remove(filepath.Join(dir, "a.go")); err != nil {
		t.Fatal(err)
	}
	if _, _, ok := x.Read(ref); ok {
		t.Error("a file that is gone was read")
	}
}

func TestStoreSavesParsing(t *testing.T) {
	dir := workspace(t, map[string]string{"a.go": serverGo, "b.md": "# B\n\ntext\n"})
	storeDir := filepath.Join(t.TempDir(), "store")
	first, err := Open(context.Background(), Options{Folders: []string{dir}, StoreDir: storeDir, NoWatch: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := first.WaitReady(deadline(t)); err != nil {
		t.Fatal(err)
	}
	want := contents(first.Snapshot())
	if err := first.Shutdown(); err != nil {
		t.Fatal(err)
	}
	second := open(t, Options{Folders: []string{dir}, StoreDir: storeDir, NoWatch: true})
	if got := contents(second.Snapshot()); !maps.Equal(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
	if second.Status().SizeBytes == 0 || second.Status().Writer != "this" {
		t.Errorf("status %+v", second.Status())
	}
}

// contents is a snapshot as plain text: chunk id to place.
func contents(s *Snapshot) map[string]string {
	out := map[string]string{}
	for f := range s.Files() {
		for i := range f.Chunks {
			c := &f.Chunks[i]
			out[c.ID(f.Path)] = fmt.Sprint(c.Span, c.Signature, c.Doc, c.StartLine, c.EndLine, c.Calls, c.Hash)
		}
	}
	return out
}

func TestUnusableStore(t *testing.T) {
	dir := workspace(t, map[string]string{"a.go": serverGo})
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	x := open(t, Options{Folders: []string{dir}, StoreDir: filepath.Join(file, "store"), NoWatch: true})
	if !has("ParseHeader")(x.Snapshot()) {
		t.Error("nothing is indexed")
	}
	if s := x.Status(); s.State != Degraded || len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], "memory") {
		t.Errorf("status %s %q", s.State, s.Warnings)
	}
}

// TestIncrementalEqualsFull makes random changes to files and buffers and holds the index against a fresh one.
func TestIncrementalEqualsFull(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { incrementalEqualsFull(t, rand.New(rand.NewPCG(seed, 1))) })
	}
}

func incrementalEqualsFull(t *testing.T, rng *rand.Rand) {
	files := map[string]string{}
	for i := range 12 {
		files[fmt.Sprintf("f%d.go", i)] = randomGo(rng)
	}
	dir := workspace(t, files)
	x := open(t, Options{Folders: []string{dir}, NoWatch: true, Embedder: model(t)})
	buffers := map[string][]byte{}
	for range 150 {
		name := fmt.Sprintf("f%d.go", rng.IntN(14))
		path := filepath.Join(dir, name)
		text, opened := buffers[path]
		switch rng.IntN(6) {
		case 0: // save by another program
			write(t, dir, map[string]string{name: randomGo(rng)})
			x.Saved(path)
		case 1:
			os.Remove(path)
			x.Saved(path)
		case 2:
			if !opened {
				buffers[path] = []byte(randomGo(rng))
				x.Open(path, "go", 1, buffers[path])
			}
		case 3:
			if opened {
				x.Close(path)
				delete(buffers, path)
			}
		default:
			if opened {
				next, edits := randomEdits(rng, text)
				buffers[path] = next
				x.Change(path, int32(rng.IntN(1000)), next, edits)
			}
		}
		if rng.IntN(10) == 0 {
			flush(t, x)
		}
	}
	got := flush(t, x)

	full := open(t, Options{Folders: []string{dir}, NoWatch: true, Embedder: model(t)})
	for path, text := range buffers {
		full.Open(path, "go", 1, text)
	}
	want := flush(t, full)
	if g, w := contents(got), contents(want); !maps.Equal(g, w) {
		t.Fatalf("chunks differ:\n got %v\nwant %v", g, w)
	}
	if g, w := vectorsOf(got), vectorsOf(want); !maps.Equal(g, w) {
		t.Fatalf("vectors differ:\n got %v\nwant %v", g, w)
	}
	for _, q := range []string{"alpha", "beta gamma", "func", "getValue", "delta epsilon alpha beta", "größe"} {
		g, gn := got.Search(Query{Text: q, Limit: 1000})
		w, wn := want.Search(Query{Text: q, Limit: 1000})
		if gn != wn {
			t.Errorf("%q: %d matches, want %d", q, gn, wn)
		}
		scores := map[string]float64{}
		for _, h := range w {
			scores[h.ID()] = h.BM25
		}
		for _, h := range g {
			if s, ok := scores[h.ID()]; !ok || math.Abs(s-h.BM25) > 1e-9 {
				t.Errorf("%q: %s scores %g, want %g", q, h.ID(), h.BM25, s)
			}
		}
	}
	if parts := got.Storage().Parts; parts > 60 {
		t.Errorf("%d parts after 150 changes", parts)
	}
}

var words = []string{"alpha", "beta", "gamma", "delta", "epsilon", "getValue", "größe", "😀", "snake_case", "HTTPServer"}

func randomGo(rng *rand.Rand) string {
	var b strings.Builder
	b.WriteString("package p\n")
	for i := range 1 + rng.IntN(6) {
		fmt.Fprintf(&b, "\n// %s does %s.\nfunc F%d%s() {\n\t%s(\"%s\")\n}\n", word(rng), word(rng), i, strings.ToUpper(string(rune('a'+rng.IntN(26)))), "call", word(rng))
	}
	return b.String()
}

func word(rng *rand.Rand) string { return words[rng.IntN(len(words))] }

func randomEdits(rng *rand.Rand, text []byte) ([]byte, []Edit) {
	var edits []Edit
	for range 1 + rng.IntN(3) {
		start := rng.IntN(len(text) + 1)
		end := min(len(text), start+rng.IntN(20))
		e := Edit{Start: start, OldEnd: end, New: []byte([]string{"", "{", "\n\nfunc New() {}\n", "// " + word(rng) + "\n", "\"", "😀", "\r\n"}[rng.IntN(7)])}
		text = slices.Concat(text[:start], e.New, text[end:])
		edits = append(edits, e)
	}
	return text, edits
}

// TestSearchWhileEverythingChanges is for the race detector.
func TestSearchWhileEverythingChanges(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	files := map[string]string{}
	for i := range 30 {
		files[fmt.Sprintf("f%d.go", i)] = randomGo(rng)
	}
	dir := workspace(t, files)
	x := open(t, Options{Folders: []string{dir}, Debounce: time.Millisecond})
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for ctx.Err() == nil {
				s := x.Snapshot()
				hits, _ := s.Search(Query{Text: "alpha beta gamma"})
				for _, h := range hits[:min(3, len(hits))] {
					x.Read(h.Ref)
				}
				x.Status()
			}
		})
	}
	path := filepath.Join(dir, "f0.go")
	text := []byte(randomGo(rng))
	x.Open(path, "go", 0, text)
	for i := range 200 {
		next, edits := randomEdits(rng, text)
		text = next
		x.Change(path, int32(i), next, edits)
		write(t, dir, map[string]string{fmt.Sprintf("f%d.go", 1+rng.IntN(29)): randomGo(rng)})
	}
	cancel()
	wg.Wait()
	flush(t, x)
}

func TestShutdownWhileScanning(t *testing.T) {
	files := map[string]string{}
	for i := range 300 {
		files[fmt.Sprintf("d%d/f%d.go", i%10, i)] = serverGo
	}
	dir := workspace(t, files)
	before := runtime.NumGoroutine()
	for range 5 {
		x, err := Open(context.Background(), Options{Folders: []string{dir}, StoreDir: filepath.Join(t.TempDir(), "s")})
		if err != nil {
			t.Fatal(err)
		}
		x.Open(filepath.Join(dir, "d0/f0.go"), "go", 1, []byte(serverGo))
		if err := x.Shutdown(); err != nil {
			t.Error(err)
		}
	}
	// database/sql ends its own goroutines a moment after Close
	for limit := time.Now().Add(20 * time.Second); runtime.NumGoroutine() > before+2; runtime.Gosched() {
		if time.Now().After(limit) {
			buf := make([]byte, 1<<20)
			t.Fatalf("%d goroutines before, %d after:\n%s", before, runtime.NumGoroutine(), buf[:runtime.Stack(buf, true)])
		}
	}
}

func TestProgressEndsOnce(t *testing.T) {
	dir := workspace(t, map[string]string{"a.go": serverGo, "b.go": "package b\n"})
	x, err := Open(context.Background(), Options{NoWatch: true})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Shutdown()
	events := make(chan Progress, 100)
	x.OnProgress(func(p Progress) { events <- p })
	x.AddFolder(dir)
	flush(t, x)
	finished := 0
	for len(events) > 0 {
		p := <-events
		if p.Done > p.Total {
			t.Errorf("%+v", p)
		}
		if p.Finished {
			finished++
		}
	}
	if finished != 1 {
		t.Errorf("finished %d times", finished)
	}
}

func TestRefresh(t *testing.T) {
	dir := workspace(t, map[string]string{"a.go": "package a\n\nfunc Old() {}\n", "sub/b.go": "package b\n"})
	x := open(t, Options{Folders: []string{dir}, NoWatch: true})
	write(t, dir, map[string]string{"a.go": "package a\n\nfunc New() {}\n", "sub/c.go": "package c\n\nfunc Added() {}\n"})
	if _, err := x.Refresh(deadline(t), []string{filepath.Join(dir, "a.go")}, false); err != nil {
		t.Fatal(err)
	}
	if s := flush(t, x); !has("New")(s) || !hasNot("Added")(s) {
		t.Error("refresh of one file")
	}
	if _, err := x.Refresh(deadline(t), []string{filepath.Join(dir, "sub")}, true); err != nil {
		t.Fatal(err)
	}
	if s := flush(t, x); !has("Added")(s) {
		t.Error("refresh of a folder")
	}
	if err := os.Remove(filepath.Join(dir, "a.go")); err != nil {
		t.Fatal(err)
	}
	if _, err := x.Refresh(deadline(t), nil, false); err != nil {
		t.Fatal(err)
	}
	if s := flush(t, x); !hasNot("New")(s) {
		t.Error("refresh of everything")
	}
	if _, err := x.Refresh(deadline(t), []string{"/elsewhere/x.go"}, false); err == nil {
		t.Error("a path outside was taken")
	}
}

func TestExplain(t *testing.T) {
	dir := workspace(t, map[string]string{"a.go": serverGo, ".gitignore": "*.log\n", "x.log": "x", "id_rsa": "x", "big.txt": strings.Repeat("long line of text\n", 400_000)})
	x := open(t, Options{Folders: []string{dir}, NoWatch: true})
	for name, want := range map[string]string{"a.go": "indexed", "x.log": "gitignore", "id_rsa": "", "big.txt": "", "../x": "outside"} {
		v := x.Explain(filepath.Join(dir, name))
		if v.Indexed != (name == "a.go") || !strings.Contains(v.Rule, want) || v.Rule == "" {
			t.Errorf("%s: %+v", name, v)
		}
	}
}
