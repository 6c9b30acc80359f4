package sqlite

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aurora-sidecar/aurora/memory"
)

// testConformance checks the contract of memory.Store, each part on a new and empty store that open returns.
func testConformance(t *testing.T, open func() memory.Store) {
	for _, test := range []struct {
		name string
		run  func(*suite)
	}{
		{"remember fills in every field", (*suite).rememberFillsIn},
		{"the same content is one record", (*suite).rememberIsIdempotent},
		{"an id may be given", (*suite).givenID},
		{"bad records are refused", (*suite).badRecords},
		{"secrets are not kept", (*suite).secrets},
		{"search finds parts of identifiers", (*suite).searchTokens},
		{"search ranks and explains", (*suite).searchRanks},
		{"search takes any text", (*suite).searchOddText},
		{"search filters", (*suite).searchFilters},
		{"search by reference", (*suite).searchRefs},
		{"search adds named records", (*suite).searchIDs},
		{"texts are told once they are written", (*suite).texts},
		{"a vector is of what its record says", (*suite).vectors},
		{"an empty query lists the most active", (*suite).searchMostActive},
		{"forget hides and remember revives", (*suite).forget},
		{"restore undoes forget", (*suite).restore},
		{"records are described", (*suite).describes},
		{"search filters by what describes a record", (*suite).searchMetadata},
		{"age counts when it should", (*suite).recency},
		{"citations are kept and followed", (*suite).citations},
		{"links spread activation", (*suite).links},
		{"outcomes are learned from", (*suite).learns},
		{"links may go in circles", (*suite).circles},
		{"an id is one record", (*suite).sameIDs},
		{"people judge answers", (*suite).judgements},
		{"use raises, rejection lowers", (*suite).uses},
		{"chunks of code have activation too", (*suite).useOfChunks},
		{"what is kept of an id goes with it", (*suite).renames},
		{"stats count", (*suite).stats},
		{"goals and metrics are kept", (*suite).ledger},
		{"a chunk can be added to a record", (*suite).annotates},
		{"conversations are found by their words", (*suite).logs},
		{"a cancelled context stops", (*suite).cancelled},
		{"everything at once", (*suite).concurrent},
	} {
		t.Run(test.name, func(t *testing.T) {
			store := open()
			test.run(&suite{T: t, store: store, ctx: t.Context()})
			if warning := store.Warning(); warning != "" {
				t.Errorf("warning: %s", warning)
			}
			if err := store.Close(); err != nil {
				t.Errorf("close: %v", err)
			}
		})
	}
}

// suite is one test's store with what makes tests short.
type suite struct {
	*testing.T
	store memory.Store
	ctx   context.Context
}

func (s *suite) remember(r memory.Record) memory.Record {
	s.Helper()
	saved, _, err := s.store.Remember(s.ctx, r)
	if err != nil {
		s.Fatalf("remember %q: %v", r.Content, err)
	}
	return saved
}

func (s *suite) search(q memory.Query) []memory.Hit {
	s.Helper()
	hits, err := s.store.Search(s.ctx, q)
	if err != nil {
		s.Fatalf("search %+v: %v", q, err)
	}
	return hits
}

// expect checks which contents a query finds, in order.
func (s *suite) expect(q memory.Query, want ...string) {
	s.Helper()
	var got []string
	for _, hit := range s.search(q) {
		got = append(got, hit.Content)
	}
	if !slices.Equal(got, want) {
		s.Errorf("search %+v\n got %q\nwant %q", q, got, want)
	}
}

func (s *suite) use(id string, what memory.Use, value float64) {
	s.Helper()
	if err := s.store.Use(s.ctx, []string{id}, what, value); err != nil {
		s.Fatalf("use: %v", err)
	}
}

func (s *suite) rememberFillsIn() {
	saved, created, err := s.store.Remember(s.ctx, memory.Record{Content: "# Use WAL\n\nReaders never wait for writers.", Tags: []string{" db ", "DB", ""}})
	if err != nil || !created {
		s.Fatalf("remember: created %v, %v", created, err)
	}
	if !strings.HasPrefix(saved.ID, "know:use-wal-") || len(saved.ID) != len("know:use-wal-")+8 {
		s.Errorf("id %q", saved.ID)
	}
	if saved.Type != memory.Knowledge || saved.Title != "Use WAL" || saved.Importance != 1 || saved.TokenCount == 0 ||
		len(saved.ContentHash) != 64 || saved.CreatedAt.IsZero() || saved.UpdatedAt.IsZero() ||
		!slices.Equal(saved.Tags, []string{"db"}) {
		s.Errorf("saved %+v", saved)
	}
	hit, err := s.store.Get(s.ctx, saved.ID)
	if err != nil {
		s.Fatalf("get: %v", err)
	}
	if fmt.Sprint(hit.Record) != fmt.Sprint(saved) {
		s.Errorf("get returned\n%+v, saved was\n%+v", hit.Record, saved)
	}
	if hit.AccessCount != 1 || math.IsInf(hit.Activation, 0) {
		s.Errorf("a new record was accessed %d times, activation %v", hit.AccessCount, hit.Activation)
	}
	reasoning := s.remember(memory.Record{Type: memory.Reasoning, Content: "数据库"})
	if !strings.HasPrefix(reasoning.ID, "reas:note-") {
		s.Errorf("id %q", reasoning.ID)
	}
}

func (s *suite) rememberIsIdempotent() {
	first := s.remember(memory.Record{Content: "one", Tags: []string{"a"}, Workspace: "/x", SourceRef: "a.go:1"})
	again, created, err := s.store.Remember(s.ctx, memory.Record{Content: " one\n", Tags: []string{"b"}, Workspace: "/x"})
	if err != nil || created {
		s.Fatalf("again: created %v, %v", created, err)
	}
	if again.ID != first.ID || !slices.Equal(again.Tags, []string{"a", "b"}) || again.SourceRef != "a.go:1" ||
		again.Workspace != "/x" || !again.CreatedAt.Equal(first.CreatedAt) {
		s.Errorf("again %+v", again)
	}
	if other := s.remember(memory.Record{Content: "one", Workspace: "/y"}); other.Workspace != "/y" || other.ID == first.ID {
		s.Errorf("the same text in another workspace is %s of %q", other.ID, other.Workspace)
	}
	if other := s.remember(memory.Record{Content: "one", Type: memory.Reasoning}); other.ID == first.ID {
		s.Errorf("records of two types share %q", other.ID)
	}
	s.expect(memory.Query{Text: "one", Types: []memory.Type{memory.Knowledge}, Workspaces: []string{"/x"}}, "one")
}

func (s *suite) givenID() {
	s.remember(memory.Record{ID: "know:mine", Content: "first"})
	saved, created, err := s.store.Remember(s.ctx, memory.Record{ID: "know:mine", Content: "second"})
	if err != nil || created || saved.ID != "know:mine" || saved.Title != "second" {
		s.Errorf("saved %+v, created %v, %v", saved, created, err)
	}
	s.expect(memory.Query{Text: "first"})
	s.expect(memory.Query{Text: "second"}, "second")
	s.remember(memory.Record{ID: "know:mine", Content: "second", Title: "Named", Tags: []string{"a", "b"}, Workspace: "/w"})
	saved = s.remember(memory.Record{ID: "know:mine", Content: "second", Title: "Renamed", Tags: []string{"b"}, Workspace: "/x"})
	if saved.Title != "Renamed" || !slices.Equal(saved.Tags, []string{"b"}) || saved.Workspace != "/x" {
		s.Errorf("a named record became %+v", saved)
	}
}

func (s *suite) badRecords() {
	for name, r := range map[string]memory.Record{
		"empty":      {Content: " \n\t"},
		"type":       {Content: "x", Type: "code"},
		"importance": {Content: "x", Importance: math.NaN()},
		"negative":   {Content: "x", Importance: -1},
		"too large":  {Content: strings.Repeat("x", memory.MaxContent+1)},
	} {
		if _, _, err := s.store.Remember(s.ctx, r); !errors.Is(err, memory.ErrInvalid) {
			s.Errorf("%s: error %v", name, err)
		}
	}
	odd := s.remember(memory.Record{Content: "a\x00b\xffc", SourceRef: "\xff", Tags: []string{"\xfe"}})
	if _, err := s.store.Get(s.ctx, odd.ID); err != nil {
		s.Errorf("get bytes that are not UTF-8: %v", err)
	}
}

func (s *suite) secrets() {
	saved := s.remember(memory.Record{Content: `use password = "hunter2hunter2" there`, Tags: []string{"AKIA" + "IOSFODNN7EXAMPLE"}})
	if strings.Contains(saved.Content+saved.Title+saved.ID, "hunter2") || strings.Contains(saved.Tags[0], "IOSF") {
		s.Errorf("saved %+v", saved)
	}
	s.expect(memory.Query{Text: "hunter2hunter2"})
}

func (s *suite) searchTokens() {
	s.remember(memory.Record{Content: "getUserData is slow"})
	for _, text := range []string{"getUserData", "user data", "USER", "getuserdata", "slow?", "what about user-data"} {
		s.expect(memory.Query{Text: text}, "getUserData is slow")
	}
	for _, text := range []string{"userd", "???", "nothing"} {
		s.expect(memory.Query{Text: text})
	}
}

func (s *suite) searchRanks() {
	s.remember(memory.Record{Content: "the cache and the store and the queue and the log: retry rarely"})
	s.remember(memory.Record{Content: "retry with backoff"})
	s.remember(memory.Record{Content: "nothing of the sort"})
	hits := s.search(memory.Query{Text: "retry backoff zebra"})
	if len(hits) != 2 || hits[0].Content != "retry with backoff" {
		s.Fatalf("hits %+v", hits)
	}
	if hits[0].Score <= hits[1].Score || hits[1].Score < 0 {
		s.Errorf("scores %v, %v", hits[0].Score, hits[1].Score)
	}
	if !slices.Equal(hits[0].Matched, []string{"retry", "backoff"}) {
		s.Errorf("matched %q", hits[0].Matched)
	}
	if limited := s.search(memory.Query{Text: "the", Limit: 1}); len(limited) != 1 {
		s.Errorf("limit 1 gave %d hits", len(limited))
	}
}

func (s *suite) searchOddText() {
	s.remember(memory.Record{Content: "near or not"})
	for _, text := range []string{`"`, `near AND`, `NEAR(`, `title:near`, "*", "a\x00b", "\xff\xfe", "-near", "^near", "'; DROP TABLE records; --", strings.Repeat("near far ", 5000)} {
		s.search(memory.Query{Text: text})
	}
	s.expect(memory.Query{Text: "OR"}, "near or not")
	s.search(memory.Query{Text: "near", Limit: -5})
	s.search(memory.Query{Text: "near", Limit: 1 << 40})
}

func (s *suite) searchFilters() {
	s.remember(memory.Record{Content: "alpha here", Workspace: "/x", Tags: []string{"db", "fast"}, Author: memory.Author{GoalID: "g1"}, SourceType: "output"})
	s.remember(memory.Record{Content: "alpha there", Workspace: "/y", Tags: []string{"db"}, Type: memory.Reasoning})
	s.remember(memory.Record{Content: "alpha everywhere and always"})
	s.expect(memory.Query{Text: "here alpha", Workspaces: []string{"/x"}}, "alpha here", "alpha everywhere and always")
	s.expect(memory.Query{Text: "alpha", Workspaces: []string{"/z"}}, "alpha everywhere and always")
	s.expect(memory.Query{Text: "alpha", Tags: []string{"DB", "fast"}}, "alpha here")
	s.expect(memory.Query{Text: "alpha", Types: []memory.Type{memory.Reasoning}}, "alpha there")
	s.expect(memory.Query{Text: "alpha", GoalID: "g1"}, "alpha here")
	s.expect(memory.Query{Text: "alpha", Source: "output"}, "alpha here")
	s.expect(memory.Query{Text: "alpha", Source: "goal"})
	s.expect(memory.Query{Tags: []string{"fast"}}, "alpha here")
}

func (s *suite) searchRefs() {
	for _, ref := range []string{"a/b.go", "a/b.go:12", "a/b.go:1", "code:a/b.go:Store", "code:a/b.go:Store.Get",
		"code:a/b.go:Stores", "a/b.gone", "z/a/b.go", ""} {
		s.remember(memory.Record{Content: "ref " + ref, SourceRef: ref})
	}
	for _, test := range []struct {
		ref  string
		want []string
	}{
		{"a/b.go", []string{"a/b.go", "a/b.go:1", "a/b.go:12", "code:a/b.go:Store", "code:a/b.go:Store.Get", "code:a/b.go:Stores"}},
		{"a/b.go:1", []string{"a/b.go:1"}},
		{"code:a/b.go:Store", []string{"code:a/b.go:Store", "code:a/b.go:Store.Get"}},
		{"nowhere.go", nil},
		{"", nil},
	} {
		var got []string
		for _, hit := range s.search(memory.Query{Refs: []string{test.ref}}) {
			got = append(got, hit.SourceRef)
		}
		if slices.Sort(got); !slices.Equal(got, test.want) {
			s.Errorf("refs %q\n got %q\nwant %q", test.ref, got, test.want)
		}
	}
	hits := s.search(memory.Query{Text: "gone", Refs: []string{"a/b.go:12", "a/b.gone"}})
	if len(hits) != 2 || hits[0].SourceRef != "a/b.gone" || hits[0].Score == 0 || hits[1].Score != 0 {
		s.Errorf("text and references: %+v", hits)
	}
}

func (s *suite) searchMostActive() {
	rare := s.remember(memory.Record{Content: "rare"})
	often := s.remember(memory.Record{Content: "often"})
	wrong := s.remember(memory.Record{Content: "wrong"})
	s.use(often.ID, memory.Edited, 0)
	s.use(wrong.ID, memory.Rejected, 0)
	s.expect(memory.Query{}, often.Content, rare.Content, wrong.Content)
}

func (s *suite) forget() {
	saved := s.remember(memory.Record{Content: "to be forgotten", SourceRef: "a.go"})
	if gone, err := s.store.Forget(s.ctx, []string{saved.ID, saved.ID, "know:nobody"}); !slices.Equal(gone, []string{saved.ID}) || err != nil {
		s.Fatalf("forget: %q, %v", gone, err)
	}
	if _, err := s.store.Get(s.ctx, saved.ID); !errors.Is(err, memory.ErrNotFound) {
		s.Errorf("get after forget: %v", err)
	}
	for _, q := range []memory.Query{{Text: "forgotten"}, {Refs: []string{"a.go"}}, {}} {
		s.expect(q)
	}
	revived, created, err := s.store.Remember(s.ctx, memory.Record{Content: "to be forgotten"})
	if err != nil || !created || revived.ID != saved.ID {
		s.Errorf("revive: %+v, created %v, %v", revived, created, err)
	}
	s.expect(memory.Query{Text: "forgotten"}, "to be forgotten")
	if gone, err := s.store.Forget(s.ctx, nil); len(gone) != 0 || err != nil {
		s.Errorf("forget nothing: %q, %v", gone, err)
	}
}

func (s *suite) uses() {
	saved := s.remember(memory.Record{Content: "used"})
	level := func() float64 {
		s.Helper()
		hit, err := s.store.Get(s.ctx, saved.ID)
		if err != nil {
			s.Fatalf("get: %v", err)
		}
		levels, err := s.store.Activation(s.ctx, []string{saved.ID})
		if err != nil {
			s.Fatalf("activation: %v", err)
		}
		if math.Abs(levels[saved.ID]-hit.Activation) > 0.5 { // the clock ran on between the two
			s.Errorf("activation %v, in the hit %v", levels[saved.ID], hit.Activation)
		}
		return hit.Activation
	}
	new := level()
	for range 20 {
		s.use(saved.ID, memory.Accepted, 0)
	}
	used := level()
	s.use(saved.ID, memory.Rated, -1)
	rated := level()
	for range 20 {
		s.use(saved.ID, memory.Rejected, 0)
	}
	rejected := level()
	if !(new < used && rated < used && rejected < rated && rejected < new) {
		s.Errorf("activation when new %v, used %v, rated badly %v, rejected %v", new, used, rated, rejected)
	}
	for _, bad := range []struct {
		id    string
		what  memory.Use
		value float64
	}{{saved.ID, "stolen", 0}, {saved.ID, memory.Rated, 2}, {saved.ID, memory.Rated, math.NaN()}, {"", memory.Opened, 0}} {
		if err := s.store.Use(s.ctx, []string{bad.id}, bad.what, bad.value); !errors.Is(err, memory.ErrInvalid) {
			s.Errorf("use %+v: %v", bad, err)
		}
	}
}

func (s *suite) useOfChunks() {
	const id = "code:a.go:F"
	s.use(id, memory.Opened, 0)
	levels, err := s.store.Activation(s.ctx, []string{id, "code:a.go:G"})
	if _, unused := levels["code:a.go:G"]; err != nil || len(levels) != 1 || unused {
		s.Errorf("activation %v, %v", levels, err)
	}
	if none, err := s.store.Activation(s.ctx, nil); len(none) != 0 || err != nil {
		s.Errorf("activation of nothing: %v, %v", none, err)
	}
}

func (s *suite) stats() {
	s.remember(memory.Record{Content: "a"})
	s.remember(memory.Record{Content: "b", Type: memory.Reasoning})
	gone := s.remember(memory.Record{Content: "c"})
	if _, err := s.store.Forget(s.ctx, []string{gone.ID}); err != nil {
		s.Fatal(err)
	}
	stats, err := s.store.Stats(s.ctx)
	if err != nil || stats.Records[memory.Knowledge] != 1 || stats.Records[memory.Reasoning] != 1 || stats.SizeBytes <= 0 {
		s.Errorf("stats %+v, %v", stats, err)
	}
}

func (s *suite) cancelled() {
	ctx, cancel := context.WithCancel(s.ctx)
	cancel()
	if _, _, err := s.store.Remember(ctx, memory.Record{Content: "x"}); !errors.Is(err, context.Canceled) {
		s.Errorf("remember: %v", err)
	}
	if _, err := s.store.Search(ctx, memory.Query{Text: "x"}); !errors.Is(err, context.Canceled) {
		s.Errorf("search: %v", err)
	}
	s.expect(memory.Query{Text: "x"})
}

func (s *suite) concurrent() {
	const writers, each = 4, 10
	var group sync.WaitGroup
	for w := range writers {
		group.Go(func() {
			for i := range each {
				saved, _, err := s.store.Remember(s.ctx, memory.Record{Content: fmt.Sprintf("worker %d item %d", w, i)})
				if err != nil {
					s.Errorf("remember: %v", err)
					return
				}
				if err := s.store.Use(s.ctx, []string{saved.ID, "code:shared"}, memory.Opened, 0); err != nil {
					s.Errorf("use: %v", err)
				}
				if hits, err := s.store.Search(s.ctx, memory.Query{Text: "worker"}); err != nil || len(hits) == 0 {
					s.Errorf("search: %d hits, %v", len(hits), err)
				}
			}
		})
	}
	group.Wait()
	if stats, err := s.store.Stats(s.ctx); err != nil || stats.Records[memory.Knowledge] != writers*each {
		s.Errorf("stats %+v, %v", stats, err)
	}
}
