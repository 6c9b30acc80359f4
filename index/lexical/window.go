package lexical

import (
	"math/bits"
	"sync"
)

// windowSize is how many documents are scored at a time: their accumulators stay in the first-level cache, and
// stretches that hold no posting are skipped.
const windowSize = 2048

// An accumulator gathers one document's score.
type accumulator struct {
	score   float64
	matched uint64 // bit i: the query's term i
}

// A window is the accumulators of a run of documents. Between uses all of it is zero.
type window [windowSize]accumulator

var windows = sync.Pool{New: func() any { return new(window) }}

// A termCursor is a cursor with what its term adds to a score.
type termCursor struct {
	cursor
	gain float64 // idf · (k1 + 1)
	bit  uint64
}

// scan scores the documents of view i, window by window, term by term.
func (s *search) scan(i int, w *window) {
	v := s.views[i]
	cursors := s.cursors(i)
	if len(cursors) == 0 {
		return
	}
	lengths := v.Seg.weightedLengths(s.params.Weights)
	for {
		first := nextDoc(cursors)
		if first == exhausted {
			return
		}
		base := first - first%windowSize
		end := min(base+windowSize, v.Seg.docs)
		lo, hi := end, base
		for c := range cursors {
			l, h := s.score(&cursors[c], w, base, end, lengths)
			lo, hi = min(lo, l), max(hi, h)
		}
		s.collect(i, w, base, lo, hi)
	}
}

// cursors returns one cursor per term that view i holds.
func (s *search) cursors(i int) []termCursor {
	var cursors []termCursor
	for t := range s.terms {
		if s.terms[t].lists[i] == nil {
			continue
		}
		cursors = append(cursors, termCursor{
			cursor: newCursor(s.terms[t].lists[i], s.views[i].Seg.docs),
			gain:   s.terms[t].idf * (s.params.K1 + 1),
			bit:    1 << t,
		})
	}
	return cursors
}

// nextDoc returns the first document that any cursor stands on.
func nextDoc(cursors []termCursor) uint32 {
	next := uint32(exhausted)
	for i := range cursors {
		next = min(next, cursors[i].doc)
	}
	return next
}

// score adds one term's contributions to the documents in [base, end) and returns the stretch [lo, hi) that it
// touched.
func (s *search) score(c *termCursor, w *window, base, end uint32, lengths []float64) (lo, hi uint32) {
	lo, hi = c.doc, base
	fixed := s.params.K1 * (1 - s.params.B)
	var perLength float64
	if s.average > 0 {
		perLength = s.params.K1 * s.params.B / s.average
	}
	for c.doc < end {
		doc := c.doc
		hi = doc + 1
		tf := c.take(&s.tfs, &s.params.Weights)
		if tf <= 0 {
			continue
		}
		a := &w[(doc-base)%windowSize]
		a.score += c.gain * tf / (tf + fixed + perLength*lengths[doc])
		a.matched |= c.bit
	}
	return lo, hi
}

// collect offers the touched documents to the best and clears their accumulators.
func (s *search) collect(view int, w *window, base, lo, hi uint32) {
	dead := s.views[view].Dead
	for doc := lo; doc < hi; doc++ {
		a := w[doc-base]
		if a.matched == 0 {
			continue
		}
		w[doc-base] = accumulator{}
		wanted := s.best.wants(a.score)
		if !wanted && !s.count || isDead(dead, doc) || s.accept != nil && !s.accept(view, doc) {
			continue
		}
		s.total++
		if wanted {
			s.best.add(candidate{score: a.score, matched: a.matched, view: view, doc: doc})
		}
	}
}

// take leaves the present posting and returns its frequency, every field counted by its weight. uniform holds that of
// every mask byte that is a whole payload.
func (c *cursor) take(uniform *[256]float64, weights *[NumFields]float64) float64 {
	if mask, ok := c.hop(); ok {
		return uniform[mask]
	}
	doc := c.doc
	tf := c.frequency(uniform, weights)
	c.step(int64(doc))
	return tf
}

// frequency reads the present posting's payload. The caller must step next.
func (c *cursor) frequency(uniform *[256]float64, weights *[NumFields]float64) float64 {
	if c.pos >= len(c.data) {
		return 0
	}
	mask := c.data[c.pos]
	c.pos++
	if mask >= presence {
		return uniform[mask]
	}
	return c.mixedFrequency(mask, weights)
}

// mixedFrequency is frequency for a payload with one varint per field.
func (c *cursor) mixedFrequency(mask byte, weights *[NumFields]float64) float64 {
	sum := 0.0
	for ; mask != 0; mask &= mask - 1 {
		tf, n := uvarint(c.data[c.pos:])
		if n <= 0 {
			c.pos = len(c.data)
			return 0
		}
		c.pos += n
		sum += weights[bits.TrailingZeros8(mask)] * float64(tf)
	}
	return sum
}

// uniformFrequencies returns the weighted frequency of every mask byte that is a whole payload.
func uniformFrequencies(weights *[NumFields]float64) (tfs [256]float64) {
	for mask := presence; mask < len(tfs); mask++ {
		for f := range scored {
			if mask&(1<<f) != 0 {
				tfs[mask] += weights[f] * float64(mask>>uniformShift)
			}
		}
	}
	return tfs
}
