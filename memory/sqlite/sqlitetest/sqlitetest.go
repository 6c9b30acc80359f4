package sqlitetest

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/aurora-sidecar/aurora/memory/sqlite"
)

// Open opens an empty store in a file of t's own. The caller closes it.
//
// To migrate an empty file costs a quarter of a second under the race detector, so it is done once, and copied.
func Open(t testing.TB, o sqlite.Options) *sqlite.Store {
	t.Helper()
	empty, err := migrated()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "memory.db")
	if err := os.WriteFile(path, empty, 0o600); err != nil {
		t.Fatal(err)
	}
	store, err := sqlite.Open(context.Background(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// migrated returns the content of an empty database.
var migrated = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "aurora-test-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "memory.db")
	store, err := sqlite.Open(context.Background(), path, sqlite.Options{})
	if err != nil {
		return nil, err
	}
	if err := store.Close(); err != nil { // which moves its log into the file
		return nil, err
	}
	return os.ReadFile(path)
})
