package index

import (
	"path/filepath"
	"testing"
)

// TestReadAheadOfTheSnapshot reads through an old snapshot while the buffer has moved on.
func TestReadAheadOfTheSnapshot(t *testing.T) {
	dir := workspace(t, map[string]string{"a.go": "package a\n\nfunc First() {}\n\nfunc Last() { call() }\n"})
	x := open(t, Options{Folders: []string{dir}, NoWatch: true})
	path := filepath.Join(dir, "a.go")
	x.Open(path, "go", 1, []byte("package a\n\nfunc First() {}\n\nfunc Last() { call() }\n"))
	flush(t, x)
	ref := x.Snapshot().Named("Last", false)[0]
	x.Change(path, 2, []byte("package a\n\nfunc First() {}\n\nfunc Between() {}\n\nfunc Last() { call() }\n"), nil)
	src, fresh, ok := x.Read(ref)
	if !ok || string(fresh.Chunk().Span.In(src)) != "func Last() { call() }" || fresh.File.Version != 2 || fresh.Chunk().StartLine != 6 {
		t.Errorf("read %q, %+v, %v", fresh.Chunk().Span.In(src), fresh.Chunk(), ok)
	}
	if again, _, _ := x.Read(ref); &again[0] != &src[0] {
		t.Error("the second reading has another text")
	}
	x.Change(path, 3, []byte("package a\n"), nil)
	if _, _, ok := x.Read(ref); ok {
		t.Error("a chunk that is gone was read")
	}
}
