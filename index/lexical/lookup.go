package lexical

import (
	"cmp"
	"slices"
)

// Lookup yields the live documents that hold the token in the field, in ascending order of view and document, until
// yield returns false. A scored field is asked for tokens as the tokeniser makes them; Calls for whole names in any
// case.
func Lookup(views []View, field Field, token string, yield func(view int, doc uint32) bool) {
	if field >= NumFields {
		return
	}
	want := byte(1) << field
	if field == Calls {
		token, want = string(lowerName(nil, []byte(token))), 0
	}
	for i, v := range views {
		if v.Seg == nil {
			continue
		}
		dict := &v.Seg.words
		if field == Calls {
			dict = &v.Seg.calls
		}
		e, ok := dict.find(token)
		if ok && !v.eachLive(e.postings, want, func(doc uint32) bool { return yield(i, doc) }) {
			return
		}
	}
}

// eachLive yields the list's live documents whose mask has all bits of want, and reports whether yield wanted more.
func (v View) eachLive(postings []byte, want byte, yield func(doc uint32) bool) bool {
	c := newCursor(postings, v.Seg.docs)
	for c.doc != exhausted {
		doc := c.doc
		mask, ok := c.hop()
		if !ok {
			mask = c.mask()
			c.next()
		}
		if mask&want == want && !isDead(v.Dead, doc) && !yield(doc) {
			return false
		}
	}
	return true
}

// A Term is a token of the vocabulary.
type Term struct {
	Token string
	Docs  int // live documents that hold it in a scored field
}

// Vocabulary returns the tokens that start with prefix and that some live document holds, the most frequent first,
// then in byte order; at most limit of them when limit is positive.
func Vocabulary(views []View, prefix string, limit int) []Term {
	var terms []Term
	words := func(s *Segment) *dictionary { return &s.words }
	for _, v := range views {
		if v.Seg != nil {
			v.Seg.Load()
		}
	}
	eachMergedTerm(views, []byte(prefix), words, func(token []byte, found []foundTerm) bool {
		t := Term{}
		for _, f := range found {
			t.Docs += liveCount(f.entry, &views[f.view])
		}
		if t.Docs > 0 {
			t.Token = string(token)
			terms = append(terms, t)
		}
		return true
	})
	slices.SortStableFunc(terms, func(a, b Term) int { return cmp.Compare(b.Docs, a.Docs) })
	if limit > 0 && len(terms) > limit {
		terms = terms[:limit]
	}
	return terms
}
