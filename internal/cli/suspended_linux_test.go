package cli

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
)

// TestSuspendedDaemon stops the process that editors share: the next client is told, and served without it at once.
func TestSuspendedDaemon(t *testing.T) {
	p := sharing(t, 600)
	first := p.serveShared()
	first.begin(p.dir)
	p.eventually("the first editor finds something", func() bool { return first.finds(6, "Backoff") })
	p.eventually("all is saved", func() bool { return strings.Contains(p.binary("status").out, "ready") })
	pid := p.onlyDaemon().PID
	sendSignal(t, pid, syscall.SIGSTOP) // at any moment, be it in the midst of writing to memory
	t.Cleanup(func() { sendSignal(t, pid, syscall.SIGCONT) })

	said := fmt.Sprintf("the daemon (process %d) is suspended; kill -CONT %d", pid, pid)
	begun := time.Now()
	if got := p.binary("mem", "search", "Backoff"); got.code != app.ExitOK || !strings.Contains(got.out, "retry.go") || !strings.Contains(got.err, said) {
		t.Errorf("search: %s", got)
	}
	searched := time.Since(begun)
	second := p.serveShared()
	second.begin(p.dir)
	p.eventually("the second editor finds something", func() bool { return second.finds(7, "Backoff") })
	if took := time.Since(begun); took > 10*time.Second { // what waiting for it would take
		t.Errorf("took %s, of which searching took %s", took, searched)
	}
	for _, args := range [][]string{{"list"}, {"stop"}, {"stop", "--all"}} {
		if got := p.binary(append([]string{"daemon"}, args...)...); !strings.Contains(got.err, said) || strings.Contains(got.out, "No daemon was running") {
			t.Errorf("daemon %v: %s", args, got)
		}
	}
	sendSignal(t, pid, syscall.SIGCONT)
	if code := second.quit(); code != 0 {
		t.Errorf("the second editor ends with %d", code)
	}
	p.eventually("the daemon answers again", func() bool { return first.finds(8, "Backoff") })
}
