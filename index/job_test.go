package index

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// waitJob waits for the end of a job, not for ever.
func waitJob(t *testing.T, x *Index, id string) Job {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	job, err := x.WaitJob(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	return job
}

func TestRebuild(t *testing.T) {
	files := map[string]string{}
	for i := range 1000 {
		files[fmt.Sprintf("p%d/f%d.go", i%4, i)] = fmt.Sprintf("package p\n\nfunc Function%d() {}\n", i)
	}
	dir := workspace(t, files)
	store := t.TempDir()
	x := open(t, Options{Folders: []string{dir}, StoreDir: store, NoWatch: true})

	if _, err := x.Rebuild(t.Context(), []string{t.TempDir()}); !errors.As(err, new(*OutsideError)) {
		t.Errorf("outside the workspace: %v", err)
	}
	job, err := x.Rebuild(t.Context(), nil)
	if err != nil || job.Status != JobRunning || job.ID == "" {
		t.Fatalf("Rebuild = %+v, %v", job, err)
	}
	if refs := x.Snapshot().Named("Function7", false); len(refs) != 1 {
		t.Error("nothing is found while a rebuild runs")
	}
	if job = waitJob(t, x, job.ID); job.Status != JobCompleted || job.Done != 1000 || job.Total != 1000 || job.Ended.IsZero() {
		t.Errorf("after a full rebuild: %+v", job)
	}
	partial, err := x.Rebuild(t.Context(), []string{filepath.Join(dir, "p1")})
	if err != nil {
		t.Fatal(err)
	}
	if partial = waitJob(t, x, partial.ID); partial.Status != JobCompleted || partial.Total != 250 {
		t.Errorf("after a partial rebuild: %+v", partial)
	}
	if _, err := x.Job("rebuild-99"); !errors.Is(err, ErrNoJob) {
		t.Errorf("an unknown job: %v", err)
	}
	if ended, err := x.CancelJob(job.ID); err != nil || ended.Status != JobCompleted {
		t.Errorf("cancelling what has ended: %+v, %v", ended, err)
	}
	if checked, faults, err := x.Verify(t.Context()); checked != 1000 || len(faults) != 0 || err != nil {
		t.Errorf("Verify = %d, %v, %v", checked, faults, err)
	}
}

// TestRebuildIsCancelled holds the workers back until the job is cancelled.
func TestRebuildIsCancelled(t *testing.T) {
	dir := workspace(t, map[string]string{"a.go": "package p\n\nfunc A() {}\n"})
	x := open(t, Options{Folders: []string{dir}, NoWatch: true})
	x.mu.Lock() // no worker gets on
	job := &Job{ID: "rebuild-1", Status: JobRunning, Started: time.Now()}
	x.jobs.all = append(x.jobs.all, job)
	x.queue.addLocked(x.folders.all[0], filepath.Join(dir, "a.go"), true, true)
	forced := slices.ContainsFunc(slices.Collect(maps.Values(x.queue.tasks)), func(t *task) bool { return t.force })
	x.mu.Unlock()
	if !forced {
		t.Fatal("no task is forced")
	}
	if _, err := x.Rebuild(t.Context(), nil); !errors.Is(err, ErrRebuilding) {
		t.Errorf("a second rebuild: %v", err)
	}
	if got := x.Status().Jobs; !slices.Equal(got, []string{"rebuild-1"}) {
		t.Errorf("jobs %v", got)
	}
	if cancelled, err := x.CancelJob("rebuild-1"); err != nil || cancelled.Status != JobCancelled || cancelled.Ended.IsZero() {
		t.Errorf("CancelJob = %+v, %v", cancelled, err)
	}
	flush(t, x)
	if refs := x.Snapshot().Named("A", false); len(refs) != 1 {
		t.Error("what was indexed before is gone")
	}
	if got := x.Status().Jobs; len(got) != 0 {
		t.Errorf("jobs %v", got)
	}
}

func TestSurvey(t *testing.T) {
	dir := workspace(t, map[string]string{
		"main.go": "package main\n", "lib/a.go": "package lib\n", "lib/b.py": "x = 1\n", "notes.txt": "n\n",
		".env": "KEY=1", "node_modules/x/x.js": "x()", "big.bin": "\x00\x01",
		".contextignore": "*.tmp\n", "scratch.tmp": "t",
	})
	x := open(t, Options{Folders: []string{dir}, NoWatch: true})
	all, err := x.Survey(t.Context(), nil)
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	s := all[0]
	if s.Places["lib"] != 2 || s.Languages["go"] != 2 || s.Languages["python"] != 1 || s.Dirs != 2 || s.Bytes == 0 {
		t.Errorf("survey %+v", s)
	}
	if s.Skipped["contextignore"] != 1 || s.Skipped["secret"] != 1 {
		t.Errorf("skipped %v", s.Skipped)
	}
	some, err := x.Survey(t.Context(), []string{filepath.Join(dir, "lib")})
	if err != nil || some[0].Files != 2 {
		t.Errorf("survey of lib: %+v, %v", some, err)
	}

	skipped := map[string]string{}
	for path, rule := range x.Skipped(t.Context()) {
		skipped[strings.TrimPrefix(path, dir+"/")] = rule
	}
	for _, want := range []string{"node_modules/", ".env", "scratch.tmp"} {
		if skipped[want] == "" {
			t.Errorf("%s is not among the skipped ones: %v", want, skipped)
		}
	}
	if skipped["main.go"] != "" || skipped["node_modules/x/x.js"] != "" {
		t.Errorf("skipped %v", skipped)
	}
	for range x.Skipped(t.Context()) {
		break // a reader may stop
	}
}

func TestVerifyTellsWhatDiffers(t *testing.T) {
	dir := workspace(t, map[string]string{"same.go": "package p\n", "changed.go": "package p\n", "gone.go": "package p\n", "open.go": "package p\n"})
	x := open(t, Options{Folders: []string{dir}, NoWatch: true})
	write(t, dir, map[string]string{"changed.go": "package q\n"})
	if err := os.Remove(filepath.Join(dir, "gone.go")); err != nil {
		t.Fatal(err)
	}
	x.Open(filepath.Join(dir, "open.go"), "go", 1, []byte("package unsaved\n"))
	flush(t, x)
	checked, faults, err := x.Verify(t.Context())
	var names []string
	for _, f := range faults {
		names = append(names, filepath.Base(f.Path))
	}
	slices.Sort(names)
	if checked != 3 || !slices.Equal(names, []string{"changed.go", "gone.go"}) || err != nil {
		t.Errorf("Verify = %d, %v, %v", checked, faults, err)
	}
}
