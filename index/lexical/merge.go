package lexical

import (
	"bytes"
	"container/heap"
	"encoding/binary"
)

// Merge returns one segment of the live documents of all views, in order of view and document. remap tells where
// each went: remap[view][document] is its new number, -1 when it was dead.
func Merge(views []View) (seg *Segment, remap [][]int32) {
	remap = make([][]int32, len(views))
	var lengths []byte
	docs := uint32(0)
	for i, v := range views {
		if v.Seg != nil {
			v.Seg.Load()
		}
		remap[i] = make([]int32, v.docs())
		for doc := range remap[i] {
			if !v.Live(uint32(doc)) {
				remap[i][doc] = -1
				continue
			}
			remap[i][doc] = int32(docs)
			lengths = append(lengths, v.Seg.lengths[doc*lengthsPerDoc:(doc+1)*lengthsPerDoc]...)
			docs++
		}
	}
	words := mergeDictionaries(views, remap, func(s *Segment) *dictionary { return &s.words })
	calls := mergeDictionaries(views, remap, func(s *Segment) *dictionary { return &s.calls })
	return assemble(docs, lengths, words, calls), remap
}

// mergeDictionaries merges one namespace of the views.
func mergeDictionaries(views []View, remap [][]int32, of func(*Segment) *dictionary) *dictionaryWriter {
	w := &dictionaryWriter{}
	var postings []byte
	eachMergedTerm(views, of, func(term []byte, found []foundTerm) {
		postings = postings[:0]
		df, last := 0, int32(-1)
		for _, f := range found {
			c := newCursor(f.postings, uint32(len(remap[f.view])))
			for c.doc != exhausted {
				to := remap[f.view][c.doc]
				payload := c.next()
				if to < 0 || payload == nil {
					continue
				}
				postings = binary.AppendUvarint(postings, uint64(to-last))
				postings = append(postings, payload...)
				df, last = df+1, to
			}
		}
		if df > 0 {
			w.add(term, df, postings)
		}
	})
	return w
}

// A foundTerm is a term's entry in one view.
type foundTerm struct {
	view int
	entry
}

// eachMergedTerm walks the union of the views' terms, in byte order, and yields each with its entries in order of view.
func eachMergedTerm(views []View, of func(*Segment) *dictionary, yield func(term []byte, found []foundTerm)) {
	var walks termHeap
	for i, v := range views {
		if v.Seg == nil {
			continue
		}
		if w := (termWalk{of(v.Seg).seek(nil), i}); w.next() {
			walks = append(walks, w)
		}
	}
	heap.Init(&walks)
	var found []foundTerm
	var term []byte
	for len(walks) > 0 {
		term = append(term[:0], walks[0].term...)
		found = found[:0]
		for len(walks) > 0 && bytes.Equal(walks[0].term, term) {
			found = append(found, foundTerm{walks[0].view, walks[0].entry})
			if walks[0].next() {
				heap.Fix(&walks, 0)
			} else {
				heap.Pop(&walks)
			}
		}
		yield(term, found)
	}
}

// A termWalk is an iterator over the terms of one view.
type termWalk struct {
	*termIterator
	view int
}

// A termHeap orders walks by the term they stand on, then by view; see container/heap.
type termHeap []termWalk

func (h termHeap) Len() int      { return len(h) }
func (h termHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h termHeap) Less(i, j int) bool {
	if c := bytes.Compare(h[i].term, h[j].term); c != 0 {
		return c < 0
	}
	return h[i].view < h[j].view
}
func (h *termHeap) Push(x any) { *h = append(*h, x.(termWalk)) }
func (h *termHeap) Pop() any {
	last := len(*h) - 1
	w := (*h)[last]
	*h = (*h)[:last]
	return w
}
