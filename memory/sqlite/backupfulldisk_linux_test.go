package sqlite

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestBackupOnAFullDisk backs a store up on a small disk of its own, in a user namespace, that has no room for it: nothing is left of
// the backup, those before it stay, and memory goes on.
func TestBackupOnAFullDisk(t *testing.T) {
	const variable = "AURORA_TEST_FULL_DISK"
	if disk := os.Getenv(variable); disk != "" {
		if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=4M"); err != nil {
			t.Skip("skipped: no disk can be mounted: ", err)
		}
		backUpOnFullDisk(t, filepath.Join(disk, "memory.db"))
		return
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestBackupOnAFullDisk$", "-test.v")
	cmd.Env = append(os.Environ(), variable+"="+t.TempDir())
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	out, err := cmd.CombinedOutput()
	switch {
	case len(out) == 0 && err != nil:
		t.Skip("no user namespaces here: ", err)
	case err != nil:
		t.Errorf("%v\n%s", err, out)
	case strings.Contains(string(out), "--- SKIP"):
		t.Skip(string(out))
	}
}

func backUpOnFullDisk(t *testing.T, path string) {
	c := newClock()
	s := create(t, path, Options{Now: c.Now})
	mustRemember(t, s, "before the disk was full")
	c.pass(day)
	first := backUpNow(t, s)
	mustRemember(t, s, strings.Repeat("large ", 50_000))
	if _, err := s.db.Exec(`PRAGMA wal_checkpoint(TRUNCATE)`); err != nil {
		t.Fatal(err)
	}
	const space = 256 << 10 // enough to remember something, and not for another copy
	var disk syscall.Statfs_t
	if err := syscall.Statfs(filepath.Dir(path), &disk); err != nil {
		t.Fatal(err)
	}
	filling := make([]byte, int64(disk.Bavail)*disk.Bsize-space)
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), "filling"), filling, 0o600); err != nil {
		t.Fatal(err)
	}
	c.pass(day)
	made, err := s.BackUp(t.Context())
	if err == nil || made != "" || !strings.Contains(s.Warning(), "free some disk space") {
		t.Errorf("made %q, %v, warning %q", made, err, s.Warning())
	}
	left, err := filepath.Glob(path + ".bak-*")
	if err != nil || len(left) != 1 || filepath.Base(left[0]) != first {
		t.Errorf("left %q, %v", left, err)
	}
	mustRemember(t, s, "life goes on")
}
