package index

import (
	"context"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/aurora-sidecar/aurora/index/parser"
	"github.com/aurora-sidecar/aurora/index/syntax"
)

// heldParser parses no open buffer before it is let.
type heldParser struct {
	parser.Parser
	let chan struct{}
}

func (p heldParser) Open(lang *syntax.Language, src []byte) parser.Buffer {
	<-p.let
	return p.Parser.Open(lang, src)
}

// readyNow reports whether the index is ready, without waiting.
func readyNow(x *Index) bool {
	over, cancel := context.WithCancel(context.Background())
	cancel()
	return x.WaitReady(over) == nil
}

// TestReadyMeansOpenFilesAreRead is what an agent meets that asks in the moment after an editor has opened the only file.
func TestReadyMeansOpenFilesAreRead(t *testing.T) {
	held := heldParser{parser.Local, make(chan struct{})}
	x := open(t, Options{Folders: []string{workspace(t, nil)}, Parser: held})
	x.Open(filepath.Join(workspace(t, nil), "a.go"), "go", 1, []byte("package a\n\nfunc Opened() {}\n"))
	if readyNow(x) {
		t.Error("ready before the open file was read")
	}
	close(held.let)
	if err := x.WaitReady(deadline(t)); err != nil {
		t.Fatal(err)
	}
	if !has("Opened")(x.Snapshot()) {
		t.Error("ready without the open file")
	}
}

// TestReadyHeedsNoLaterBuffers shows that what is opened or typed while somebody waits makes nobody wait longer.
func TestReadyHeedsNoLaterBuffers(t *testing.T) {
	held := heldParser{parser.Local, make(chan struct{})}
	dir := workspace(t, nil)
	x := open(t, Options{Folders: []string{dir}, Parser: held})
	first, later := filepath.Join(dir, "first.go"), filepath.Join(dir, "later.go")
	x.Open(first, "go", 1, []byte("package a\n\nfunc First() {}\n"))
	held.let <- struct{}{}
	if err := x.WaitReady(deadline(t)); err != nil {
		t.Fatal(err)
	}
	x.mu.Lock()
	before := x.buffers.opened
	x.mu.Unlock()
	x.Open(later, "go", 1, []byte("package a\n\nfunc Later() {}\n"))
	x.Change(first, 2, []byte("package a\n\nfunc FirstTyped() {}\n"), nil)
	x.mu.Lock()
	if !x.buffers.readLocked(before) || x.buffers.readLocked(before+1) {
		t.Error("a wait that began before heeds a buffer that was opened after it, or a later one does not")
	}
	x.mu.Unlock()
	close(held.let)
	flush(t, x)
}

// TestEditorsShareFiles has two editors open, change and close the same files at random, as the server hands it on: whose text
// counts replaces the other's. Whatever they do, nothing stays pending, and who waits is let go.
func TestEditorsShareFiles(t *testing.T) {
	dir := workspace(t, nil)
	x := open(t, Options{Folders: []string{dir}})
	files := []string{filepath.Join(dir, "a.go"), filepath.Join(dir, "b.go"), filepath.Join(t.TempDir(), "outside.go")}
	texts := [][]byte{[]byte("package a\n\nfunc Ä() {}\n"), []byte("package a\n\nfunc B🍐() {}\n"), []byte("package a\n")}
	random := rand.New(rand.NewPCG(1, 2))
	for round := range int32(300) {
		file, text := files[random.IntN(len(files))], texts[random.IntN(len(texts))]
		switch random.IntN(5) {
		case 0, 1:
			x.Open(file, "go", round, text)
		case 2, 3:
			x.Change(file, round, text, nil)
		default:
			x.Close(file)
		}
		if round%10 == 0 {
			if err := x.WaitReady(deadline(t)); err != nil {
				t.Fatalf("round %d: %v", round, err)
			}
		}
		if round%50 == 0 {
			if pending := flush(t, x).Pending(); len(pending) > 0 {
				t.Fatalf("round %d: pending %v", round, pending)
			}
		}
	}
}

// TestOpenedWhileTheIndexRests opens a file between the end of what worked in the index and its next start, which is when
// settings switch indexing off and an editor without a folder opens one.
func TestOpenedWhileTheIndexRests(t *testing.T) {
	held := heldParser{parser.Local, make(chan struct{})}
	off := Rules{Off: "indexing is off: index.enabled is false"}
	dir := workspace(t, nil)
	x := open(t, Options{Folders: []string{dir}, Parser: held})
	x.Open(filepath.Join(dir, "a.go"), "go", 1, []byte("package a\n\nfunc Before() {}\n"))
	held.let <- struct{}{} // its goroutine is at work, and ends with the batch at most
	over := make(chan struct{})
	x.life.start(func() { <-over }) // something that takes its time to end
	done := make(chan struct{})
	go func() {
		defer close(done)
		x.Configure(fixed(off))
	}()
	if err := x.life.wait(deadline(t), func() bool { return x.life.resting }); err != nil {
		t.Fatal(err)
	}
	x.mu.Lock()
	x.buffers.outside = Rules{}
	x.mu.Unlock()
	outside := filepath.Join(t.TempDir(), "b.go")
	x.Open(outside, "go", 1, []byte("package b\n\nfunc Meanwhile() {}\n"))
	close(held.let)
	close(over)
	<-done
	if err := x.WaitReady(deadline(t)); err != nil && !errors.Is(err, ErrOff) {
		t.Fatal(err)
	}
	if !has("Meanwhile")(flush(t, x)) {
		t.Error("what was opened meanwhile was never read")
	}
}
