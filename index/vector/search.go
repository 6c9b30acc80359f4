package vector

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
)

// A View is a segment with some of its documents deleted. Views are values: what a search has in hand never changes
// under it.
type View struct {
	Seg  *Segment
	Dead []uint64 // bitmap by document, nil or short means alive; must not change once a search may see it
}

func (v View) isDead(doc int) bool {
	return doc>>6 < len(v.Dead) && v.Dead[doc>>6]&(1<<(doc&63)) != 0
}

// live returns the number of documents that are not deleted.
func (v View) live() int {
	n := 0
	for doc := range v.Seg.docs {
		if !v.isDead(doc) {
			n++
		}
	}
	return n
}

// A Query asks for the documents nearest to a vector.
type Query struct {
	Vector []int8
	Space  string // the ID of the embedder that made Vector; views of another space are not searched
	Limit  int    // most results; 0 or less means 100
	// Accept drops documents before the cut; nil accepts all. It is only asked about live documents that have a vector, and
	// may be asked twice about the same one.
	Accept func(view int, doc uint32) bool
	Exact  bool // score every document, so that none is missed
}

// A Result is one document.
type Result struct {
	View  int // index into the views searched
	Doc   uint32
	Score float64 // cosine, -1 to 1
}

const (
	defaultLimit = 100

	// How many documents with the fewest differing signs are scored: enough that those which belong among the best hundred
	// are there (see TestPrefilterFindsNearlyAll), and few enough to cost less than the comparison of signs.
	candidatesPerResult = 20
	minCandidates       = 1000
)

// Search returns the best documents of all views, by descending cosine, then by view and document. skipped counts the
// documents of views in another space, and of those whose file can't be read any more: for them the caller has to make
// vectors first. A query without a vector finds nothing.
//
// Unless Exact is set, a document can be missed whose cosine is high although many of its signs differ. Documents that
// Accept drops do not take the place of others, however many there are.
func Search(views []View, q Query) (results []Result, skipped int) {
	for {
		var segments []*Segment
		s, skipped := prepare(views, q)
		for _, v := range s.views {
			segments = append(segments, v.Seg)
		}
		if guard(func() bool { results = s.run(); return !s.failed.Load() }, segments...) {
			return results, skipped
		} // now that the unreadable ones are known, search the others
	}
}

// prepare chooses the views to search.
func prepare(views []View, q Query) (s *search, skipped int) {
	s = &search{query: q, limit: q.Limit}
	if s.limit <= 0 {
		s.limit = defaultLimit
	}
	docs := 0
	for _, x := range q.Vector {
		s.norm += int64(x) * int64(x)
	}
	for i, v := range views {
		switch {
		case v.Seg == nil || v.Seg.docs == 0:
		case v.Seg.space != q.Space || v.Seg.dims != len(q.Vector) || v.Seg.Lost():
			skipped += v.Seg.docs
		default:
			s.views = append(s.views, numbered{v, i})
			docs += v.Seg.docs
		}
	}
	s.limit = min(s.limit, docs)
	return s, skipped
}

// run returns what is found.
func (s *search) run() []Result {
	if s.norm == 0 || len(s.views) == 0 {
		return nil
	}
	if s.query.Exact {
		s.exact()
	} else {
		s.filtered()
	}
	return s.best()
}

// A search is the state of one call of Search.
type search struct {
	query   Query
	limit   int
	norm    int64 // sum of the query's squares
	views   []numbered
	results []Result
	failed  atomic.Bool // a part of it could not read its vectors
}

// A numbered view knows its index among the views searched.
type numbered struct {
	View
	index int
}

// usable reports whether a document is live, has a vector and is accepted.
func (s *search) usable(v numbered, doc int) bool {
	return !v.isDead(doc) && v.Seg.norm(doc) != 0 && (s.query.Accept == nil || s.query.Accept(v.index, uint32(doc)))
}

// batchSize is how many documents are gathered before they are scored: a running cut keeps an exact search of a million
// documents small.
const batchSize = 4096

// add makes a document a result without a score, and scores what was gathered when that is much.
func (s *search) add(v numbered, doc int) {
	s.results = append(s.results, Result{View: v.index, Doc: uint32(doc), Score: unscored})
	if len(s.results) >= s.limit+batchSize {
		s.scoreAll()
		s.results = s.best()
	}
}

// unscored is less than any cosine.
const unscored = -2

// scoreAll gives a score to the results that have none.
func (s *search) scoreAll() {
	first := slices.IndexFunc(s.results, func(r Result) bool { return r.Score == unscored })
	if first < 0 {
		return
	}
	segments := make(map[int]*Segment, len(s.views))
	for _, v := range s.views {
		segments[v.index] = v.Seg
	}
	gathered := s.results[first:]
	s.split(len(gathered), scoresPerPart, func(from, to int) {
		view, seg := -1, (*Segment)(nil)
		for i := from; i < to; i++ {
			r := &gathered[i]
			if r.View != view {
				view, seg = r.View, segments[r.View]
			}
			doc := int(r.Doc)
			r.Score = float64(dot(s.query.Vector, seg.row(doc))) / math.Sqrt(float64(s.norm*int64(seg.norm(doc))))
		}
	})
}

// exact scores all documents.
func (s *search) exact() {
	for _, v := range s.views {
		for doc := range v.Seg.docs {
			if s.usable(v, doc) {
				s.add(v, doc)
			}
		}
	}
	s.scoreAll()
}

// filtered scores the documents with the fewest differing signs, and goes on to those with more until enough of them were
// usable.
func (s *search) filtered() {
	w := workspaces.Get().(*workspace)
	defer workspaces.Put(w)
	s.compare(w, signsOf(s.query.Vector))
	want := max(minCandidates, candidatesPerResult*s.limit)
	s.results = w.results[:0]
	for from := 0; from < len(w.counts) && want > 0; {
		to, number := from, 0
		for to < len(w.counts) && number < want {
			number += w.counts[to]
			to++
		}
		want -= s.addBetween(w, from, to)
		from = to
	}
	s.scoreAll()
	w.results = s.results
	s.results = slices.Clone(s.best())
}

// addBetween adds the usable documents with at least from and less than to differing signs, and returns their number.
func (s *search) addBetween(w *workspace, from, to int) int {
	added := 0
	distances := w.distances
	for _, v := range s.views {
		for doc, distance := range distances[:v.Seg.docs] {
			if int(distance) >= from && int(distance) < to && s.usable(v, doc) {
				s.add(v, doc)
				added++
			}
		}
		distances = distances[v.Seg.docs:]
	}
	return added
}

// best returns the best results in order.
func (s *search) best() []Result {
	slices.SortFunc(s.results, func(a, b Result) int {
		switch {
		case a.Score != b.Score && a.Score > b.Score:
			return -1
		case a.Score != b.Score:
			return 1
		case a.View != b.View:
			return a.View - b.View
		}
		return int(int64(a.Doc) - int64(b.Doc))
	})
	return s.results[:min(len(s.results), s.limit)]
}

// A workspace holds what the comparison of signs finds.
type workspace struct {
	results   []Result
	distances []uint16 // by document, one view after the other
	counts    []int    // documents by distance
}

var workspaces = sync.Pool{New: func() any { return new(workspace) }}

// compare counts the differing signs of every document.
func (s *search) compare(w *workspace, signs []uint64) {
	docs := 0
	for _, v := range s.views {
		docs += v.Seg.docs
	}
	w.distances = slices.Grow(w.distances[:0], docs)[:docs]
	w.counts = slices.Grow(w.counts[:0], 64*len(signs)+1)[:64*len(signs)+1]
	clear(w.counts)
	var mu sync.Mutex
	s.split(docs, signsPerPart, func(from, to int) {
		counts := make([]int, len(w.counts))
		s.compareRange(w.distances, signs, from, to)
		for _, d := range w.distances[from:to] {
			counts[d]++
		}
		mu.Lock()
		defer mu.Unlock()
		for d, n := range counts {
			w.counts[d] += n
		}
	})
}

// compareRange compares the documents from up to to, counted over all views.
func (s *search) compareRange(distances []uint16, signs []uint64, from, to int) {
	first := 0 // document of the view
	for _, v := range s.views {
		lo, hi := max(from-first, 0), min(to-first, v.Seg.docs)
		if lo < hi {
			rows := v.Seg.signs[8*v.Seg.words*lo : 8*v.Seg.words*hi]
			if len(signs) == 4 {
				compare256(distances[first+lo:first+hi], rows, [4]uint64(signs))
			} else {
				compareAny(distances[first+lo:first+hi], rows, signs)
			}
		}
		first += v.Seg.docs
	}
}

// compare256 is compareAny for 256 dimensions, three times as fast.
func compare256(distances []uint16, rows []byte, signs [4]uint64) {
	le := binary.LittleEndian
	for i := range distances {
		row := rows[32*i : 32*i+32 : 32*i+32]
		distances[i] = uint16(bits.OnesCount64(le.Uint64(row)^signs[0]) + bits.OnesCount64(le.Uint64(row[8:])^signs[1]) +
			bits.OnesCount64(le.Uint64(row[16:])^signs[2]) + bits.OnesCount64(le.Uint64(row[24:])^signs[3]))
	}
}

// compareAny sets the number of differing signs of each row.
func compareAny(distances []uint16, rows []byte, signs []uint64) {
	for i := range distances {
		n := 0
		for _, s := range signs {
			n += bits.OnesCount64(binary.LittleEndian.Uint64(rows) ^ s)
			rows = rows[8:]
		}
		distances[i] = uint16(n)
	}
}

// signsOf returns one bit per entry: whether it is above 0.
func signsOf(v []int8) []uint64 {
	signs := make([]uint64, (len(v)+63)/64)
	for i, x := range v {
		if x > 0 {
			signs[i/64] |= 1 << (i % 64)
		}
	}
	return signs
}

// dotPlain is dot in plain Go.
func dotPlain(v []int8, row []byte) int32 {
	var s0, s1, s2, s3 int32
	for len(v) >= 8 && len(row) >= 8 {
		a, b := v[:8:8], row[:8:8]
		s0 += int32(a[0])*int32(int8(b[0])) + int32(a[4])*int32(int8(b[4]))
		s1 += int32(a[1])*int32(int8(b[1])) + int32(a[5])*int32(int8(b[5]))
		s2 += int32(a[2])*int32(int8(b[2])) + int32(a[6])*int32(int8(b[6]))
		s3 += int32(a[3])*int32(int8(b[3])) + int32(a[7])*int32(int8(b[7]))
		v, row = v[8:], row[8:]
	}
	for i, x := range v {
		s0 += int32(x) * int32(int8(row[i]))
	}
	return s0 + s1 + s2 + s3
}
