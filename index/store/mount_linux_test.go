package store

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"
)

// mount puts a small file system of its own into a temporary folder, or skips the test where that needs rights.
func mount(t *testing.T, options string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, options); err != nil {
		t.Skipf("mounting a tmpfs: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func TestFullDisk(t *testing.T) {
	s := open(t, filepath.Join(mount(t, "size=1m"), "index"), Options{})
	apply(t, s, batchOf("/w", "kept", 10))
	if err := s.Apply(t.Context(), batchOf("/w", "much", 16000)); !errors.Is(err, ErrFull) {
		t.Fatalf("got %v, want ErrFull", err)
	}
	if got := paths(t, s, "/w"); len(got) != 10 || integrity(t, s) != "ok" {
		t.Errorf("%d files after a batch that did not fit", len(got))
	}
}

func TestDiskWithoutRoomForADatabase(t *testing.T) {
	if _, err := Open(t.Context(), filepath.Join(mount(t, "size=16k"), "index"), Options{}); !errors.Is(err, ErrFull) {
		t.Errorf("got %v, want ErrFull", err)
	}
}

func TestReadOnlyDisk(t *testing.T) {
	dir := mount(t, "size=1m")
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
