package diskfaults

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/tools/lspclient"
)

// A world is a project whose user's data lies on a disk that may fail.
type world struct {
	*testing.T
	disk         *disk
	program, dir string
	acknowledged []string // notes
	notes        int
}

// patience is more than any command may take.
const patience = 90 * time.Second

func newWorld(t *testing.T) *world {
	t.Helper()
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	w := &world{T: t, program: os.Getenv("AURORA_BIN"), dir: t.TempDir()}
	if w.program == "" {
		w.program = filepath.Join(root, "bin/aurora")
	}
	if _, err := os.Stat(w.program); err != nil {
		t.Skipf("%v: make build", err)
	}
	w.disk = newDisk(t)
	for i := range 20 {
		text := fmt.Sprintf("package shop\n\n// Parcel%d weighs what it holds.\nfunc Parcel%d(grams int) int { return grams + %d }\n", i, i, i)
		if err := os.WriteFile(filepath.Join(w.dir, fmt.Sprintf("parcel%d.go", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(w.dir, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	return w
}

// An outcome is how a command ended.
type outcome struct {
	command  []string
	code     int
	out, err string
}

func (o outcome) String() string {
	return fmt.Sprintf("%v: exit %d\n%s%s", o.command, o.code, o.out, o.err)
}

func (w *world) command(args ...string) *exec.Cmd {
	cmd := exec.Command(w.program, args...)
	cmd.Dir, cmd.Env = w.dir, append(os.Environ(), "AURORA_HOME="+filepath.Join(w.disk.path, "home"), "NO_COLOR=1")
	return cmd
}

// run runs a command, which must end by itself and never panic.
func (w *world) run(args ...string) outcome {
	w.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	plain := w.command(args...)
	cmd := exec.CommandContext(ctx, plain.Path, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = plain.Dir, plain.Env, time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	o := outcome{args, cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
	if ctx.Err() != nil {
		w.Errorf("it hangs: %v", o)
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		w.Errorf("%v: %v", err, o)
	}
	if strings.Contains(o.err, "goroutine ") || strings.Contains(o.err, "panic") {
		w.Errorf("it panics: %v", o)
	}
	return o
}

// remember keeps a note, and notes when that was acknowledged.
func (w *world) remember() outcome {
	w.Helper()
	w.notes++
	note := fmt.Sprintf("parcelnote%d of the warehouse", w.notes)
	o := w.run("mem", "remember", note)
	if o.code == 0 {
		w.acknowledged = append(w.acknowledged, note)
	} else if !strings.Contains(o.out+o.err, "Error: ") {
		w.Errorf("nothing says what is wrong: %v", o)
	}
	return o
}

// whole asserts that every acknowledged note is there, that the code is found, and that doctor finds nothing wrong with either.
func (w *world) whole(when string) {
	w.Helper()
	for _, note := range w.acknowledged {
		if o := w.run("mem", "search", strings.Fields(note)[0]); !strings.Contains(o.out, note) {
			w.Errorf("%s: an acknowledged note is lost: %v", when, o)
		}
	}
	if o := w.run("search", "Parcel7"); o.code != 0 || !strings.Contains(o.out, "parcel7.go") {
		w.Errorf("%s: %v", when, o)
	}
	if o := w.run("doctor"); o.code != 0 {
		w.Errorf("%s: %v", when, o)
	}
}

// TestCommandsOnAFailingDisk has reads, writes, syncs and changes of names fail below the memory and below the index, one after
// the other, while commands run without a daemon.
func TestCommandsOnAFailingDisk(t *testing.T) {
	w := newWorld(t)
	if o := w.remember(); o.code != 0 {
		t.Fatal(o)
	}
	w.whole("at first")
	for _, fault := range []struct {
		what       string
		operations uint32
	}{
		{"memory.db", failReads}, {"memory.db", failWrites}, {"memory.db", failSyncs}, {"memory.db", failNames},
		{"index", failReads}, {"index", failWrites}, {"index", failNames}, {"", failReads | failWrites | failSyncs | failNames},
	} {
		name := fmt.Sprintf("%s %04b", fault.what, fault.operations)
		w.disk.fail(fault.what, fault.operations)
		kept := w.remember()
		found := w.run("search", "Parcel7")
		doctor := w.run("doctor")
		hit := w.disk.works()
		if hit == 0 {
			t.Errorf("%s: no operation failed", name)
		}
		if hurt := fault.operations&(failReads|failWrites) != 0; hurt && (doctor.code == 0 || !strings.Contains(doctor.out, "Check the disk")) {
			t.Errorf("%s: doctor finds nothing: %v", name, doctor)
		}
		if kept.code != 0 && strings.Contains(kept.err, "Memory is kept only") && !strings.Contains(kept.err, "check it") && fault.operations&failReads != 0 {
			t.Errorf("%s: nothing names the disk: %v", name, kept)
		}
		if !strings.Contains(found.out, "parcel7.go") {
			t.Errorf("%s: the code was not found: %v", name, found)
		}
		w.whole("after " + name)
	}
}

func uri(path string) string { return (&url.URL{Scheme: "file", Path: path}).String() }

// TestMemoryIsNotGivenUp has a few reads of the memory file fail. SQLite calls such a file damaged; it is not, and must not be replaced
// by what could be read of it.
func TestMemoryIsNotGivenUp(t *testing.T) {
	w := newWorld(t)
	for range 3 {
		w.remember()
	}
	failed := 0
	for first := range int64(12) {
		w.disk.failSome("memory.db", failReads, 2*first, 2) // the kernel tries a read twice
		w.run("mem", "search", "warehouse")
		if w.disk.works() > 0 {
			failed++
		}
	}
	if failed < 6 {
		t.Errorf("reads failed in %d of 12 commands", failed)
	}
	aside, err := filepath.Glob(filepath.Join(w.disk.path, "home", "memory.db.damaged*"))
	if err != nil || len(aside) > 0 {
		t.Errorf("memory was given up: %v, %v", aside, err)
	}
	w.whole("after failing reads")
}

// TestADaemonOnAFailingDisk has an editor go on while the disk fails, and keep notes again when it works.
func TestADaemonOnAFailingDisk(t *testing.T) {
	w := newWorld(t)
	c, err := lspclient.Start(w.command("serve"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.run("daemon", "stop") })
	t.Cleanup(func() {
		if err := errors.Join(c.Call("shutdown", nil, nil), c.Notify("exit", nil), c.Cmd.Wait()); err != nil {
			t.Error(err)
		}
	})
	if err := c.Call("initialize", map[string]any{"processId": os.Getpid(), "capabilities": map[string]any{}, "workspaceFolders": []any{map[string]any{"uri": uri(w.dir), "name": "shop"}}}, nil); err != nil {
		t.Fatal(err)
	}
	if err := c.Notify("initialized", map[string]any{}); err != nil {
		t.Fatal(err)
	}
	search := func(when string) {
		t.Helper()
		var found struct{ Hits []struct{ Name string } }
		if err := c.Call("aurora/search", map[string]any{"query": "Parcel7"}, &found); err != nil || len(found.Hits) == 0 {
			t.Errorf("%s: %v, %+v", when, err, found)
		}
	}
	remember := func() error {
		w.notes++
		note := fmt.Sprintf("parcelnote%d of the warehouse", w.notes)
		err := c.Call("aurora/remember", map[string]any{"content": note}, nil)
		if err == nil {
			w.acknowledged = append(w.acknowledged, note)
		}
		return err
	}
	for {
		var status struct {
			State string
			Files struct{ Indexed int }
		}
		if err := c.Call("aurora/status", nil, &status); err != nil {
			t.Fatal(err)
		}
		if status.State == "ready" && status.Files.Indexed == 20 {
			break
		}
	}
	if err := remember(); err != nil {
		t.Fatal(err)
	}
	for _, operations := range []uint32{failReads, failWrites, failSyncs, failReads | failWrites | failSyncs | failNames} {
		when := fmt.Sprintf("faults %04b", operations)
		w.disk.fail("", operations)
		search(when)
		_ = remember() // either way: what is acknowledged is looked for
		search(when)
		w.disk.works()
		search("after " + when)
		if err := remember(); err != nil {
			t.Errorf("after %s: %v", when, err)
		}
	}
	w.whole("at the end")
}
