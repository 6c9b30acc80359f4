package lexical

import (
	"container/heap"
	"slices"
)

// A candidate is a scored document.
type candidate struct {
	score   float64
	matched uint64
	view    int
	doc     uint32
}

// better reports whether a comes before b in an answer.
func (a candidate) better(b candidate) bool {
	switch {
	case a.score != b.score:
		return a.score > b.score
	case a.view != b.view:
		return a.view < b.view
	}
	return a.doc < b.doc
}

// A topK keeps the best candidates; its heap has the worst of them on top. Candidates must arrive in ascending
// order of view and document, so that of equal scores the earlier one stays.
type topK struct {
	limit int
	heap  worstFirst
}

// wants reports whether a candidate with the score would be kept.
func (k *topK) wants(score float64) bool {
	return len(k.heap) < k.limit || score > k.heap[0].score
}

// add keeps the candidate, which wants wanted, and drops the worst when there are too many.
func (k *topK) add(c candidate) {
	if len(k.heap) < k.limit {
		heap.Push(&k.heap, c)
		return
	}
	k.heap[0] = c
	heap.Fix(&k.heap, 0)
}

// sorted returns what was kept, best first. The topK must not be used after it.
func (k *topK) sorted() []candidate {
	slices.SortFunc(k.heap, func(a, b candidate) int {
		if a.better(b) {
			return -1
		}
		return 1
	})
	return k.heap
}

// worstFirst implements container/heap.
type worstFirst []candidate

func (h worstFirst) Len() int           { return len(h) }
func (h worstFirst) Less(i, j int) bool { return h[j].better(h[i]) }
func (h worstFirst) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *worstFirst) Push(x any)        { *h = append(*h, x.(candidate)) }
func (h *worstFirst) Pop() any {
	last := len(*h) - 1
	c := (*h)[last]
	*h = (*h)[:last]
	return c
}
