package sqlite

import (
	"maps"
	"slices"

	"github.com/aurora-sidecar/aurora/memory"
)

func (s *suite) searchIDs() {
	cart := s.remember(memory.Record{Content: "the cart rounds up", Tags: []string{"shop"}})
	tax := s.remember(memory.Record{Content: "tax is added last", Tags: []string{"shop"}})
	gone := s.remember(memory.Record{Content: "prices were floats"})
	if _, err := s.store.Forget(s.ctx, []string{gone.ID}); err != nil {
		s.Fatal(err)
	}
	all := []string{tax.ID, gone.ID, cart.ID, "know:nobody"}
	hits := s.search(memory.Query{Text: "rounds", IDs: all})
	if len(hits) != 2 || hits[0].ID != cart.ID || hits[0].Score == 0 || hits[1].ID != tax.ID || hits[1].Score != 0 {
		s.Errorf("a match and a named record: %+v", hits)
	}
	s.expect(memory.Query{IDs: []string{tax.ID}}, "tax is added last")
	s.expect(memory.Query{IDs: []string{tax.ID}, Tags: []string{"other"}})
	s.expect(memory.Query{IDs: []string{gone.ID}})
}

func (s *suite) texts() {
	read := func(since memory.TextMark) (ids []string, mark memory.TextMark) {
		mark, err := s.store.Texts(s.ctx, since, func(t memory.RecordText) {
			if t.Content == "" || t.ContentHash == "" {
				s.Errorf("incomplete: %+v", t)
			}
			ids = append(ids, t.ID)
		})
		if err != nil {
			s.Fatal(err)
		}
		slices.Sort(ids)
		return ids, mark
	}
	if ids, _ := read(memory.TextMark{}); len(ids) != 0 {
		s.Errorf("of an empty store: %q", ids)
	}
	first, second := s.remember(memory.Record{Content: "first"}), s.remember(memory.Record{Content: "second"})
	ids, mark := read(memory.TextMark{})
	want := []string{first.ID, second.ID}
	if slices.Sort(want); !slices.Equal(ids, want) {
		s.Errorf("of two records: %q", ids)
	}
	third := s.remember(memory.Record{Content: "third"})
	if ids, mark = read(mark); !slices.Contains(ids, third.ID) {
		s.Errorf("after a third: %q", ids)
	}
	s.remember(memory.Record{ID: first.ID, Content: "first, rewritten"})
	if ids, _ = read(mark); !slices.Contains(ids, first.ID) {
		s.Errorf("after a rewrite: %q", ids)
	}
}

func (s *suite) vectors() {
	var texts []memory.RecordText
	for _, content := range []string{"first", "second", "third"} {
		s.remember(memory.Record{Content: content})
	}
	if _, err := s.store.Texts(s.ctx, memory.TextMark{}, func(t memory.RecordText) { texts = append(texts, t) }); err != nil {
		s.Fatal(err)
	}
	keep := func(space string, vector []int8, of ...memory.RecordText) {
		var list []memory.RecordVector
		for _, t := range of {
			list = append(list, memory.RecordVector{Of: t, Vector: vector})
		}
		if err := s.store.KeepVectors(s.ctx, space, list); err != nil {
			s.Fatal(err)
		}
	}
	expect := func(space string, want map[string][]int8) {
		s.Helper()
		got := map[string][]int8{}
		ids := []string{texts[0].ID, texts[1].ID, texts[2].ID, "know:nobody"}
		if err := s.store.Vectors(s.ctx, space, ids, func(id string, v []int8) { got[id] = v }); err != nil {
			s.Fatal(err)
		}
		if !maps.EqualFunc(got, want, slices.Equal) {
			s.Errorf("vectors of %s: %v, want %v", space, got, want)
		}
	}
	first, second, third := texts[0], texts[1], texts[2]
	keep("a", []int8{-128, 0, 127}, first, second, third)
	expect("a", map[string][]int8{first.ID: {-128, 0, 127}, second.ID: {-128, 0, 127}, third.ID: {-128, 0, 127}})
	keep("b", []int8{1}, first)
	expect("a", map[string][]int8{second.ID: {-128, 0, 127}, third.ID: {-128, 0, 127}})
	expect("b", map[string][]int8{first.ID: {1}})

	s.remember(memory.Record{ID: second.ID, Content: "second, rewritten"})
	if _, err := s.store.Purge(s.ctx, memory.Purge{IDs: []string{third.ID}}); err != nil {
		s.Fatal(err)
	}
	expect("a", map[string][]int8{})
	keep("a", []int8{2}, first, second, third) // those of the second and the third are of texts that are gone
	expect("a", map[string][]int8{first.ID: {2}})
}
