package lexical

import (
	"math/bits"
	"sync"
)

// windowSize is how many documents are scored at a time: their accumulators stay in the first-level cache, and
// stretches that hold no posting are skipped.
const windowSize = 2048

// A window is what a run of documents holds of the query: the terms, and how often. Only those documents get a score that may be among
// the best.
type window struct {
	matched     [windowSize]uint64     // bit i: the query's term i; all zero between uses
	frequencies []*[windowSize]float64 // by term, weighted; of documents that matched it
}

var windows = sync.Pool{New: func() any { return new(window) }}

// grow makes room for a number of terms.
func (w *window) grow(terms int) {
	for len(w.frequencies) < terms {
		w.frequencies = append(w.frequencies, new([windowSize]float64))
	}
}

// A termCursor is the cursors of a term's forms.
type termCursor struct {
	forms []formCursor
	term  int
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

// scan goes through the documents of view i, window by window, term by term.
func (s *search) scan(i int, w *window) {
	v := s.views[i]
	cursors := s.cursors(i)
	if len(cursors) == 0 {
		return
	}
	w.grow(len(s.terms))
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
			l, h := s.match(&cursors[c], w, base, end)
			lo, hi = min(lo, l), max(hi, h)
		}
		s.collect(i, w, base, lo, hi, norm)
	}
}

// cursors returns one cursor per term that view i holds.
func (s *search) cursors(i int) []termCursor {
	var cursors []termCursor
	for t := range s.terms {
		c := termCursor{term: t}
		for _, form := range s.terms[t].forms {
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

// match notes how often the documents in [base, end) hold a term, and returns the stretch [lo, hi) of those that do.
func (s *search) match(c *termCursor, w *window, base, end uint32) (lo, hi uint32) {
	lo, hi = c.doc(), base
	for i := range c.forms {
		if f := &c.forms[i]; f.doc < end {
			hi = max(hi, s.matchForm(f, w.frequencies[c.term], &w.matched, uint64(1)<<c.term, base, end))
		}
	}
	return lo, hi
}

// matchForm is match for one form, and returns where it ends.
func (s *search) matchForm(f *formCursor, frequencies *[windowSize]float64, matched *[windowSize]uint64, bit uint64, base, end uint32) (hi uint32) {
	data, docs, pos, doc, weight := f.data, f.docs, f.pos, f.doc, f.weight
	for doc < end {
		at := (doc - base) % windowSize
		hi = doc + 1
		var tf float64
		if pos+1 < len(data) && data[pos] >= presence && data[pos+1] < 0x80 && data[pos+1] > 0 && doc+uint32(data[pos+1]) < docs { // see cursor.hop
			tf = weight * s.tfs[data[pos]]
			pos, doc = pos+2, doc+uint32(data[pos+1])
		} else {
			f.pos, f.doc = pos, doc
			tf = weight * f.take(&s.tfs, &s.params.Weights)
			pos, doc = f.pos, f.doc
		}
		if tf <= 0 {
			continue
		}
		if matched[at]&bit == 0 {
			matched[at] |= bit
			frequencies[at] = tf
		} else {
			frequencies[at] += tf
		}
	}
	f.pos, f.doc = pos, doc
	return hi
}

// score is that of a document of the window: what the terms that it holds add, in their order.
func (s *search) score(w *window, matched uint64, at uint32, norm float64) float64 {
	score := 0.0
	for ; matched != 0; matched &= matched - 1 {
		t := bits.TrailingZeros64(matched)
		tf := w.frequencies[t][at]
		score += s.terms[t].gain * tf / (tf + norm)
	}
	return score
}

// A bounds tells what the terms that a document holds can add to its score at most: by each byte of their bits.
type bounds [][256]float64

func boundsOf(terms []searchTerm) bounds {
	b := make(bounds, (len(terms)+7)/8)
	for t := range terms {
		for set := range 256 {
			if set&(1<<(t%8)) != 0 {
				b[t/8][set] += terms[t].gain
			}
		}
	}
	return b
}

// roundingUp is more than sums of scores lose by rounding.
const roundingUp = 1 + 1e-9

func (b bounds) of(matched uint64) float64 {
	sum := 0.0
	for i := range b {
		sum += b[i][byte(matched>>(8*i))]
	}
	return sum * roundingUp
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

// collect offers the documents that hold a term to the best, and clears what was noted of them.
func (s *search) collect(view int, w *window, base, lo, hi uint32, norm *norm) {
	dead := s.views[view].Dead
	for doc := lo; doc < hi; doc++ {
		at := (doc - base) % windowSize
		matched := w.matched[at]
		if matched == 0 {
			continue
		}
		w.matched[at] = 0
		if matched&s.counts == 0 || matched&s.need != s.need || matched&s.unwant != 0 {
			continue
		}
		if isDead(dead, doc) || s.accept != nil && !s.accept(view, doc) {
			continue
		}
		s.total++
		if !s.best.wants(s.bounds.of(matched)) {
			continue
		}
		if score := s.score(w, matched, at, norm.of(doc)); s.best.wants(score) {
			s.best.add(candidate{score: score, matched: matched, view: view, doc: doc})
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
