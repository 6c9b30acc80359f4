package sqlite

import (
	"path/filepath"
	"testing"

	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/storetest"
)

func TestConformanceFile(t *testing.T) {
	storetest.Run(t, func() memory.Store { return openAt(t, filepath.Join(t.TempDir(), "memory.db")) })
}

func TestConformanceMemory(t *testing.T) {
	storetest.Run(t, func() memory.Store {
		s, err := OpenMemory(t.Context(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		return s
	})
}

func openAt(t *testing.T, path string) *Store {
	t.Helper()
	s, err := Open(t.Context(), path, Options{Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}
