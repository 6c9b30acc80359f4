package history

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/atrest"
)

func TestEncryptedHistory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "history")
	keys, err := atrest.Generate()
	if err != nil {
		t.Fatal(err)
	}
	plain, sealed := Open(dir, 3), Open(dir, 3).Encrypted(atrest.Policy{Enabled: true, Keys: keys})
	locked := Open(dir, 3).Encrypted(atrest.Policy{Enabled: true})
	if err := errors.Join(plain.Save(record(1, "a plain question")), sealed.Save(record(2, "a sealed question"))); err != nil {
		t.Fatal(err)
	}
	if err := locked.Save(record(3, "never written")); !errors.Is(err, atrest.ErrNoKey) {
		t.Errorf("without a key: %v", err)
	}
	if list, damaged, err := sealed.List(t.Context(), Filter{}); len(list) != 2 || damaged != 0 || err != nil {
		t.Errorf("%+v, %d damaged, %v", list, damaged, err)
	}
	if r, err := sealed.Load("last"); err != nil || r.Question != "a sealed question" {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := locked.Load("last"); !errors.Is(err, atrest.ErrNoKey) {
		t.Errorf("without a key: %v", err)
	}
	for _, step := range []struct {
		store            *Store
		converted, plain int
	}{{sealed, 1, 0}, {sealed, 0, 0}, {Open(dir, 3).Encrypted(atrest.Policy{Keys: keys}), 2, 2}} {
		converted, err := step.store.Convert(t.Context())
		got, _, _ := step.store.Forms()
		if converted != step.converted || got != step.plain || err != nil {
			t.Errorf("%d converted, %d plain, %v", converted, got, err)
		}
	}
	for n := range 4 {
		if err := sealed.Save(record(10+n, "more")); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 3 {
		t.Errorf("%v, %v", entries, err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), sealedSuffix) {
			t.Errorf("%s is left", e.Name())
		}
	}
	if _, _, err := locked.List(t.Context(), Filter{}); !errors.Is(err, atrest.ErrNoKey) {
		t.Errorf("nothing but locked ones: %v", err)
	}
}
