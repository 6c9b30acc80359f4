package sqlite

import (
	"bytes"
	"path/filepath"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/memory"
)

// TestClockSetBackAYear goes through everything that depends on time while the clock is a year behind what was written.
func TestClockSetBackAYear(t *testing.T) {
	c := newClock()
	path := filepath.Join(t.TempDir(), "memory.db")
	s := openAt(t, path, Options{Now: c.Now})
	early := mustRemember(t, s, "remembered before the clock went back")
	gone := mustRemember(t, s, "forgotten before the clock went back")
	if _, err := s.Forget(t.Context(), []string{gone.ID}); err != nil {
		t.Fatal(err)
	}
	if err := s.Use(t.Context(), []string{early.ID}, memory.Opened, 0); err != nil {
		t.Fatal(err)
	}
	s.Close()

	c.pass(-365 * 24 * time.Hour)
	s = openAt(t, path, Options{Now: c.Now})
	late := mustRemember(t, s, "remembered after the clock went back")
	hits, err := s.Search(t.Context(), memory.Query{Text: "clock", RecencyBias: 1})
	if err != nil || len(hits) != 2 {
		t.Fatalf("found %d, %v", len(hits), err)
	}
	for _, h := range hits {
		if !(h.Score > 0) || !(h.Activation > -10 && h.Activation < 10) {
			t.Errorf("%s: score %v, activation %v", h.Content, h.Score, h.Activation)
		}
	}
	for _, q := range []memory.Query{{}, {Active: []string{early.ID}, Text: "remembered"}} {
		if hits, err := s.Search(t.Context(), q); err != nil || len(hits) != 2 {
			t.Errorf("%+v: found %d, %v", q, len(hits), err)
		}
	}
	if list, err := s.Forgotten(t.Context()); err != nil || len(list) != 1 { // it is not deleted before its time
		t.Errorf("forgotten %+v, %v", list, err)
	}
	if back, err := s.Restore(t.Context(), []string{gone.ID}); err != nil || len(back) != 1 {
		t.Errorf("restored %q, %v", back, err)
	}
	if _, err := s.Learn(t.Context(), memory.Outcome{Query: "why", Score: 0.2}); err != nil {
		t.Error(err)
	}
	var export bytes.Buffer
	if _, err := s.Export(t.Context(), &export); err != nil {
		t.Error(err)
	}
	if err := s.Compact(t.Context()); err != nil {
		t.Error(err)
	}

	c.pass(365*24*time.Hour + time.Hour) // and forward again
	if err := s.Use(t.Context(), []string{late.ID}, memory.Opened, 0); err != nil {
		t.Error(err)
	}
	if hits, err := s.Search(t.Context(), memory.Query{Limit: 1}); err != nil || len(hits) != 1 || hits[0].ID != late.ID {
		t.Errorf("the one that was just used does not come first: %+v, %v", hits, err)
	}
}
