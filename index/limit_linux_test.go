package index

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// limitVariable tells a copy of the test program which limit of its user namespace it has to lower.
const limitVariable = "AURORA_TEST_INOTIFY"

// TestLimitsOfInotify meets the real limits, in a user namespace, where they bother nobody else: the status tells of them
// as soon as the folder was listed, and changes are found by looking.
func TestLimitsOfInotify(t *testing.T) {
	if limit := os.Getenv(limitVariable); limit != "" {
		if err := os.WriteFile("/proc/sys/user/"+limit, []byte("1"), 0o644); err != nil {
			t.Skip("skipped: the limits of the user namespace can't be set: ", err)
		}
		meetLimit(t, limit)
		return
	}
	for _, limit := range []string{"max_inotify_watches", "max_inotify_instances"} {
		t.Run(limit, func(t *testing.T) {
			cmd := exec.CommandContext(deadline(t), os.Args[0], "-test.run=^TestLimitsOfInotify$", "-test.v")
			cmd.Env = append(os.Environ(), limitVariable+"="+limit)
			cmd.SysProcAttr = &syscall.SysProcAttr{
				Cloneflags:  syscall.CLONE_NEWUSER,
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
		})
	}
}

// meetLimit follows a folder with folders in it, which is more than the one that the system grants.
func meetLimit(t *testing.T, limit string) {
	dir := workspace(t, map[string]string{"a.go": "package a\n", "b/c/d.go": "package c\n"})
	if limit == "max_inotify_instances" {
		other, err := syscall.InotifyInit()
		if err != nil {
			t.Fatal(err)
		}
		defer syscall.Close(other)
	}
	x := open(t, Options{Folders: []string{dir}, PollEvery: 10 * time.Millisecond})
	s := x.Status()
	said := strings.Join(s.Warnings, " ")
	if s.Watcher != "polling" || s.State != Degraded || !strings.Contains(said, "fs.inotify.max_user_") || !strings.Contains(said, "looked through every") {
		t.Errorf("watcher %s, state %s, warnings %q", s.Watcher, s.State, s.Warnings)
	}
	write(t, dir, map[string]string{filepath.Join("b", "c", "e.go"): "package c\n\nfunc Later() {}\n"})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := x.life.wait(ctx, func() bool { return fileCount(x) == 3 }); err != nil {
		t.Error(err)
	}
}
