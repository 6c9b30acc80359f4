package lexical

import "slices"

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
	heap  []candidate
}

// wants reports whether a candidate with the score would be kept.
func (k *topK) wants(score float64) bool {
	return len(k.heap) < k.limit || score > k.heap[0].score
}

// add keeps the candidate, which wants wanted, and drops the worst when there are too many.
func (k *topK) add(c candidate) {
	if len(k.heap) < k.limit {
		if k.heap == nil {
			k.heap = make([]candidate, 0, min(k.limit, firstRoom))
		}
		k.heap = append(k.heap, c)
		k.up(len(k.heap) - 1)
		return
	}
	k.heap[0] = c
	k.down()
}

const firstRoom = 512

// up moves a candidate to the top as long as it is worse than the one above it.
func (k *topK) up(i int) {
	for i > 0 {
		above := (i - 1) / 2
		if !k.heap[above].better(k.heap[i]) {
			return
		}
		k.heap[i], k.heap[above] = k.heap[above], k.heap[i]
		i = above
	}
}

// down moves the top candidate away from there as long as one of the two below it is worse.
func (k *topK) down() {
	for i := 0; ; {
		worst := i
		for below := 2*i + 1; below <= 2*i+2 && below < len(k.heap); below++ {
			if k.heap[worst].better(k.heap[below]) {
				worst = below
			}
		}
		if worst == i {
			return
		}
		k.heap[i], k.heap[worst] = k.heap[worst], k.heap[i]
		i = worst
	}
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
