package lexical

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

// Count returns the number of live documents that hold the token in a scored field.
func Count(views []View, token string) (n int) {
	for _, v := range views {
		if v.Seg == nil {
			continue
		}
		if e, ok := v.Seg.words.find(token); ok {
			v.eachLive(e.postings, 0, func(uint32) bool { n++; return true })
		}
	}
	return n
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
