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

// A window is the accumulators of a run of documents, and the frequencies of a term of several forms. Between uses all
// of it is zero.
type window struct {
	accumulators [windowSize]accumulator
	frequencies  [windowSize]float64
}

var windows = sync.Pool{New: func() any { return new(window) }}

// A termCursor is the cursors of a term's forms with what the term adds to a score.
type termCursor struct {
	forms []formCursor
	gain  float64 // weight · idf · (k1 + 1)
	bit   uint64
}

// A formCursor is a cursor with how much one occurrence counts.
type formCursor struct {
	cursor
	weight float64
}

// doc is the first document that a form stands on.
func (c *termCursor) doc() uint32 {
	next := uint32(exhausted)
	for i := range c.forms {
		next = min(next, c.forms[i].doc)
	}
	return next
}

// scan scores the documents of view i, window by window, term by term.
func (s *search) scan(i int, w *window) {
	v := s.views[i]
	cursors := s.cursors(i)
	if len(cursors) == 0 {
		return
	}
	norm := s.norm(i)
	for {
		first := nextDoc(cursors)
		if first == exhausted {
			return
		}
		base := first - first%windowSize
		end := min(base+windowSize, v.Seg.docs)
		lo, hi := end, base
		for c := range cursors {
			l, h := s.score(&cursors[c], w, base, end, norm)
			lo, hi = min(lo, l), max(hi, h)
		}
		s.collect(i, w, base, lo, hi)
	}
}

// cursors returns one cursor per term that view i holds.
func (s *search) cursors(i int) []termCursor {
	var cursors []termCursor
	for t := range s.terms {
		term := &s.terms[t]
		c := termCursor{gain: term.term.Weight * term.idf * (s.params.K1 + 1), bit: 1 << t}
		for _, form := range term.forms {
			if form.lists[i] != nil {
				c.forms = append(c.forms, formCursor{newCursor(form.lists[i], s.views[i].Seg.docs), form.weight})
			}
		}
		if len(c.forms) > 0 {
			cursors = append(cursors, c)
		}
	}
	return cursors
}

// nextDoc returns the first document that any cursor stands on.
func nextDoc(cursors []termCursor) uint32 {
	next := uint32(exhausted)
	for i := range cursors {
		next = min(next, cursors[i].doc())
	}
	return next
}

// score adds one term's contributions to the documents in [base, end) and returns the stretch [lo, hi) that it
// touched.
func (s *search) score(c *termCursor, w *window, base, end uint32, norm *norm) (lo, hi uint32) {
	if len(c.forms) == 1 && c.forms[0].weight == 1 {
		return s.scoreForm(c, w, base, end, norm)
	}
	lo, hi = c.doc(), base
	for i := range c.forms {
		f := &c.forms[i]
		for f.doc < end {
			doc := f.doc
			hi = max(hi, doc+1)
			w.frequencies[doc-base] += f.weight * f.take(&s.tfs, &s.params.Weights)
		}
	}
	for doc := lo; doc < hi; doc++ {
		tf := w.frequencies[doc-base]
		if tf <= 0 {
			continue
		}
		w.frequencies[doc-base] = 0
		w.accumulators[doc-base].add(c, tf, norm.of(doc))
	}
	return lo, hi
}

// scoreForm is score for a term of one form.
func (s *search) scoreForm(c *termCursor, w *window, base, end uint32, norm *norm) (lo, hi uint32) {
	f := &c.forms[0]
	lo, hi = f.doc, base
	for f.doc < end {
		doc := f.doc
		hi = doc + 1
		if tf := f.take(&s.tfs, &s.params.Weights); tf > 0 {
			w.accumulators[(doc-base)%windowSize].add(c, tf, norm.of(doc))
		}
	}
	return lo, hi
}

// add gives the document what a term of the weighted frequency tf is worth in it.
func (a *accumulator) add(c *termCursor, tf, norm float64) {
	a.score += c.gain * tf / (tf + norm)
	a.matched |= c.bit
}

// A norm is the length normalisation of a view's documents: k1 · (1 - b + b · len / avglen).
type norm struct {
	fixed, perLength float64
	lengths          []float64
}

func (n *norm) of(doc uint32) float64 { return n.fixed + n.perLength*n.lengths[doc] }

// norm returns the length normalisation of view i.
func (s *search) norm(i int) *norm {
	n := &norm{fixed: s.params.K1 * (1 - s.params.B), lengths: s.views[i].Seg.weightedLengths(s.params.Weights)}
	if s.average > 0 {
		n.perLength = s.params.K1 * s.params.B / s.average
	}
	return n
}

// collect offers the touched documents to the best and clears their accumulators.
func (s *search) collect(view int, w *window, base, lo, hi uint32) {
	dead := s.views[view].Dead
	for doc := lo; doc < hi; doc++ {
		a := w.accumulators[doc-base]
		if a.matched == 0 {
			continue
		}
		w.accumulators[doc-base] = accumulator{}
		if a.score == 0 || a.matched&s.need != s.need || a.matched&s.unwant != 0 {
			continue
		}
		if isDead(dead, doc) || s.accept != nil && !s.accept(view, doc) {
			continue
		}
		s.total++
		if s.best.wants(a.score) {
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
