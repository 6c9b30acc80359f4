package sqlite

import (
	"bufio"
	"errors"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/aurora-sidecar/aurora/memory"
)

// A process is suspended in the midst of a transaction: others read, and are told whom they wait for when they write.
func TestSuspendedWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	mustRemember(t, openAt(t, path, Options{}), "known before")
	holder := inRole(t, thisBinary(t), "holder", path)
	out, err := holder.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := holder.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := holder.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = holder.Process.Kill() })
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		t.Fatal(lines.Err())
	}
	pid := holder.Process.Pid
	signal := func(s syscall.Signal) {
		t.Helper()
		if err := syscall.Kill(pid, s); err != nil {
			t.Fatal(err)
		}
	}
	signal(syscall.SIGSTOP)
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(pid, &status, syscall.WUNTRACED, nil); err != nil || !status.Stopped() {
		t.Fatalf("not suspended: %v", err)
	}

	s := openAt(t, path, Options{})
	if got := found(t, s, "known"); len(got) != 1 || s.Warning() != "" {
		t.Errorf("found %q, warning %q", got, s.Warning())
	}
	_, _, err = s.Remember(t.Context(), memory.Record{Content: "in vain"})
	var locked *LockedError
	if !errors.As(err, &locked) || *locked != (LockedError{path, pid, true}) {
		t.Errorf("remember: %v", err)
	}
	if !strings.Contains(s.Warning(), locked.Error()) || !strings.Contains(s.Warning(), "nothing that was acknowledged is lost") {
		t.Errorf("warning %q", s.Warning())
	}

	signal(syscall.SIGCONT)
	in.Close()
	if err := holder.Wait(); err != nil {
		t.Error(err)
	}
	mustRemember(t, s, "after it went on")
	if got := found(t, s, "held after"); len(got) != 2 || s.Warning() != "" {
		t.Errorf("found %q, warning %q", got, s.Warning())
	}
}
