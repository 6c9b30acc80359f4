package lsp_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/lsp"
)

// One file is no scan, which is what progress is told of.
func TestStatusTellsOfSingleFiles(t *testing.T) {
	w := newWorld(t)
	dir := workspace(t, shop)
	e, _ := w.connect(lsp.Config{Dir: dir})
	indexed := func(n int) func(*lsp.State) bool {
		return func(s *lsp.State) bool {
			var files api.FileCounts
			_ = json.Unmarshal(s.Status["files"], &files)
			return files.Indexed == n && files.Total == n && s.Ready()
		}
	}
	e.Await("the workspace", indexed(3))
	path := filepath.Join(dir, "quince.go")
	if err := os.WriteFile(path, []byte("package shop\n\nfunc Quince() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	e.Await("the new file", indexed(4))
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	e.Await("the end of the file", indexed(3))
}

// TestStatusTellsOfMemoryInAllWindows: a note made in one editor is news in the others of the daemon.
func TestStatusTellsOfMemoryInAllWindows(t *testing.T) {
	w := newWorld(t)
	dir := workspace(t, shop)
	one, _ := w.connect(lsp.Config{Dir: dir})
	other, _ := w.connect(lsp.Config{Dir: dir})
	known := func(n int) func(*lsp.State) bool {
		return func(s *lsp.State) bool {
			var memory struct{ Knowledge int }
			return json.Unmarshal(s.Status["memory"], &memory) == nil && memory.Knowledge == n && s.Ready()
		}
	}
	for _, e := range []*lsp.Editor{one, other} {
		e.Await("an empty memory", known(0))
	}
	var made api.RememberResult
	one.Call("aurora/remember", api.RememberParams{Content: "Plums are sorted by size"}, &made)
	other.Await("the note", known(1))
	other.Call("aurora/forget", api.ForgetParams{IDs: []string{made.ID}}, nil)
	one.Await("its end", known(0))
}
