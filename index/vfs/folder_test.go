package vfs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCheckFolderRefuses(t *testing.T) {
	w := newTree(t)
	w.write("file", "x")
	w.link("/etc", "link")
	home, _ := os.UserHomeDir()
	for _, tt := range []struct {
		path, reason string
		err          error
	}{
		{"/", "root of the file system", ErrRefused},
		{"//", "root of the file system", ErrRefused},
		{"/etc/..", "root of the file system", ErrRefused},
		{home, "your home folder", ErrRefused},
		{home + "/", "your home folder", ErrRefused},
		{"/etc", "system folder", ErrRefused},
		{"/proc/self", "system folder", ErrRefused},
		{"/sys", "system folder", ErrRefused},
		{"/dev", "system folder", ErrRefused},
		{w.path("link"), "system folder", ErrRefused},
		{w.path("file"), "it is a file", ErrRefused},
		{w.path("missing"), "no such file", fs.ErrNotExist},
		{"", "not an absolute path", ErrRefused},
		{"relative", "not an absolute path", ErrRefused},
	} {
		_, err := CheckFolder(tt.path)
		if !errors.Is(err, tt.err) || !strings.Contains(err.Error(), tt.reason) {
			if _, missing := os.Stat(tt.path); missing != nil && tt.err == ErrRefused && filepath.IsAbs(tt.path) {
				continue // this machine has no such folder
			}
			t.Errorf("%q: got %v, want %q", tt.path, err, tt.reason)
		}
	}
}

func TestCheckFolderUnreadable(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root reads everything")
	}
	w := newTree(t)
	if err := os.Chmod(w.dir, 0); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.Chmod(w.dir, 0o755) }()
	if _, err := CheckFolder(w.dir); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("got %v, want ErrPermission", err)
	}
}

func TestCheckFolderWarns(t *testing.T) {
	newTree(t)
	if f, err := CheckFolder("/usr"); err == nil && len(f.Warnings) == 0 {
		t.Error("/usr got no warning")
	}
	w := newTree(t)
	w.write("home/x", "x")
	t.Setenv("HOME", w.path("home"))
	f, err := CheckFolder(w.dir)
	if err != nil || len(f.Warnings) != 1 {
		t.Fatalf("got %+v, %v", f, err)
	}
	if paths, _ := w.scan(nil); len(paths) != 0 {
		t.Errorf("the home folder inside was scanned: %q", paths)
	}
}

func TestRel(t *testing.T) {
	w := newTree(t)
	w.write("in/a.go", "x")
	w.link(w.path("in"), "inner")
	w.link("/etc", "outer")
	w.link("loop", "loop")
	outside := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(w.dir, outside); err != nil {
		t.Skip(err)
	}
	f := w.folder()
	for _, tt := range []struct {
		abs, rel string
		ok       bool
	}{
		{w.path("in/a.go"), "in/a.go", true},
		{w.path("in/new/b.go"), "in/new/b.go", true},
		{w.path("inner/a.go"), "in/a.go", true},
		{w.path("inner/new.go"), "in/new.go", true},
		{filepath.Join(outside, "in/a.go"), "in/a.go", true},
		{w.dir, ".", true},
		{w.path("outer/passwd"), "", false},
		{w.dir + "/../x", "", false},
		{w.dir + "x/a.go", "", false},
		{w.path("loop/a"), "loop/a", true},
		{"in/a.go", "", false},
		{w.path("a\x00b"), "", false},
		{"", "", false},
	} {
		rel, ok := f.Rel(tt.abs)
		if rel != tt.rel || ok != tt.ok {
			t.Errorf("Rel(%q) = %q, %v; want %q, %v", tt.abs, rel, ok, tt.rel, tt.ok)
		}
	}
	if got := Canonical("untitled:Untitled-1"); got != "untitled:Untitled-1" {
		t.Errorf("opaque name became %q", got)
	}
}

func FuzzRelStaysInside(f *testing.F) {
	for _, seed := range []string{"a", "../x", "a/../../x", "/etc/passwd", "./.", "a//b", "\x00", "..\\x"} {
		f.Add(seed)
	}
	dir := Canonical(f.TempDir())
	folder := Folder{Path: dir}
	f.Fuzz(func(t *testing.T, tail string) {
		rel, ok := folder.Rel(dir + "/" + tail)
		if !ok {
			return
		}
		if !filepath.IsLocal(rel) || strings.HasPrefix(rel, "../") {
			t.Errorf("%q is outside but became %q", tail, rel)
		}
	})
}
