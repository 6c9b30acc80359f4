package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"testing"
	"time"
)

// clock is a time that tests move by hand.
type clock struct{ now time.Time }

func (c *clock) read() time.Time { return c.now }

// open opens the store in dir and closes it when the test ends.
func open(t testing.TB, dir string, opts Options) *Store {
	t.Helper()
	s, err := Open(t.Context(), dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeStore(t, s) })
	return s
}

func closeStore(t testing.TB, s *Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// row makes a file.
func row(folder, path string) FileRow {
	hash := sha256.Sum256([]byte(folder + "\x00" + path))
	return FileRow{
		FileID: FileID{folder, path}, Size: int64(len(path)), MTimeNS: 1_700_000_000_000_000_001,
		Hash: hash, Language: "go",
	}
}

// batchOf makes a batch of n files in the folder.
func batchOf(folder, prefix string, n int) Batch {
	var b Batch
	for i := range n {
		b.Upserts = append(b.Upserts, row(folder, fmt.Sprintf("%s/%06d.go", prefix, i)))
	}
	return b
}

func apply(t testing.TB, s *Store, b Batch) {
	t.Helper()
	if err := s.Apply(context.Background(), b); err != nil {
		t.Fatal(err)
	}
}

// paths returns the paths of the folder's files.
func paths(t testing.TB, s *Store, folder string) []string {
	t.Helper()
	files, err := s.LoadFiles(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range files {
		got = append(got, f.Path)
	}
	return got
}

// integrity returns what SQLite says of its own database: "ok" when all is well.
func integrity(t testing.TB, s *Store) string {
	t.Helper()
	var verdict string
	err := s.with(func(db *sql.DB) error { return db.QueryRow("PRAGMA integrity_check").Scan(&verdict) })
	if err != nil {
		t.Fatal(err)
	}
	return verdict
}

// databasePath is where the store in dir keeps its database.
func databasePath(dir string) string { return workspaceLayout.in(dir, Options{}).path }
