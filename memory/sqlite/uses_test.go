package sqlite

import (
	"database/sql"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/memory"
)

// eventsOf counts the uses of an id that another process would see.
func eventsOf(t *testing.T, path, id string) int {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var n int
	if err := db.QueryRow(`SELECT count(*) FROM access_events WHERE subject = ?`, id).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestUsesAreWrittenTogether(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	s := openAt(t, path, Options{Now: newClock().Now})
	const id = "code:a.go:F"
	for range 3 {
		if err := s.Use(t.Context(), []string{id}, memory.Edited, 0); err != nil {
			t.Fatal(err)
		}
	}
	before, err := s.Activation(t.Context(), []string{id})
	if err != nil || math.Abs(before[id]-math.Log(3)) > 1e-9 {
		t.Errorf("three uses that wait count as %v, %v", before, err)
	}
	if n := eventsOf(t, path, id); n != 0 {
		t.Errorf("%d uses were written at once", n)
	}
	if flushAfter > 2*time.Second {
		t.Errorf("uses wait for %v", flushAfter)
	}
	for deadline := time.Now().Add(time.Minute); eventsOf(t, path, id) < 3; {
		if time.Now().After(deadline) {
			t.Fatal("never written")
		}
	}
	if after, err := s.Activation(t.Context(), []string{id}); err != nil || after[id] != before[id] {
		t.Errorf("written uses count as %v, before as %v, %v", after, before, err)
	}
	if err := s.Use(t.Context(), []string{id}, memory.Rejected, 0); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if n := eventsOf(t, path, id); n != 4 {
		t.Errorf("after closing there are %d uses", n)
	}
}

// However reading and writing fall together, no use counts twice and none is missing.
func TestUsesCountOnceWhileTheyAreWritten(t *testing.T) {
	s := openAt(t, filepath.Join(t.TempDir(), "memory.db"), Options{})
	const id = "code:a.go:F"
	total := 300
	if testing.Short() {
		total = 60
	}
	var writers sync.WaitGroup
	done := make(chan struct{})
	writers.Go(func() {
		defer close(done)
		for range total {
			if err := s.Use(t.Context(), []string{id}, memory.Opened, 0); err != nil {
				t.Error(err)
			}
			if err := s.uses.flush(t.Context()); err != nil {
				t.Error(err)
			}
		}
	})
	last := 0
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		used, _, err := s.usage(t.Context(), []string{id})
		if err != nil {
			t.Fatal(err)
		}
		count := 0
		if u := used[id]; u != nil {
			count = u.count
		}
		if count < last || count > total {
			t.Fatalf("%d uses after %d", count, last)
		}
		last = count
	}
	writers.Wait()
	if last != total {
		t.Errorf("%d uses of %d", last, total)
	}
}

func TestUsesWaitForAStoreThatIsBusy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	s := openAt(t, path, Options{})
	full := make([]pendingUse, maxPending)
	for i := range full {
		full[i] = pendingUse{fmt.Sprint("code:", i), memory.Opened, 0.5, time.Now()}
	}
	release := holdWriteLock(t, s)
	defer release()
	s.uses.add(full)
	s.uses.add(full[:5]) // while nothing can be written, memory is bounded
	s.uses.mu.Lock()
	waiting := len(s.uses.pending)
	s.uses.pending = nil // which closing would write
	s.uses.mu.Unlock()
	if waiting > maxPending {
		t.Errorf("%d uses wait", waiting)
	}
}

func TestWeights(t *testing.T) {
	s := openMemory(t, Options{})
	level := func(id string, what memory.Use, value float64) float64 {
		t.Helper()
		if err := s.Use(t.Context(), []string{"code:base", id}, what, value); err != nil {
			t.Fatal(err)
		}
		used, _, err := s.usage(t.Context(), []string{id})
		if err != nil {
			t.Fatal(err)
		}
		return used[id].weight
	}
	for id, test := range map[string]struct {
		what        memory.Use
		value, want float64
	}{
		"opened": {memory.Opened, 0, 0.5}, "edited": {memory.Edited, 0, 1}, "returned": {memory.Returned, 0, 0.01},
		"rejected": {memory.Rejected, 0, -1.5}, "rated": {memory.Rated, 0.4, 0.4}, "rated badly": {memory.Rated, -0.4, -0.6},
	} {
		if got := level("code:"+id, test.what, test.value); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("%s weighs %v, want %v", id, got, test.want)
		}
	}
}

func TestActivityTime(t *testing.T) {
	c := newClock()
	path := filepath.Join(t.TempDir(), "memory.db")
	wall, work := openAt(t, path, Options{Now: c.Now}), openAt(t, path, Options{Now: c.Now, ActivityTime: true})
	use := func(id string) {
		t.Helper()
		if err := work.Use(t.Context(), []string{id}, memory.Edited, 0); err != nil {
			t.Fatal(err)
		}
		if err := work.uses.flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	use("code:friday")
	c.pass(72 * time.Hour)
	level := func(s *Store) float64 {
		t.Helper()
		levels, err := s.Activation(t.Context(), []string{"code:friday"})
		if err != nil {
			t.Fatal(err)
		}
		return levels["code:friday"]
	}
	// By the wall 72 h ago, at work 15 min: -½ ln 259200 and -½ ln 900.
	if got, want := level(wall), -0.5*math.Log(259200); math.Abs(got-want) > 1e-9 {
		t.Errorf("by the wall clock %v, want %v", got, want)
	}
	if got, want := level(work), -0.5*math.Log(900); math.Abs(got-want) > 1e-9 {
		t.Errorf("in activity time %v, want %v", got, want)
	}
	use("code:monday")
	c.pass(5 * time.Minute)
	use("code:monday")
	if got, want := level(work), -0.5*math.Log(1200); math.Abs(got-want) > 1e-9 {
		t.Errorf("after five minutes of work %v, want %v", got, want)
	}
}

func TestRecencyBias(t *testing.T) {
	c := newClock()
	s := openMemory(t, Options{Now: c.Now})
	mustRemember(t, s, "zebra zebra zebra")
	c.pass(120 * 24 * time.Hour) // four half-lives
	mustRemember(t, s, "zebra in a somewhat longer text than the first")
	for bias, first := range map[float64]string{0: "zebra zebra zebra", 1: "zebra in a somewhat longer text than the first"} {
		hits, err := s.Search(t.Context(), memory.Query{Text: "zebra", RecencyBias: bias})
		if err != nil || len(hits) != 2 || hits[0].Content != first {
			t.Errorf("bias %v: %+v, %v", bias, hits, err)
		}
	}
}

// Uses that a full disk does not take count all the same, and are written when there is space again.
func TestUsesOnAFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	s := openAt(t, path, Options{})
	s.db.SetMaxOpenConns(1)
	limit := func(pages string) {
		t.Helper()
		if _, err := s.db.Exec(`PRAGMA max_page_count = ` + pages); err != nil {
			t.Fatal(err)
		}
	}
	limit("1")
	var ids []string
	for i := range 200 {
		ids = append(ids, fmt.Sprintf("code:%d:%s", i, strings.Repeat("x", maxSubject-20)))
	}
	if err := s.Use(t.Context(), ids, memory.Edited, 0); err != nil {
		t.Fatal(err)
	}
	if err := s.uses.flush(t.Context()); err == nil || !strings.Contains(s.Warning(), "free some disk space") {
		t.Errorf("flush: %v, warning %q", err, s.Warning())
	}
	if levels, err := s.Activation(t.Context(), ids[:1]); err != nil || len(levels) != 1 {
		t.Errorf("activation %v, %v", levels, err)
	}
	limit("1000000")
	if err := s.uses.flush(t.Context()); err != nil || s.Warning() != "" {
		t.Errorf("with space again: %v, warning %q", err, s.Warning())
	}
	if n := eventsOf(t, path, ids[0]); n != 1 {
		t.Errorf("%d uses", n)
	}
}
