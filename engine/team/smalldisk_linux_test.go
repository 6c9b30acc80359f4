package team_test

import (
	"os"
	"syscall"
	"testing"
)

// smallDisk mounts a disk of a few megabytes; more makes it larger.
func smallDisk(t *testing.T) (folder string, more func(), mounted bool) {
	t.Helper()
	folder, err := os.MkdirTemp("", "aurora-disk-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size=4M"); err != nil {
		t.Logf("no disk can be mounted (%v): the server only says that it is full", err)
		return folder, nil, false
	}
	t.Cleanup(func() { _ = syscall.Unmount(folder, syscall.MNT_DETACH) })
	return folder, func() {
		if err := syscall.Mount("tmpfs", folder, "tmpfs", syscall.MS_REMOUNT, "size=256M"); err != nil {
			t.Fatal(err)
		}
	}, true
}
