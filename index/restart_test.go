package index

import (
	"context"
	"maps"
	"path/filepath"
	"testing"

	"github.com/aurora-sidecar/aurora/index/chunk"
)

// TestStartKeepsFilesWhole: a file that comes from a saved index has all that the text says, as what it exports and declares.
func TestStartKeepsFilesWhole(t *testing.T) {
	dir, store := workspace(t, map[string]string{
		"go.mod": "module example.com/a\n\ngo 1.24\n", "a.go": "package a\n\ntype T struct{ b *B }\n\nfunc New() *T { return nil }\n",
		"package.json": `{"name": "a", "version": "1", "main": "b.ts"}`, "b.ts": "export { x as y } from './c'\nexport class C extends D { e: E }\n",
	}), t.TempDir()
	encoded := func() map[string]string {
		x, err := Open(context.Background(), Options{Folders: []string{dir}, StoreDir: store, NoWatch: true})
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := x.Shutdown(); err != nil {
				t.Error(err)
			}
		}()
		if err := x.WaitReady(deadline(t)); err != nil {
			t.Fatal(err)
		}
		files := map[string]string{}
		for f := range flush(t, x).Files() {
			files[filepath.Base(f.Path)] = string(chunk.Encode(f.Loaded().File))
		}
		return files
	}
	first := encoded()
	if again := encoded(); len(first) != 4 || !maps.Equal(first, again) {
		t.Errorf("%d files: after a start %q, before %q", len(first), again, first)
	}
}
