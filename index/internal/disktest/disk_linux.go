package disktest

import (
	"syscall"
	"testing"
)

// Small mounts a file system in memory with the given options of tmpfs, such as size=1m, until the test ends. It skips the
// test where that needs rights.
func Small(t *testing.T, options string) (dir string) {
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
