package cli

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
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
	p.suspend(pid)
	t.Cleanup(func() { sendSignal(t, pid, syscall.SIGCONT) })

	said := fmt.Sprintf("the daemon (process %d) is suspended; kill -CONT %d", pid, pid)
	begun := time.Now()
	if got := p.binary("mem", "search", "Backoff"); got.code != app.ExitOK || !strings.Contains(got.out, "retry.go") || !strings.Contains(got.err, said) {
		t.Errorf("search: %s", got)
	}
	second := p.serveShared()
	second.begin(p.dir)
	p.eventually("the second editor finds something", func() bool { return second.finds(7, "Backoff") })
	if took := time.Since(begun); took > 10*time.Second { // what waiting for it would take
		t.Errorf("took %s", took)
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

// suspend stops a process while it is not writing to memory: the next one to write would wait for that transaction, which is not
// what this test is about.
func (p *project) suspend(pid int) {
	p.t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(p.home, ".aurora", "memory.db")+"?_txlock=immediate")
	if err != nil {
		p.t.Fatal(err)
	}
	defer db.Close()
	p.eventually("the daemon is suspended and writes nothing", func() bool {
		sendSignal(p.t, pid, syscall.SIGSTOP)
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			p.t.Fatal(err)
		}
		if !strings.Contains(string(stat), ") T ") {
			return false
		}
		writing, err := db.Begin()
		if err != nil {
			sendSignal(p.t, pid, syscall.SIGCONT)
			return false
		}
		return writing.Rollback() == nil
	})
}
