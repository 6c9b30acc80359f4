package lexical

import (
	"encoding/binary"
	"math/bits"
)

// A View is a segment with some of its documents deleted. Views are values: what a search has in hand never
// changes under it.
type View struct {
	Seg  *Segment
	Dead []uint64 // bitmap by document, nil or short means alive; must not change once a search may see it

	counted bool // live is filled in
	live    liveCounts
}

// liveCounts are the corpus statistics of a view.
type liveCounts struct {
	docs   int
	tokens [scored]uint64
}

// NewView returns a view that has counted its live documents once, so that searches need not.
func NewView(seg *Segment, dead []uint64) View {
	v := View{Seg: seg, Dead: dead}
	v.live, v.counted = v.counts(), true
	return v
}

// Live reports whether the document exists and is not dead.
func (v View) Live(doc uint32) bool {
	return int(doc) < v.docs() && !isDead(v.Dead, doc)
}

// docs returns the number of documents, dead ones included.
func (v View) docs() int {
	if v.Seg == nil {
		return 0
	}
	return v.Seg.Docs()
}

// deadDocs yields the documents that are dead.
func (v View) deadDocs(yield func(doc uint32) bool) {
	for i, word := range v.Dead {
		for ; word != 0; word &= word - 1 {
			doc := 64*i + bits.TrailingZeros64(word)
			if doc >= v.docs() || !yield(uint32(doc)) {
				return
			}
		}
	}
}

// anyDead reports whether at least one document is dead.
func (v View) anyDead() bool { return v.counts().docs < v.docs() }

// counts returns the view's statistics.
func (v View) counts() liveCounts {
	if v.counted || v.Seg == nil {
		return v.live
	}
	c := liveCounts{docs: v.Seg.Docs(), tokens: v.Seg.totals}
	for doc := range v.deadDocs {
		c.docs--
		at := v.Seg.lengths[int(doc)*lengthsPerDoc:]
		for f := range scored {
			c.tokens[f] -= uint64(binary.LittleEndian.Uint32(at[4*f:]))
		}
	}
	return c
}
