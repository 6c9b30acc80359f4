package store

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/aurora-sidecar/aurora/index/internal/disktest"
)

func TestFullDisk(t *testing.T) {
	s := open(t, filepath.Join(disktest.Small(t, "size=1m"), "index"), Options{})
	apply(t, s, batchOf("/w", "kept", 10))
	if err := s.Apply(t.Context(), batchOf("/w", "much", 16000)); !errors.Is(err, ErrFull) {
		t.Fatalf("got %v, want ErrFull", err)
	}
	if got := paths(t, s, "/w"); len(got) != 10 || integrity(t, s) != "ok" {
		t.Errorf("%d files after a batch that did not fit", len(got))
	}
}

func TestDiskWithoutRoomForADatabase(t *testing.T) {
	if _, err := Open(t.Context(), filepath.Join(disktest.Small(t, "size=16k"), "index"), Options{}); !errors.Is(err, ErrFull) {
		t.Errorf("got %v, want ErrFull", err)
	}
}

func TestReadOnlyDisk(t *testing.T) {
	dir := disktest.Small(t, "size=1m")
	s := open(t, filepath.Join(dir, "index"), Options{})
	apply(t, s, batchOf("/w", "d", 2))
	closeStore(t, s)
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skipf("remounting: %v", err)
	}
	for _, sub := range []string{"index", "new"} {
		if _, err := Open(t.Context(), filepath.Join(dir, sub), Options{}); !errors.Is(err, ErrReadOnly) {
			t.Errorf("%s: %v, want ErrReadOnly", sub, err)
		}
	}
}
