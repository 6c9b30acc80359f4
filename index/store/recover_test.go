package store

import (
	"database/sql"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/filelock"
)

// filled makes a folder whose database holds 200 files and is closed.
func filled(t *testing.T) (dir string) {
	dir = t.TempDir()
	s := open(t, dir, Options{})
	apply(t, s, batchOf("/w", "d", 200))
	closeStore(t, s)
	return dir
}

// change rewrites a file through f.
func change(t *testing.T, path string, f func([]byte) []byte) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, f(data), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestUnusableDatabaseStartsAnew(t *testing.T) {
	foreign := func(t *testing.T, path, statements string) {
		t.Helper()
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec(statements); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name  string
		spoil func(t *testing.T, path string)
		aside bool
	}{
		{"cut in the middle", func(t *testing.T, path string) {
			change(t, path, func(b []byte) []byte { return b[:len(b)/2] })
		}, false},
		{"cut by a byte", func(t *testing.T, path string) {
			change(t, path, func(b []byte) []byte { return b[:len(b)-1] })
		}, false},
		{"cut in the header", func(t *testing.T, path string) {
			change(t, path, func(b []byte) []byte { return b[:50] })
		}, true},
		{"first page overwritten", func(t *testing.T, path string) {
			change(t, path, func(b []byte) []byte { clear(b[100:pageSize]); return b })
		}, false},
		{"garbage", func(t *testing.T, path string) {
			change(t, path, func(b []byte) []byte { return []byte(strings.Repeat("no database ", 1000)) })
		}, true},
		{"a directory", func(t *testing.T, path string) {
			if err := errors.Join(os.Remove(path), os.MkdirAll(filepath.Join(path, "deep"), 0o700)); err != nil {
				t.Fatal(err)
			}
		}, true},
		{"a symlink to nowhere", func(t *testing.T, path string) {
			if err := errors.Join(os.Remove(path), os.Symlink("nowhere", path)); err != nil {
				t.Fatal(err)
			}
		}, true},
		{"another program's", func(t *testing.T, path string) {
			foreign(t, path, "PRAGMA application_id = 7; CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)")
		}, true},
		{"nobody's", func(t *testing.T, path string) {
			foreign(t, path, "CREATE TABLE files (x); INSERT INTO files VALUES (1)")
		}, true},
		{"ours of another version", func(t *testing.T, path string) {
			change(t, path, func(b []byte) []byte { binary.BigEndian.PutUint32(b[60:], uint32(workspaceLayout.version)+1); return b })
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filled(t)
			path := databasePath(dir)
			c.spoil(t, path)
			s := open(t, dir, Options{})
			if s.Recovered() == "" || !s.Writer() {
				t.Errorf("recovered %q, writer %v", s.Recovered(), s.Writer())
			}
			if _, err := os.Lstat(path + ".aside"); (err == nil) != c.aside {
				t.Errorf("moved aside: %v, want %v", err == nil, c.aside)
			}
			if got := paths(t, s, "/w"); len(got) != 0 {
				t.Errorf("%d files in a new database", len(got))
			}
			apply(t, s, batchOf("/w", "d", 3))
			if got := integrity(t, s); got != "ok" {
				t.Errorf("integrity: %s", got)
			}
			closeStore(t, s)
			if again := open(t, dir, Options{}); again.Recovered() != "" || len(paths(t, again, "/w")) != 3 {
				t.Errorf("opened again: recovered %q", again.Recovered())
			}
		})
	}
}

func TestEmptyFileIsANewDatabase(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(databasePath(dir), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if s := open(t, dir, Options{}); s.Recovered() != "" {
		t.Errorf("recovered %q", s.Recovered())
	}
}

func TestOrphanedLogIsIgnored(t *testing.T) {
	dir := filled(t)
	err := errors.Join(os.Remove(databasePath(dir)), os.WriteFile(databasePath(dir)+"-wal", []byte(strings.Repeat("x", 9999)), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, dir, Options{})
	apply(t, s, batchOf("/w", "d", 3))
	if got := integrity(t, s); got != "ok" {
		t.Errorf("integrity: %s", got)
	}
}

func TestDamageFoundLaterIsNamedAndRebuilt(t *testing.T) {
	dir := filled(t)
	change(t, databasePath(dir), func(b []byte) []byte { // every page but the first
		for i := pageSize; i < len(b); i++ {
			b[i] = 0xee
		}
		return b
	})
	s := open(t, dir, Options{})
	if _, err := s.LoadFiles(t.Context(), "/w"); !errors.Is(err, ErrDamaged) {
		t.Fatalf("got %v, want ErrDamaged", err)
	}
	if err := s.Rebuild(t.Context()); err != nil {
		t.Fatal(err)
	}
	apply(t, s, batchOf("/w", "d", 3))
	if got := paths(t, s, "/w"); len(got) != 3 || integrity(t, s) != "ok" {
		t.Errorf("after Rebuild: %q", got)
	}
}

func TestReaderOfADamagedDatabaseIsEmpty(t *testing.T) {
	dir := filled(t)
	unlock, err := filelock.Try(filepath.Join(dir, lockName))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unlock() }()
	change(t, databasePath(dir), func(b []byte) []byte { return []byte(strings.Repeat("garbage", 999)) })
	s := open(t, dir, Options{})
	if s.Writer() || s.Recovered() == "" || len(paths(t, s, "/w")) != 0 {
		t.Errorf("writer %v, recovered %q", s.Writer(), s.Recovered())
	}
	if data, err := os.ReadFile(databasePath(dir)); err != nil || !strings.HasPrefix(string(data), "garbage") {
		t.Errorf("a reader touched the file: %v", err)
	}
}

func TestFolderThatCannotBe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{file, filepath.Join(file, "below")} {
		s, err := Open(t.Context(), dir, Options{})
		if !errors.Is(err, ErrReadOnly) || s != nil {
			t.Errorf("%s: %v, %v, want ErrReadOnly", filepath.Base(dir), s, err)
		}
	}
}

func TestFullStoreKeepsWhatItHas(t *testing.T) {
	s := open(t, t.TempDir(), Options{MaxBytes: 64 * pageSize})
	apply(t, s, batchOf("/w", "kept", 10))
	if err := s.Apply(t.Context(), batchOf("/w", "much", 6000)); !errors.Is(err, ErrFull) {
		t.Fatalf("got %v, want ErrFull", err)
	}
	if got := paths(t, s, "/w"); len(got) != 10 || integrity(t, s) != "ok" {
		t.Errorf("%d files after a batch that did not fit", len(got))
	}
	apply(t, s, batchOf("/w", "more", 5))
	if got := paths(t, s, "/w"); len(got) != 15 {
		t.Errorf("%d files after a batch that fits", len(got))
	}
}
