package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
)

// runDaysLater is run on another day.
func (p *project) runDaysLater(days int, args ...string) outcome {
	var out, err bytes.Buffer
	c := p.cli()
	c.Out, c.Err, c.Now = &out, &err, func() time.Time { return testNow.AddDate(0, 0, days) }
	code := Run(context.Background(), c, append([]string{"aurora"}, args...))
	return outcome{out.String(), err.String(), code}
}

// Commands back memory up when they are done, a day after it was made; what was lost since then is put back.
func TestRestoreBackup(t *testing.T) {
	p := smallProject(t)
	p.mustRun("aurora", "remember", "zebras cross by day")
	if got := p.run("aurora", "mem", "restore-backup"); got.code != app.ExitNothing || !strings.Contains(got.out, "no backup of memory yet") {
		t.Errorf("on the first day: %s", got)
	}
	p.runDaysLater(1, "mem", "search", "zebras")
	p.runDaysLater(1, "remember", "giraffes do not")
	p.runDaysLater(2, "remember", "lions sleep")
	list := p.runDaysLater(2, "mem", "restore-backup")
	if list.code != app.ExitOK || !strings.Contains(list.out, "2026-03-16 | 1 ") || !strings.Contains(list.out, "2026-03-17 | 3 ") {
		t.Errorf("list: %s", list)
	}
	got := p.runDaysLater(2, "mem", "restore-backup", "2026-03-16", "--json")
	var done struct {
		Restored, Aside string
		Records         int
	}
	if err := json.Unmarshal([]byte(got.out), &done); err != nil || got.code != app.ExitOK || done.Records != 1 || !strings.HasSuffix(done.Restored, ".bak-2026-03-16") {
		t.Fatalf("restore: %s, %v", got, err)
	}
	if got := p.run("aurora", "mem", "search", "lions"); got.code != app.ExitNothing {
		t.Errorf("after the backup: %s", got)
	}
	p.mustRun("aurora", "mem", "restore-backup", done.Aside)
	p.mustRun("aurora", "mem", "search", "lions")
	if got := p.run("aurora", "mem", "restore-backup", "2026-03-01"); got.code != app.ExitNothing || !strings.Contains(got.err, "there is no backup 2026-03-01") {
		t.Errorf("of no day: %s", got)
	}
	p.mustRun("aurora", "forget", "--purge", "--text", "zebras cross")
	if got := p.run("aurora", "mem", "restore-backup"); strings.Contains(got.out, "2026-03-16 |") || strings.Contains(got.out, "2026-03-17 |") {
		t.Errorf("after a purge: %s", got)
	}
}

// A server backs memory up when its clock says that it is time to look what is due.
func TestServersBackMemoryUp(t *testing.T) {
	p := smallProject(t)
	p.mustRun("aurora", "remember", "zebras cross by day")
	c := p.cli()
	c.Now = func() time.Time { return testNow.AddDate(0, 0, 1) }
	parts, err := workspace.Wire(t.Context(), c, workspace.Wiring{Root: p.dir, Folders: []string{p.dir}, Server: true})
	if err != nil {
		t.Fatal(err)
	}
	defer parts.Close()
	ctx, cancel := context.WithCancel(t.Context())
	looks, ended := make(chan time.Time), make(chan struct{})
	go func() {
		defer close(ended)
		parts.KeepWriting(ctx, parts.Metering(workspace.Wiring{Server: true}), nil, nil, looks)
	}()
	looks <- c.Now()
	looks <- c.Now() // the first look has ended
	cancel()
	<-ended
	if _, err := os.Stat(filepath.Join(p.home, ".aurora", "memory.db.bak-2026-03-16")); err != nil {
		t.Error(err)
	}
}

// Daily backups are encrypted and decrypted with memory, keep the time of the last change in them, and can be restored after it.
func TestBackupsFollowEncryption(t *testing.T) {
	p := smallProject(t)
	p.mustRun("aurora", "remember", "zebras cross by day")
	p.runDaysLater(1, "mem", "search", "zebras")
	backup := filepath.Join(p.home, ".aurora", "memory.db.bak-2026-03-16")
	before, err := os.Stat(backup)
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--enable", "--key-file", filepath.Join(p.home, "key")}, {"--rekey"}, {"--disable"}} {
		p.mustRun(append([]string{"aurora", "mem", "encryption"}, args...)...)
		for _, f := range p.encryption().Files {
			if f.Encrypted == (args[0] == "--disable") {
				t.Errorf("after %s: %+v", args[0], f)
			}
		}
		if after, err := os.Stat(backup); err != nil || !after.ModTime().Equal(before.ModTime()) {
			t.Errorf("after %s: %v", args[0], err)
		}
		p.mustRun("aurora", "mem", "restore-backup", "2026-03-16")
		if err := os.Remove(replacedBeside(t, p)); err != nil {
			t.Fatal(err)
		}
		p.mustRun("aurora", "mem", "search", "zebras")
	}
}

// replacedBeside is the one memory that a backup replaced.
func replacedBeside(t *testing.T, p *project) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(p.home, ".aurora", "memory.db.replaced-*"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%q, %v", found, err)
	}
	return found[0]
}

// While an editor is open nothing is restored.
func TestRestoreBackupBesideADaemon(t *testing.T) {
	p := sharing(t, 600)
	p.mustRun("aurora", "remember", "zebras cross by day")
	p.runDaysLater(1, "mem", "search", "zebras")
	editor := p.serveShared()
	editor.begin(p.dir)
	p.onlyDaemon()
	got := p.binary("mem", "restore-backup", "2026-03-16")
	if got.code != app.ExitFailed || !strings.Contains(got.err, "another process uses it") || !strings.Contains(got.err, "aurora daemon stop --all") {
		t.Errorf("beside a daemon: %s", got)
	}
	p.binary("daemon", "stop", "--all")
	if got := p.binary("mem", "restore-backup", "2026-03-16"); got.code != app.ExitOK {
		t.Errorf("after its end: %s", got)
	}
}

// Doctor tells of backups that are not made.
func TestDoctorTellsOfOldBackups(t *testing.T) {
	p := smallProject(t)
	p.mustRun("aurora", "remember", "zebras cross by day")
	p.runDaysLater(1, "mem", "search", "zebras")
	database := filepath.Join(p.home, ".aurora", "memory.db")
	if err := os.Chtimes(database+".bak-2026-03-16", time.Time{}, testNow); err != nil {
		t.Fatal(err)
	}
	inTheWay := filepath.Join(database+".bak-2026-03-17.tmp", "folder")
	if err := os.MkdirAll(inTheWay, 0o700); err != nil {
		t.Fatal(err)
	}
	if got := p.runDaysLater(2, "remember", "giraffes do not"); got.code != app.ExitOK {
		t.Errorf("remember without a backup: %s", got)
	}
	for days, want := range map[int]bool{3: false, 6: true} {
		got := p.runDaysLater(days, "doctor")
		if told := strings.Contains(got.out, "the newest backup of memory is of 2026-03-16"); told != want {
			t.Errorf("%d days later: %s", days, got)
		}
	}
}
