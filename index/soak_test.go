package index

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/index/syntax"
)

var soakTime = flag.Duration("soak", 0, "how long TestSoak works, its first third to warm up; 0 skips it")

// poolFiles is how many files the connections of the databases may open later.
const poolFiles = 8

// usage is what a process can leak.
type usage struct {
	resident   int // bytes
	goroutines int
	files      int // open file descriptors
	trees      int64
}

func measure(t *testing.T) usage {
	t.Helper()
	releaseMemory()
	var u usage
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip("this system has no /proc")
	}
	var total, pages int
	if _, err := fmt.Sscan(string(statm), &total, &pages); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	u.resident, u.files = pages*os.Getpagesize(), len(entries)
	u.goroutines, u.trees = runtime.NumGoroutine(), syntax.Live()
	return u
}

// TestSoak types, saves, opens, closes, renames and searches for a while, and compares what the process holds at the
// end with what it held when it was warm.
func TestSoak(t *testing.T) {
	if *soakTime == 0 {
		t.Skip("make test-soak runs it")
	}
	s := newSoaker(t)
	s.run(*soakTime / 3)
	before := measure(t)
	s.run(*soakTime * 2 / 3)
	after := measure(t)
	t.Logf("%d steps; before %+v, after %+v", s.steps, before, after)
	if after.goroutines > before.goroutines || after.files > before.files+poolFiles {
		t.Errorf("goroutines %d, then %d; files %d, then %d", before.goroutines, after.goroutines, before.files, after.files)
	}
	if after.trees > int64(len(s.texts)) {
		t.Errorf("%d trees for %d files", after.trees, len(s.texts))
	}
	if limit := before.resident + before.resident/10; after.resident > limit {
		t.Errorf("resident memory grew from %d to %d KiB", before.resident>>10, after.resident>>10)
	}
}

// A soaker works on a few files, as a person and other programs would.
type soaker struct {
	t     *testing.T
	x     *Index
	dir   string
	rng   *rand.Rand
	texts map[string][]byte   // open buffers
	typed map[string][][]byte // what they held before, oldest first
	steps int
}

// soakUndo is after how many changes a buffer is taken back to what it was, so that the work stays the same.
const soakUndo = 8

const soakFiles = 40

func newSoaker(t *testing.T) *soaker {
	files := map[string]string{}
	for i := range soakFiles {
		var b strings.Builder
		b.WriteString("package p\n\n")
		for j := range 60 {
			fmt.Fprintf(&b, "// F%dx%d grüßt.\nfunc F%dx%d(a int) int {\n\treturn g%d(a)\n}\n\n", i, j, i, j, j)
		}
		files[fmt.Sprintf("d%d/f%d.go", i%5, i)] = b.String()
	}
	dir := workspace(t, files)
	x := open(t, Options{Folders: []string{dir}, StoreDir: t.TempDir(), Debounce: 5 * time.Millisecond})
	return &soaker{t: t, x: x, dir: dir, rng: rand.New(rand.NewPCG(5, 6)), texts: map[string][]byte{}, typed: map[string][][]byte{}}
}

func (s *soaker) run(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); s.steps++ {
		s.step()
		if s.steps%50 == 0 {
			s.flush()
		}
	}
	s.flush()
}

// flush is like the function of that name, but leaves nothing for the end of the test: there will be thousands.
func (s *soaker) flush() {
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute)
	defer cancel()
	if err := s.x.Flush(ctx); err != nil {
		s.t.Fatal(err)
	}
}

func (s *soaker) step() {
	i := s.rng.IntN(soakFiles)
	path := filepath.Join(s.dir, fmt.Sprintf("d%d/f%d.go", i%5, i))
	switch text := s.texts[path]; {
	case s.rng.IntN(20) == 0:
		s.x.Snapshot().Search(Query{Text: fmt.Sprintf("F%d greet", i)})
		s.x.Snapshot().Suggest("Fxx", 3)
	case text == nil && s.rng.IntN(3) == 0:
		s.rewrite(path)
	case text == nil:
		s.open(path)
	case s.rng.IntN(30) == 0:
		s.x.Close(path)
		delete(s.texts, path)
		delete(s.typed, path)
	default:
		s.typeInto(path, text)
	}
}

// rewrite saves a file by renaming another one over it.
func (s *soaker) rewrite(path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		s.t.Fatal(err)
	}
	text = bytes.Replace(text, []byte("grüßt"), []byte([]string{"greets", "grüßt"}[s.rng.IntN(2)]), 1)
	if err := os.WriteFile(path+"~", text, 0o644); err != nil {
		s.t.Fatal(err)
	}
	if err := os.Rename(path+"~", path); err != nil {
		s.t.Fatal(err)
	}
}

func (s *soaker) open(path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		s.t.Fatal(err)
	}
	s.texts[path] = text
	s.x.Open(path, "go", 1, text)
}

// typeInto inserts a few letters, takes some away, or takes everything back.
func (s *soaker) typeInto(path string, text []byte) {
	if before := s.typed[path]; len(before) == soakUndo {
		s.texts[path], s.typed[path] = before[0], nil
		s.x.Change(path, int32(s.steps), before[0], nil)
		return
	}
	s.typed[path] = append(s.typed[path], text)
	at := s.rng.IntN(len(text))
	e := Edit{Start: at, OldEnd: at, New: []byte([]string{"x", "é", "\n", "func N() {}\n"}[s.rng.IntN(4)])}
	if s.rng.IntN(2) == 0 {
		e = Edit{Start: at, OldEnd: min(len(text), at+4)}
	}
	next := append(append(append([]byte{}, text[:e.Start]...), e.New...), text[e.OldEnd:]...)
	s.texts[path] = next
	s.x.Change(path, int32(s.steps), next, []Edit{e})
}
