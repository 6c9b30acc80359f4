package index

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/aurora-sidecar/aurora/index/snapshot"
)

// savedPath is where the only snapshot of a store is.
func savedPath(t *testing.T, store string) string {
	t.Helper()
	saved, err := filepath.Glob(filepath.Join(store, "*", snapshot.SavedName))
	if err != nil || len(saved) != 1 {
		t.Fatal(saved, err)
	}
	return saved[0]
}

// mappedPart reports whether vectors of the index lie in a mapped file.
func mappedPart(x *Index) bool {
	return x.published.Load().Storage().Mapped
}

// TestSavedSnapshotIsReplacedWhileInUse: snapshots go on over the file that is gone, and the next start reads the new one.
func TestSavedSnapshotIsReplacedWhileInUse(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("nothing is mapped there")
	}
	dir, store := workspace(t, meanings), t.TempDir()
	opts := Options{Folders: []string{dir}, StoreDir: store, NoWatch: true, Embedder: model(t)}
	once(t, opts)
	x := open(t, opts)
	before := flush(t, x)
	if !mappedPart(x) {
		t.Fatal("the vectors are not mapped")
	}
	want := vectorsOf(before)
	for i := range 3 {
		path := filepath.Join(dir, "net/dial.go")
		if err := os.WriteFile(path, fmt.Appendf(nil, "package net\n\n// Hang up number %d.\nfunc Close() {}\n", i), 0o644); err != nil {
			t.Fatal(err)
		}
		x.Saved(path)
		flush(t, x) // waits for the snapshot to be saved, too
	}
	if got := vectorsOf(before); !maps.Equal(got, want) {
		t.Error("the vectors of an old snapshot have changed")
	}
	now := vectorsOf(flush(t, x))
	if err := x.Shutdown(); err != nil {
		t.Fatal(err)
	}
	if got := vectorsOf(before); !maps.Equal(got, want) {
		t.Error("the vectors of a snapshot have changed with the end of its index")
	}
	again := open(t, opts)
	if got := vectorsOf(flush(t, again)); !maps.Equal(got, now) || !mappedPart(again) {
		t.Errorf("mapped %v, got %v\nwant %v", mappedPart(again), got, now)
	}
}

// TestSavedSnapshotIsCutWhileInUse: somebody shortens the file in place. Words still find, and the next start has all.
func TestSavedSnapshotIsCutWhileInUse(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("nothing is mapped there")
	}
	files := numberedFiles(200)
	dir, store := workspace(t, files), t.TempDir()
	opts := Options{Folders: []string{dir}, StoreDir: store, NoWatch: true, Embedder: model(t)}
	want, _ := once(t, opts)
	x := open(t, opts)
	s := flush(t, x)
	if !mappedPart(x) {
		t.Fatal("the vectors are not mapped")
	}
	if err := os.Truncate(savedPath(t, store), 100); err != nil {
		t.Fatal(err)
	}
	if hits, err := nearest(t, s, Query{Text: "one of many functions", Limit: 5}); err != nil || len(hits) != 0 {
		t.Errorf("%d hits from a file that is gone, %v", len(hits), err)
	}
	if hits, _ := s.Search(Query{Text: "Function7"}); len(hits) == 0 {
		t.Error("words find nothing any more")
	}
	for name := range files { // enough for the snapshot to be saved again
		path := filepath.Join(dir, filepath.FromSlash(name))
		text, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(path, append(text, '\n'), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		x.Saved(path)
	}
	flush(t, x)
	if err := x.Shutdown(); err != nil {
		t.Fatal(err)
	}
	if got, _ := once(t, opts); len(got) != len(want) {
		t.Errorf("%d chunks, want %d", len(got), len(want))
	}
	again := open(t, opts)
	for id, vec := range vectorsOf(flush(t, again)) {
		if vec == "[]" {
			t.Fatalf("%s has no vector after the next start", id)
		}
	}
}

// TestSpoiledVectors is TestSpoiledSavedSnapshot for the part that is not read but mapped.
func TestSpoiledVectors(t *testing.T) {
	dir, store := workspace(t, meanings), t.TempDir()
	opts := Options{Folders: []string{dir}, StoreDir: store, NoWatch: true, Embedder: model(t)}
	once(t, opts)
	path := savedPath(t, store)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := vectorsOf(flush(t, open(t, Options{Folders: []string{dir}, NoWatch: true, Embedder: model(t)})))
	at := bytes.Index(good, []byte("AURVEC\r\n"))
	if at < 0 {
		t.Fatal("no vectors in the snapshot")
	}
	spoiled := map[string][]byte{"cut in their header": good[:at+10], "cut in the vectors": good[:len(good)-300], "none": good[:at]}
	for _, i := range []int{at, at + 9, at + 13, at + 17, at + 21, at + 40, at + 200, len(good) - 1} {
		flipped := bytes.Clone(good)
		flipped[i] ^= 4
		spoiled[fmt.Sprint("byte ", i-at, " flipped")] = flipped
	}
	for name, data := range spoiled {
		if err := os.Remove(path); err != nil { // in place, those who have it mapped would see it
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		x, err := Open(t.Context(), opts)
		if err != nil {
			t.Fatal(err)
		}
		if got := vectorsOf(flush(t, x)); !maps.Equal(got, want) {
			t.Errorf("%s: got %v\nwant %v", name, got, want)
		}
		if err := x.Shutdown(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestFirstScanEndsAsAStartBegins: what was saved after a scan takes the place of what the scan has made.
func TestFirstScanEndsAsAStartBegins(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("nothing is mapped there")
	}
	dir, store := workspace(t, numberedFiles(releaseAfter+100)), t.TempDir()
	opts := Options{Folders: []string{dir}, StoreDir: store, NoWatch: true, Embedder: model(t)}
	x := open(t, opts)
	s := flush(t, x)
	if parts := x.published.Load().Storage().Parts; parts != 1 || !mappedPart(x) {
		t.Errorf("%d parts, mapped %v", parts, mappedPart(x))
	}
	fresh := flush(t, open(t, Options{Folders: []string{dir}, NoWatch: true, Embedder: model(t)}))
	if !maps.Equal(contents(s), contents(fresh)) || !maps.Equal(vectorsOf(s), vectorsOf(fresh)) {
		t.Error("it is not what a fresh index has")
	}
	if hits, total := s.Search(Query{Text: "Function7"}); total == 0 || hits[0].Chunk().Name != "Function7" {
		t.Errorf("%d found, first %v", total, hits)
	}
	path := filepath.Join(dir, "p0/f0.go")
	x.Open(path, "go", 1, []byte("package p\n\nfunc Buffered() {}\n"))
	if s := flush(t, x); !has("Buffered")(s) || has("Function0")(s) {
		t.Error("a buffer does not take the place of its file")
	}
	x.Close(path)
	if s := flush(t, x); has("Buffered")(s) || !has("Function0")(s) {
		t.Error("the file does not come back")
	}
}

// TestFilesThatAreNotIndexedCostNoSaving: a start that finds nothing new leaves the snapshot as it is, however many files
// there are that no index wants.
func TestFilesThatAreNotIndexedCostNoSaving(t *testing.T) {
	files := numberedFiles(20)
	for i := range 40 {
		files[fmt.Sprintf("binary%d.txt", i)] = "\x00\x01\x02"
	}
	dir, store := workspace(t, files), t.TempDir()
	opts := Options{Folders: []string{dir}, StoreDir: store}
	once(t, opts)
	before, err := os.Stat(savedPath(t, store))
	if err != nil {
		t.Fatal(err)
	}
	once(t, opts)
	if after, err := os.Stat(savedPath(t, store)); err != nil || !os.SameFile(before, after) {
		t.Errorf("the snapshot was saved again: %v", err)
	}
}
