package store

import (
	"fmt"
	"reflect"
	"testing"
	"time"
)

func TestJobsComeBackNewestFirst(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{})
	full := JobRow{ID: "rebuild-1", Status: "in_progress", Total: 10, StartedAtMS: 1000}
	partial := JobRow{ID: "rebuild-2", Status: "failed", Paths: []string{"/w/a 'b'", "/w/é"}, StartedAtMS: 2000, CompletedAtMS: 2500, Error: "why"}
	for _, j := range []JobRow{full, partial} {
		if err := s.SaveJob(t.Context(), j); err != nil {
			t.Fatal(err)
		}
	}
	full.Status, full.Done, full.CompletedAtMS = "completed", 10, 3000
	if err := s.SaveJob(t.Context(), full); err != nil {
		t.Fatal(err)
	}
	closeStore(t, s)
	s = open(t, dir, Options{})
	if got, err := s.Jobs(t.Context()); err != nil || !reflect.DeepEqual(got, []JobRow{partial, full}) {
		t.Errorf("got %+v, %v", got, err)
	}
	for i := range maxJobs {
		if err := s.SaveJob(t.Context(), JobRow{ID: fmt.Sprint("later-", i), StartedAtMS: int64(5000 + i)}); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := s.Jobs(t.Context()); err != nil || len(got) != maxJobs || got[maxJobs-1].ID != "later-0" {
		t.Errorf("%d jobs, %v", len(got), err)
	}
}

func TestFailuresAreKeptUntilTheFileIsWell(t *testing.T) {
	withStore(t, func(t *testing.T, c *clock, s *Store) {
		a, b, x := FileID{"/w", "a.go"}, FileID{"/w", "b.go"}, FileID{"/other", "a.go"}
		apply(t, s, Batch{Failed: map[FileID]string{a: "denied", b: "denied", x: "denied"}})
		c.now = c.now.Add(time.Hour)
		apply(t, s, Batch{Failed: map[FileID]string{a: "is a loop"}, Upserts: []FileRow{row("/w", "b.go")}})
		failures := func() (list string) {
			err := s.db.QueryRow(`SELECT coalesce(group_concat(path || ': ' || message || ', ' || occurred_at_ms || ', ' || retry_count), '')
				FROM errors WHERE folder = '/w'`).Scan(&list)
			if err != nil {
				t.Fatal(err)
			}
			return list
		}
		if got, want := failures(), "a.go: is a loop, 1000000, 1"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		apply(t, s, Batch{Deletes: []FileID{a}})
		if got := failures(); got != "" {
			t.Errorf("got %q", got)
		}
	})
}

func TestOlderDatabasesGo(t *testing.T) {
	dir := filled(t)
	older := database{layout: &layout{name: workspaceLayout.name, version: 1, id: workspaceLayout.id, schema: "CREATE TABLE t (x);"}}
	older.path = older.in(dir, Options{}).path
	db, _, err := older.openForWriting(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	closeStore(t, open(t, dir, Options{}))
	if older.size() != 0 {
		t.Error("the database of the version before is still there")
	}
}
