package watch

import (
	"os"
	"path/filepath"
	"testing"
)

func TestFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "index")
	changes := make(chan struct{}, 100)
	if err := File(t.Context(), path, func() { changes <- struct{}{} }); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "index.lock"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, "index.lock"), path); err != nil {
		t.Fatal(err)
	}
	<-changes
	if err := File(t.Context(), filepath.Join(dir, "absent", "index"), func() {}); err == nil {
		t.Error("a folder that is not there is watched")
	}
}
