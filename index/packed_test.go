package index

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
)

// fileCount counts the files of the present snapshot.
func fileCount(x *Index) int {
	files, _ := x.published.Load().Counts()
	return files
}

// loadedFiles counts the files whose chunks are in memory.
func loadedFiles(x *Index) (n int) {
	return fileCount(x) - x.published.Load().Storage().Packed
}

// TestStartUnpacksNothing: the chunks of a saved snapshot stay packed until somebody looks at them, and are what they were.
func TestStartUnpacksNothing(t *testing.T) {
	dir, store := workspace(t, numberedFiles(200)), t.TempDir()
	opts := Options{Folders: []string{dir}, StoreDir: store, NoWatch: true}
	want, _ := once(t, opts)
	x := open(t, opts)
	s := flush(t, x)
	if n := loadedFiles(x); n != 0 {
		t.Errorf("%d files loaded by a start", n)
	}
	hits, total := s.Search(Query{Text: "Function77"})
	if total != 1 || hits[0].Chunk().Name != "Function77" || hits[0].File.Language != "go" || hits[0].File.Lines == 0 {
		t.Errorf("%d found: %v", total, hits)
	}
	if names := s.Suggest("function19", 3); !slices.Equal(names, []string{"Function19", "Function190", "Function191"}) {
		t.Errorf("near: %q", names)
	}
	if n := loadedFiles(x); n == 0 || n > 20 {
		t.Errorf("%d files loaded by a search", n)
	}
	if got := contents(s); !maps.Equal(got, want) {
		t.Errorf("%d chunks, want %d", len(got), len(want))
	}
}

// TestFilesAreLoadedOnce: however many ask at once.
func TestFilesAreLoadedOnce(t *testing.T) {
	dir, store := workspace(t, numberedFiles(100)), t.TempDir()
	opts := Options{Folders: []string{dir}, StoreDir: store, NoWatch: true}
	want, _ := once(t, opts)
	s := flush(t, open(t, opts))
	got := make([]map[string]string, 4)
	var all sync.WaitGroup
	for i := range got {
		all.Go(func() {
			for n := range 100 {
				s.Named(fmt.Sprint("Function", (n*7+i*13)%100), false)
			}
			got[i] = contents(s)
		})
	}
	all.Wait()
	for i := range got {
		if !maps.Equal(got[i], want) {
			t.Errorf("reader %d has %d chunks, want %d", i, len(got[i]), len(want))
		}
	}
}

// TestSavedFromWhatIsPacked: a snapshot that is saved while most files are packed is that of a fresh index.
func TestSavedFromWhatIsPacked(t *testing.T) {
	dir, store := workspace(t, numberedFiles(200)), t.TempDir()
	opts := Options{Folders: []string{dir}, StoreDir: store, NoWatch: true, Embedder: model(t)}
	once(t, opts)
	path := savedPath(t, store)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		write(t, dir, map[string]string{fmt.Sprintf("p%d/f%d.go", i%7, i): fmt.Sprintf("package p\n\nfunc Other%d() { Function%d() }\n", i, i+20)})
	}
	x := open(t, opts)
	flush(t, x)
	if n := loadedFiles(x); n > 60 {
		t.Errorf("%d files were loaded to be saved", n)
	}
	if err := x.Shutdown(); err != nil {
		t.Fatal(err)
	}
	if after, err := os.ReadFile(path); err != nil || bytes.Equal(before, after) {
		t.Fatal("the snapshot was not saved again", err)
	}
	again := open(t, opts)
	s := flush(t, again)
	if n := loadedFiles(again); n != 0 {
		t.Errorf("%d files differ from what was saved", n)
	}
	fresh := flush(t, open(t, Options{Folders: []string{dir}, NoWatch: true, Embedder: model(t)}))
	if !maps.Equal(contents(s), contents(fresh)) || !maps.Equal(vectorsOf(s), vectorsOf(fresh)) {
		t.Error("it is not what a fresh index has")
	}
	for _, word := range []string{"other1", "Function3", "func"} {
		if got, want := s.Suggest(word, 50), fresh.Suggest(word, 50); !slices.Equal(got, want) {
			t.Errorf("near %s: %q, want %q", word, got, want)
		}
	}
	for _, name := range []string{"Function25", "Other3"} {
		if got, want := len(s.Callers(name, 0)), len(fresh.Callers(name, 0)); got != want {
			t.Errorf("%d callers of %s, want %d", got, name, want)
		}
	}
}

// TestLostSnapshotIsReadAgain: somebody writes into the file while most of it is still packed. What is asked for meanwhile
// does no harm, and soon all is there again.
func TestLostSnapshotIsReadAgain(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("snapshots are read whole there")
	}
	dir, store := workspace(t, numberedFiles(300)), t.TempDir()
	opts := Options{Folders: []string{dir}, StoreDir: store, NoWatch: true}
	want, _ := once(t, opts)
	for name, spoil := range map[string]func(path string) error{
		"cut":         func(path string) error { return os.Truncate(path, 200) },
		"overwritten": func(path string) error { return overwrite(path, 200) },
	} {
		x := open(t, opts)
		s := flush(t, x)
		if err := spoil(savedPath(t, store)); err != nil {
			t.Fatal(err)
		}
		if n := len(contents(s)); n == 0 {
			t.Errorf("%s: nothing to look at", name)
		}
		until(t, x, name, func(*Snapshot) bool { return x.idleLocked() && loadedFiles(x) == 300 && !anySaved(x) })
		if got := contents(flush(t, x)); !maps.Equal(got, want) {
			t.Errorf("%s: %d chunks, want %d", name, len(got), len(want))
		}
		if err := x.Shutdown(); err != nil {
			t.Fatal(err)
		}
	}
}

// anySaved reports whether the snapshot has a file that came from a saved one.
func anySaved(x *Index) bool {
	return x.published.Load().Storage().Saved > 0
}

// overwrite replaces all from an offset on by zeros, in place.
func overwrite(path string, from int64) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil {
		_, err = f.WriteAt(make([]byte, info.Size()-from), from)
	}
	return err
}

// TestHeaderOfSavedSnapshot: no flipped bit in it is believed.
func TestHeaderOfSavedSnapshot(t *testing.T) {
	dir, store := workspace(t, numberedFiles(5)), t.TempDir()
	opts := Options{Folders: []string{dir}, StoreDir: store, NoWatch: true, Embedder: model(t)}
	want, _ := once(t, opts)
	path := savedPath(t, store)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 7 + 1 + 4*8 + 4 { // magic, version, lengths, checksum
		bad := bytes.Clone(good)
		bad[i] ^= 1 << (i % 8)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		if got, _ := once(t, opts); !maps.Equal(got, want) {
			t.Errorf("byte %d: %d chunks, want %d", i, len(got), len(want))
		}
	}
}

// TestUnwantedFilesAreKnown: a file that was left out because of what is in it is read again when it has changed.
func TestUnwantedFilesAreKnown(t *testing.T) {
	dir, store := workspace(t, numberedFiles(10)), t.TempDir()
	write(t, dir, map[string]string{"data.txt": "\x00\x01\x02", "gone.txt": "\x00\x01", "stays.txt": "\x00\x01\x03"})
	opts := Options{Folders: []string{dir}, StoreDir: store, NoWatch: true}
	once(t, opts)
	read := func(x *Index) []string { return slices.Sorted(maps.Keys(x.folders.all[0].unwanted)) }
	x := open(t, opts)
	flush(t, x)
	if got := read(x); !slices.Equal(got, []string{"data.txt", "gone.txt", "stays.txt"}) {
		t.Errorf("known to be left out: %q", got)
	}
	if err := x.Shutdown(); err != nil {
		t.Fatal(err)
	}
	write(t, dir, map[string]string{"data.txt": "words that nobody has seen"})
	if err := os.Remove(filepath.Join(dir, "gone.txt")); err != nil {
		t.Fatal(err)
	}
	x = open(t, opts)
	if _, total := flush(t, x).Search(Query{Text: "nobody"}); total != 1 {
		t.Errorf("%d found in the file that is text now", total)
	}
	if got := read(x); !slices.Equal(got, []string{"stays.txt"}) {
		t.Errorf("known to be left out: %q", got)
	}
}
