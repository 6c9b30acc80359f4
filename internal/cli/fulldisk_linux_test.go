package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/cli/admin"
)

// TestDoctorOnAFullDisk fills a small disk of its own, in a user namespace: doctor says that it is full, not that databases
// are broken or folders are forbidden.
func TestDoctorOnAFullDisk(t *testing.T) {
	const variable = "AURORA_TEST_FULL_DISK"
	if disk := os.Getenv(variable); disk != "" {
		if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=256k"); err != nil {
			t.Skip("skipped: no disk can be mounted: ", err)
		}
		fill(t, disk)
		database := filepath.Join(disk, "memory.db")
		for _, f := range []admin.Finding{admin.CheckHome(disk), admin.CheckDatabase(t.Context(), "memory", database, "delete it")} {
			if f.Level != admin.LevelFail || !strings.Contains(f.Detail, "full") || !strings.Contains(f.Remedy, "Free some disk space") {
				t.Errorf("%+v", f)
			}
		}
		return
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestDoctorOnAFullDisk$", "-test.v")
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

// fill leaves something at disk that is no database, and no space.
func fill(t *testing.T, disk string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(disk, "memory.db"), []byte("half of a database"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(disk, "filling"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for page := make([]byte, 4096); err == nil; {
		_, err = f.Write(page)
	}
}
