package index

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// TestScanFindsWhatKeptItsTime changes a file and gives it back its size and its time.
func TestScanFindsWhatKeptItsTime(t *testing.T) {
	for _, r := range []scanRequest{{}, {check: true}} {
		if runtime.GOOS == "windows" && !r.check {
			continue // it tells no time of change
		}
		dir := workspace(t, map[string]string{"a.go": "package a\n\nfunc Before() {}\n"})
		x := open(t, Options{Folders: []string{dir}, NoWatch: true})
		path := filepath.Join(dir, "a.go")
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		write(t, dir, map[string]string{"a.go": "package a\n\nfunc Behind() {}\n"})
		if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
			t.Fatal(err)
		}
		x.scans.rescan(r)
		flush(t, x)
		if len(x.Snapshot().Named("Behind", false)) != 1 || len(x.Snapshot().Named("Before", false)) != 0 {
			t.Errorf("a scan (%+v) did not find the change", r)
		}
	}
}

// TestPolling follows a workspace whose folders can't be watched.
func TestPolling(t *testing.T) {
	dir := workspace(t, map[string]string{"a.go": "package a\n"})
	x := open(t, Options{Folders: []string{dir}, NoWatch: true, PollEvery: time.Millisecond})
	x.life.start(func() { x.events.sweep(func() bool { return true }) })
	write(t, dir, map[string]string{"b.go": "package a\n\nfunc Later() {}\n"})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := x.life.wait(ctx, func() bool { return fileCount(x) == 2 }); err != nil {
		t.Error(err)
	}
}
