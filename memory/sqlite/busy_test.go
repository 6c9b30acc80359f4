package sqlite

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/memory"
)

// holdWriteLock keeps others from writing to the store at path until release.
func holdWriteLock(t *testing.T, s *Store) (release func()) {
	t.Helper()
	held, err := s.db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := held.Rollback(); err != nil {
			t.Fatal(err)
		}
	}
}

// Who opens and reads does not wait for who writes: all this happens while the writer holds its transaction, which ends only
// after it.
func TestOpeningDoesNotWaitForAWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	c := newClock()
	writer := openAt(t, path, Options{Now: c.Now})
	mustRemember(t, writer, "known before")
	old := mustRemember(t, writer, "forgotten long ago")
	if _, err := writer.Forget(t.Context(), []string{old.ID}); err != nil {
		t.Fatal(err)
	}
	release := holdWriteLock(t, writer)
	c.pass(memory.KeepForgotten + time.Hour) // so that opening would purge it
	reader := openAt(t, path, Options{Now: c.Now})
	if got := found(t, reader, "known"); len(got) != 1 || reader.Warning() != "" {
		t.Errorf("found %q, warning %q", got, reader.Warning())
	}
	purged := func() bool {
		var left int
		if err := writer.db.QueryRow(`SELECT count(*) FROM records WHERE id = ?`, old.ID).Scan(&left); err != nil {
			t.Fatal(err)
		}
		return left == 0
	}
	if purged() {
		t.Error("the other store purged while the writer held its transaction")
	}
	release()
	openAt(t, path, Options{Now: c.Now})
	if !purged() {
		t.Error("not purged when opened again")
	}
}

// What is due at opening, like an index of other tokens, waits for the writer.
func TestOpeningWaitsToRepair(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	writer := openAt(t, path, Options{})
	mustRemember(t, writer, "getUserData")
	for _, statement := range []string{
		`UPDATE properties SET value = 'of another tokenizer' WHERE name = 'tokens'`,
		`INSERT INTO records_fts (records_fts) VALUES ('delete-all')`,
	} {
		if _, err := writer.db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	release := holdWriteLock(t, writer)
	opened := make(chan *Store)
	go func() {
		defer close(opened)
		s, err := Open(t.Context(), path, Options{synchronous: "OFF", Encryption: writer.opts.Encryption})
		if err != nil {
			t.Error(err)
			return
		}
		opened <- s
	}()
	release()
	if s := <-opened; s != nil {
		defer s.Close()
		if got := found(t, s, "user data"); len(got) != 1 {
			t.Errorf("found %q", got)
		}
	}
}

func TestLockedErrorNamesWhoHoldsTheLock(t *testing.T) {
	for want, e := range map[string]*LockedError{
		"process 7 is suspended while it writes to m.db; kill -CONT 7": {"m.db", 7, true},
		"process 7 has been writing to m.db for more than 30s":         {"m.db", 7, false},
		"another process has been writing to m.db":                     {"m.db", 0, false},
	} {
		if !strings.HasPrefix(e.Error(), want) || storageRemedy(errors.Join(e)) == "" || !strings.Contains(openRemedy(e, ""), "that process") {
			t.Errorf("%v; %s; %s", e, storageRemedy(e), openRemedy(e, ""))
		}
	}
}
