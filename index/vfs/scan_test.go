package vfs

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

func TestScanOfEmptyFolder(t *testing.T) {
	w := newTree(t)
	if paths, report := w.scan(nil); len(paths) != 0 || report.Files != 0 || len(report.Problems) != 0 {
		t.Errorf("got %q, %+v", paths, report)
	}
}

func TestScanSurvivesOddTrees(t *testing.T) {
	for _, git := range []bool{false, true} {
		w := newTree(t)
		w.write("a.go", "package a")
		w.write("new\nline.go", "x")
		w.write("d/b.go", "x")
		w.link(".", "d/loop")
		w.link("loop2", "loop2")
		w.link("/etc/passwd", "passwd")
		w.link("/etc", "etc")
		w.link("missing", "dangling")
		if err := syscall.Mkfifo(w.path("pipe"), 0o644); err != nil {
			t.Logf("no pipe: %v", err)
		}
		want := []string{"a.go", "d/b.go", "new\nline.go"}
		if err := os.WriteFile(w.path("bad\xffname.go"), []byte("x"), 0o644); err == nil {
			want = []string{"a.go", "bad\xffname.go", "d/b.go", "new\nline.go"}
		}
		if git {
			w.git("", "init", "-q")
			w.write("moved/c.go", "x")
			w.git("", "add", ".")
			if err := os.RemoveAll(w.path("moved")); err != nil {
				t.Fatal(err)
			}
			outside := t.TempDir()
			if err := os.WriteFile(filepath.Join(outside, "c.go"), []byte("secret"), 0o644); err != nil {
				t.Fatal(err)
			}
			w.link(outside, "moved") // git still names moved/c.go
		}
		got, report := w.scan(nil)
		if !slices.Equal(got, want) {
			t.Errorf("git %v: got %q, want %q", git, got, want)
		}
		if report.Files != len(want) || report.Bytes == 0 || report.Git != git || report.Skipped[NotAFile] == 0 {
			t.Errorf("git %v: report %+v", git, report)
		}
	}
}

func TestScanReportsUnreadableFolder(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root reads everything")
	}
	w := newTree(t)
	w.write("a.go", "x")
	w.write("closed/b.go", "x")
	if err := os.Chmod(w.path("closed"), 0); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.Chmod(w.path("closed"), 0o755) }()
	got, report := w.scan(nil)
	if !slices.Equal(got, []string{"a.go"}) || len(report.Problems) != 1 || !errors.Is(report.Problems[0].Err, fs.ErrPermission) {
		t.Errorf("got %q, %+v", got, report)
	}
}

func TestScanEnds(t *testing.T) {
	w := newTree(t)
	for _, rel := range []string{"a", "b", "c"} {
		w.write(rel, "x")
	}
	n := 0
	report, err := Scan(context.Background(), w.folder(), nil, func(Entry) bool { n++; return n < 2 })
	if err != nil || n != 2 || report.Files != 2 {
		t.Errorf("yield returned false: %d files, %v", n, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Scan(ctx, w.folder(), nil, func(Entry) bool { return true }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	folder := w.folder()
	if err := os.RemoveAll(w.dir); err != nil {
		t.Fatal(err)
	}
	if _, err := Scan(context.Background(), folder, nil, func(Entry) bool { return true }); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("folder is gone: %v", err)
	}
}

func BenchmarkScanGoroot(b *testing.B) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		b.Skip(err)
	}
	dir := filepath.Join(strings.TrimSpace(string(out)), "src")
	if _, err := os.Stat(dir); err != nil {
		b.Skip(err)
	}
	b.Setenv("HOME", b.TempDir())
	folder, err := CheckFolder(Canonical(dir))
	if err != nil {
		b.Skip(err)
	}
	files := 0
	for b.Loop() {
		report, err := Scan(context.Background(), folder, nil, func(Entry) bool { return true })
		if err != nil {
			b.Fatal(err)
		}
		files = report.Files
	}
	b.ReportMetric(float64(files), "files")
}
