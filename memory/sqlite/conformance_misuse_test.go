package sqlite

import (
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/memory"
)

// circles holds that links in a circle neither hang nor pile up.
func (s *suite) circles() {
	var ids []string
	for _, content := range []string{"alpha in a circle", "beta in a circle", "gamma in a circle"} {
		ids = append(ids, s.remember(memory.Record{Content: content}).ID)
	}
	var links []memory.Link
	for i, id := range ids {
		links = append(links, memory.Link{From: id, To: ids[(i+1)%len(ids)], Type: "follows", Weight: 1}, memory.Link{From: id, To: id, Type: "cites", Weight: 1})
	}
	for range 2 { // twice the same is once
		if err := s.store.Relate(s.ctx, links); err != nil {
			s.Fatal(err)
		}
	}
	hits := s.search(memory.Query{Text: "circle", Active: ids[:1]})
	if len(hits) != 3 {
		s.Fatalf("found %d of 3", len(hits))
	}
	for _, h := range hits {
		if h.Parts.Spreading < 0 || h.Parts.Spreading > 3 {
			s.Errorf("%s gets %v", h.Content, h.Parts.Spreading)
		}
	}
	related, err := s.store.Related(s.ctx, ids)
	if err != nil || len(related[ids[0]]) > 2 {
		s.Errorf("related %+v, %v", related, err)
	}
}

// sameIDs holds that an id names one record: a request with an id replaces all of it, and what it said before is not lost for
// those who remember it again.
func (s *suite) sameIDs() {
	const id = "know:the-limit"
	first := s.remember(memory.Record{ID: id, Content: "the limit is five"})
	second := s.remember(memory.Record{ID: id, Content: "the limit is six"})
	if first.ID != id || second.ID != id {
		s.Fatalf("ids %q, %q", first.ID, second.ID)
	}
	s.expect(memory.Query{Text: "limit"}, "the limit is six")
	counts, err := s.store.Import(s.ctx, strings.NewReader(
		`{"id":"`+id+`","type":"knowledge","content":{"topic":"The limit","summary":"seven"}}`+"\n"+
			`{"id":"`+id+`","type":"knowledge","content":{"topic":"The limit","summary":"eight"}}`+"\n"))
	if err != nil || counts["records"] != 2 {
		s.Fatalf("imported %v, %v", counts, err)
	}
	var contents []string
	for _, h := range s.search(memory.Query{Text: "limit"}) {
		contents = append(contents, h.Content)
	}
	if len(contents) != 3 || !slices.Contains(contents, "the limit is six") { // an import changes nothing that is there
		s.Errorf("contents %q", contents)
	}
}
