package vfs

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestRead(t *testing.T) {
	w := newTree(t)
	long := strings.Repeat("x", 5<<20)
	for _, tt := range []struct {
		name, data string
		want       Content
		err        error
	}{
		{"plain", "package a\n", Content{Text: []byte("package a\n")}, nil},
		{"empty", "", Content{}, nil},
		{"bom", "\xef\xbb\xbfpackage a", Content{Text: []byte("package a")}, nil},
		{"crlf", "a\r\nb\r\n", Content{Text: []byte("a\r\nb\r\n")}, nil},
		{"latin", "caf\xe9 au lait, s'il vous pla\xeet", Content{Text: []byte("caf\xe9 au lait, s'il vous pla\xeet"), Invalid: true}, nil},
		{"japanese", strings.Repeat("日本語", 4000), Content{Text: []byte(strings.Repeat("日本語", 4000))}, nil},
		{"nul", "a\x00b", Content{Binary: true}, ErrBinary},
		{"noise", "\xff\xfe\xfd\xfc\x01\x02abc", Content{Binary: true}, ErrBinary},
		{"late nul", strings.Repeat("a\n", 8<<10) + "\x00", Content{Text: []byte(strings.Repeat("a\n", 8<<10) + "\x00")}, nil},
		{"one line", long, Content{Text: []byte(long), Minified: true}, nil},
		{"wide", strings.Repeat(strings.Repeat("x", 2000)+"\n", 50), Content{Text: []byte(strings.Repeat(strings.Repeat("x", 2000)+"\n", 50)), Minified: true}, nil},
		{"large", long + "x", Content{}, ErrTooLarge},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w.write("f", tt.data)
			got, err := Read(w.path("f"), 0)
			if !errors.Is(err, tt.err) {
				t.Fatalf("got %v, want %v", err, tt.err)
			}
			if !bytes.Equal(got.Text, tt.want.Text) || got.Binary != tt.want.Binary || got.Minified != tt.want.Minified || got.Invalid != tt.want.Invalid {
				t.Errorf("got binary %v, minified %v, invalid %v, %d bytes", got.Binary, got.Minified, got.Invalid, len(got.Text))
			}
			if got.Size != int64(len(tt.data)) || got.ModTime.IsZero() {
				t.Errorf("size %d, time %v", got.Size, got.ModTime)
			}
			if err == nil && got.Hash != sha256.Sum256(tt.want.Text) {
				t.Error("the hash is not that of the text")
			}
		})
	}
}

func TestReadRefusesWhatIsNoFile(t *testing.T) {
	w := newTree(t)
	w.write("f", "x")
	w.link(w.path("f"), "link")
	if err := syscall.Mkfifo(w.path("pipe"), 0o644); err != nil {
		t.Skip(err)
	}
	for name, want := range map[string]error{"missing": ErrVanished, "link": ErrNotRegular, "pipe": ErrNotRegular, "": ErrNotRegular} {
		if _, err := Read(w.path(name), 0); !errors.Is(err, want) {
			t.Errorf("%q: got %v, want %v", name, err, want)
		}
	}
}

func TestReadOfChangingFile(t *testing.T) {
	w := newTree(t)
	w.write("f", "one")
	path := w.path("f")
	t.Run("written once", func(t *testing.T) {
		calls := 0
		c, err := read(path, FilterOptions{MaxSize: 100}.WithDefaults(), func() {
			if calls++; calls == 1 {
				w.write("f", "longer")
			}
		})
		if err != nil || string(c.Text) != "longer" || calls != 2 {
			t.Errorf("got %q after %d attempts, %v", c.Text, calls, err)
		}
	})
	t.Run("replaced by rename", func(t *testing.T) {
		calls := 0
		c, err := read(path, FilterOptions{MaxSize: 100}.WithDefaults(), func() {
			if calls++; calls == 1 {
				w.write("g", "LONGER")
				if err := os.Rename(w.path("g"), path); err != nil {
					t.Fatal(err)
				}
			}
		})
		if err != nil || string(c.Text) != "LONGER" {
			t.Errorf("got %q, %v", c.Text, err)
		}
	})
	t.Run("never rests", func(t *testing.T) {
		calls := 0
		c, err := read(path, FilterOptions{MaxSize: 100}.WithDefaults(), func() {
			calls++
			w.write("f", strings.Repeat("x", calls))
		})
		if err != nil || calls != readAttempts || len(c.Text) != readAttempts-1 {
			t.Errorf("got %q after %d attempts, %v", c.Text, calls, err)
		}
	})
	t.Run("touched", func(t *testing.T) {
		calls := 0
		_, err := read(path, FilterOptions{MaxSize: 100}.WithDefaults(), func() {
			if calls++; calls == 1 {
				if err := os.Chtimes(path, time.Time{}, time.Unix(1, 0)); err != nil {
					t.Fatal(err)
				}
			}
		})
		if err != nil || calls != 2 {
			t.Errorf("%d attempts, %v", calls, err)
		}
	})
	t.Run("removed", func(t *testing.T) {
		if _, err := read(path, FilterOptions{MaxSize: 100}.WithDefaults(), func() { _ = os.Remove(path) }); !errors.Is(err, ErrVanished) {
			t.Errorf("got %v, want ErrVanished", err)
		}
	})
}

func FuzzContent(f *testing.F) {
	f.Add([]byte("package a\n"))
	f.Add([]byte{0xff, 0, 1})
	f.Add(bytes.Repeat([]byte("日"), 4000))
	f.Fuzz(func(t *testing.T, data []byte) {
		looksMinified(data)
		if !looksBinary(data) && bytes.IndexByte(data[:min(len(data), sniffLength)], 0) >= 0 {
			t.Error("a NUL byte passed for text")
		}
	})
}

func FuzzParseIgnore(f *testing.F) {
	f.Add("*.log\n!a\n[!b]\n", "x/a.log")
	f.Add("**/\n[\n\\", "a/b/c")
	f.Fuzz(func(t *testing.T, data, rel string) {
		patterns := parseIgnore([]byte(data), "f", "")
		lastOnWay(patterns, rel, false)
	})
}
