package semantic

import (
	"context"
	"fmt"
	"log/slog"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/enginetest"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/sqlite"
	"github.com/aurora-sidecar/aurora/memory/sqlite/sqlitetest"
)

// remembered is a store with notes, and their ids.
func remembered(t *testing.T, notes int) (store memory.Store, ids []string) {
	t.Helper()
	store = sqlitetest.Open(t, sqlite.Options{})
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	for i := range notes {
		r, _, err := store.Remember(t.Context(), memory.Record{Type: memory.Knowledge, Content: fmt.Sprintf("Shelf %d of the store room is for invoices.", i)})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, r.ID)
	}
	return store, ids
}

// kept counts the vectors in the store.
func kept(t *testing.T, v *Vectors, ids []string) (n int) {
	t.Helper()
	if err := v.Memory.Vectors(t.Context(), v.own.vectors.space, ids, func(string, []int8) { n++ }); err != nil {
		t.Fatal(err)
	}
	return n
}

func near(t *testing.T, v *Vectors) []nearRecord {
	t.Helper()
	list, err := v.NearRecords(t.Context(), "where do bills lie", nil, Nearness{Least: -1})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestVectorsOfRecordsAreKept(t *testing.T) {
	store, ids := remembered(t, 6)
	options := Options{Memory: store, Log: slog.New(slog.DiscardHandler)}
	v := New(options)
	if found := near(t, v); len(found) != atOnce || kept(t, v, ids) != atOnce {
		t.Errorf("a search made %d vectors and kept %d, want %d", len(found), kept(t, v, ids), atOnce)
	}
	if err := v.FillRecords(t.Context()); err != nil || kept(t, v, ids) != len(ids) {
		t.Errorf("%d are kept, %v", kept(t, v, ids), err)
	}
	again := New(options)
	if found := near(t, again); len(found) != len(ids) {
		t.Errorf("%d were read", len(found))
	}
	if _, _, err := store.Remember(t.Context(), memory.Record{ID: ids[0], Type: memory.Knowledge, Content: "The coffee machine is cleaned on Fridays."}); err != nil {
		t.Fatal(err)
	}
	if kept(t, again, ids) != len(ids)-1 {
		t.Error("the vector of a text that is no more is kept")
	}
	if found := near(t, again); len(found) != len(ids) || found[len(ids)-1].ID != ids[0] || kept(t, again, ids) != len(ids) {
		t.Errorf("after a rewrite: %v, %d kept", found, kept(t, again, ids))
	}
}

// A program with another model reads no vector of the one before, and puts its own in their places.
func TestVectorsOfAnotherModelAreMadeAgain(t *testing.T) {
	store, ids := remembered(t, 6)
	const former = "aurora-sentence@1/384/00000001"
	texts := map[string]memory.RecordText{}
	if _, err := store.Texts(t.Context(), memory.TextMark{}, func(r memory.RecordText) { texts[r.ID] = r }); err != nil {
		t.Fatal(err)
	}
	var old []memory.RecordVector
	for _, id := range ids {
		old = append(old, memory.RecordVector{Of: texts[id], Vector: make([]int8, 384)})
	}
	if err := store.KeepVectors(t.Context(), former, old); err != nil {
		t.Fatal(err)
	}
	v := New(Options{Memory: store, Log: slog.New(slog.DiscardHandler)})
	if found := near(t, v); len(found) != atOnce {
		t.Errorf("a search compares with %d vectors, want the %d that it made", len(found), atOnce)
	}
	if err := v.FillRecords(t.Context()); err != nil || kept(t, v, ids) != len(ids) {
		t.Errorf("%d are kept, %v", kept(t, v, ids), err)
	}
	left := 0
	if err := store.Vectors(t.Context(), former, ids, func(string, []int8) { left++ }); err != nil || left > 0 {
		t.Errorf("%d vectors of the former model are left, %v", left, err)
	}
}

func TestVectorsOfRecordsAreMadeInTheBackground(t *testing.T) {
	store, ids := remembered(t, 2*keepTogether+1)
	v := New(Options{Index: enginetest.Open(t, enginetest.Shop).Index, Memory: store, Log: slog.New(slog.DiscardHandler), Background: true})
	defer v.Close()
	if err := v.own.rounds.WaitOnce(t.Context()); err != nil || kept(t, v, ids) != len(ids) {
		t.Errorf("%d of %d are kept, %v", kept(t, v, ids), len(ids), err)
	}
	if found := near(t, v); len(found) != len(ids) {
		t.Errorf("%d of %d are compared", len(found), len(ids))
	}
}

func TestAStoreThatCanNotBeWrittenIsSearchedAllTheSame(t *testing.T) {
	store, _ := remembered(t, 2)
	v := New(Options{Memory: refusing{store}, Log: slog.New(slog.DiscardHandler)})
	if found := near(t, v); len(found) != 2 {
		t.Errorf("found %v", found)
	}
}

// refusing keeps no vectors, as a store that may only be read.
type refusing struct{ memory.Store }

func (refusing) KeepVectors(context.Context, string, []memory.RecordVector) error {
	return fmt.Errorf("read only")
}

func TestTheModelOfCodeComparesRecords(t *testing.T) {
	records := []memory.Record{
		{Title: "Retries", Content: "The HTTP client retries a request when the connection was reset."},
		{Title: "Colours", Content: "The sidebar is drawn in a lighter shade of the theme."},
	}
	cosines := AsCode("why do we send a request again after a timeout of the socket", records)
	if len(cosines) != 2 || cosines[0] <= cosines[1] {
		t.Errorf("cosines of a record about it and of another: %v", cosines)
	}
	if cosines := AsCode("", records); cosines[0] != 0 || cosines[1] != 0 {
		t.Errorf("no question is near something: %v", cosines)
	}
}
