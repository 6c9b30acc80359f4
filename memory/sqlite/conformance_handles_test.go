package sqlite

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/aurora-sidecar/aurora/memory"
)

// A shared store is what those have who share records.
type shared interface {
	memory.RecordStore
	io.Closer
}

// handles are two stores over the same records, as two processes have them.
type handles struct {
	*testing.T
	a, b shared
	lock func() (release func()) // keeps b from writing
}

// testTwoHandles checks what the contract of memory.RecordStore promises those who share records, each part on a new pair.
func testTwoHandles(t *testing.T, open func(*testing.T) *handles) {
	for _, test := range []struct {
		name string
		run  func(*handles)
	}{
		{"what one writes the other reads", (*handles).seesWrites},
		{"the same content is one record, made once", (*handles).makesOnce},
		{"the last of two texts wins, and the other is kept as a version", (*handles).keepsVersions},
		{"nobody who follows the texts misses one", (*handles).missesNothing},
		{"an outage costs what was to be written, and nothing else", (*handles).survivesOutage},
		{"one closes, and the other goes on", (*handles).closesAlone},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := open(t)
			test.run(h)
		})
	}
}

func TestTwoHandles(t *testing.T) {
	testTwoHandles(t, func(t *testing.T) *handles {
		path := filepath.Join(t.TempDir(), "memory.db")
		a := openAt(t, path, Options{})
		return &handles{T: t, a: a, b: openAt(t, path, Options{}), lock: func() func() { return holdWriteLock(t, a) }}
	})
}

func (h *handles) remember(s shared, r memory.Record) (memory.Record, bool) {
	h.Helper()
	r.Type = memory.Knowledge
	saved, created, err := s.Remember(h.Context(), r)
	if err != nil {
		h.Error(err)
	}
	return saved, created
}

func (h *handles) ids(s shared, words string) (ids []string) {
	h.Helper()
	hits, err := s.Search(h.Context(), memory.Query{Text: words, Limit: 10})
	if err != nil {
		h.Error(err)
	}
	for i := range hits {
		ids = append(ids, hits[i].ID)
	}
	return ids
}

func (h *handles) seesWrites() {
	one, _ := h.remember(h.a, memory.Record{Content: "gateways retry twice"})
	two, _ := h.remember(h.a, memory.Record{Content: "gateways never wait"})
	if got := h.ids(h.b, "gateways retry"); !slices.Contains(got, one.ID) {
		h.Errorf("the other finds %q", got)
	}
	if err := h.b.Relate(h.Context(), []memory.Link{{From: one.ID, To: two.ID, Type: memory.Supersedes, Weight: 1}}); err != nil {
		h.Fatal(err)
	}
	if hit, err := h.a.Get(h.Context(), two.ID); err != nil || !hit.Standing.IsSuperseded() {
		h.Errorf("superseded by the other: %+v, %v", hit.Standing, err)
	}
	if gone, err := h.b.Forget(h.Context(), []string{one.ID}); err != nil || len(gone) != 1 {
		h.Fatal(gone, err)
	}
	if got := h.ids(h.a, "gateways retry twice"); slices.Contains(got, one.ID) {
		h.Error("what the other forgot is found")
	}
	if back, err := h.a.Restore(h.Context(), []string{one.ID}); err != nil || len(back) != 1 {
		h.Errorf("restored %q, %v", back, err)
	}
}

// both runs f n times for each handle, all at once.
func (h *handles) both(n int, f func(s shared, name string, i int)) {
	var work sync.WaitGroup
	for name, s := range map[string]shared{"a": h.a, "b": h.b} {
		for i := range n {
			work.Go(func() { f(s, name, i) })
		}
	}
	work.Wait()
}

func (h *handles) makesOnce() {
	var mu sync.Mutex
	ids, made := map[string]bool{}, 0
	h.both(10, func(s shared, _ string, i int) {
		saved, created := h.remember(s, memory.Record{Content: fmt.Sprintf("said by both, number %d", i)})
		mu.Lock()
		defer mu.Unlock()
		if ids[saved.ID] = true; created {
			made++
		}
	})
	if len(ids) != 10 || made != 10 {
		h.Errorf("%d records, of which %d were told as made; want 10", len(ids), made)
	}
}

func (h *handles) keepsVersions() {
	first, _ := h.remember(h.a, memory.Record{Content: "we use tabs"})
	texts := map[string]bool{}
	h.both(3, func(s shared, name string, i int) {
		h.remember(s, memory.Record{ID: first.ID, Content: fmt.Sprintf("we use %d spaces, says %s", i, name)})
	})
	hit, err := h.a.Get(h.Context(), first.ID)
	if err != nil {
		h.Fatal(err)
	}
	versions, err := h.b.Versions(h.Context(), first.ID)
	if err != nil {
		h.Fatal(err)
	}
	texts[hit.Content] = true
	for _, v := range versions {
		texts[v.Content] = true
	}
	if len(texts) != 7 {
		h.Errorf("of seven texts %d are there: %v", len(texts), texts)
	}
}

func (h *handles) missesNothing() {
	kept, _ := h.remember(h.a, memory.Record{Content: "rewritten again and again"})
	last := map[string]string{} // text by id, as those saw it who follow
	done := make(chan struct{})
	var follower sync.WaitGroup
	mark := memory.TextMark{}
	follow := func() {
		next, err := h.b.Texts(h.Context(), mark, func(t memory.RecordText) { last[t.ID] = t.Content })
		if err != nil {
			h.Error(err)
		}
		mark = next
	}
	follower.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				follow()
			}
		}
	})
	var mu sync.Mutex
	var ids []string
	h.both(20, func(s shared, name string, i int) {
		saved, _ := h.remember(s, memory.Record{Content: fmt.Sprintf("record %d of %s", i, name)})
		h.remember(s, memory.Record{ID: kept.ID, Content: fmt.Sprintf("rewritten by %s, %d", name, i)})
		mu.Lock()
		defer mu.Unlock()
		ids = append(ids, saved.ID)
	})
	close(done)
	follower.Wait()
	follow()
	for _, id := range ids {
		if last[id] == "" {
			h.Errorf("%s was missed", id)
		}
	}
	hit, err := h.a.Get(h.Context(), kept.ID)
	if err != nil || last[kept.ID] != hit.Content {
		h.Errorf("the last text is %q, %v, and %q was seen", hit.Content, err, last[kept.ID])
	}
}

func (h *handles) survivesOutage() {
	known, _ := h.remember(h.a, memory.Record{Content: "known before the outage"})
	release := h.lock()
	if got := h.ids(h.b, "known outage"); !slices.Contains(got, known.ID) {
		h.Errorf("nothing is read while another writes: %q", got)
	}
	ctx, cancel := context.WithCancel(h.Context())
	refused := make(chan error)
	go func() {
		_, _, err := h.b.Remember(ctx, memory.Record{Type: memory.Knowledge, Content: "written in the outage"})
		refused <- err
	}()
	cancel()
	if err := <-refused; err == nil {
		h.Error("a write was acknowledged that could not be made")
	}
	release()
	if got := h.ids(h.a, "written outage"); len(got) != 1 || got[0] != known.ID {
		h.Errorf("what was refused is there: %q", got)
	}
	after, created := h.remember(h.b, memory.Record{Content: "written after the outage"})
	if got := h.ids(h.a, "written after"); !created || !slices.Contains(got, after.ID) {
		h.Errorf("after it: %q", got)
	}
}

func (h *handles) closesAlone() {
	if err := h.a.Close(); err != nil {
		h.Fatal(err)
	}
	saved, _ := h.remember(h.b, memory.Record{Content: "alone now"})
	if got := h.ids(h.b, "alone"); !slices.Contains(got, saved.ID) {
		h.Errorf("found %q", got)
	}
}
