package engine

import (
	"cmp"
	"slices"
)

// A choice fills a block, in order: the selection, what was found, its neighbours, memory, and the most telling lines of
// whatever is left. What then is left of the budget turns lines into blocks again.
type choice struct {
	*gathering
	block *block
	left  int // tokens
}

func (c *choice) choose() {
	top := 0.0
	for _, p := range c.pieces {
		if p.part == partFound {
			top = max(top, p.hit.Score)
		}
	}
	for _, p := range c.pieces {
		if p.relevance = p.hit.Score + p.boost; top > 0 && p.part != partSelected {
			p.relevance /= top
		}
	}
	waiting := c.takeBlocks(c.of(partSelected), c.share(partSelected), 0)
	found := c.of(partFound)
	near := c.of(partNeighbour)
	if c.plan.request.Select != nil { // what the selected code calls says more about it than what reads alike
		waiting = append(waiting, c.takeBlocks(near, c.share(partNeighbour), 0)...)
		waiting = append(waiting, c.takeDiverse(found, c.share(partFound), 0)...)
		c.takeMemory()
		waiting = c.takeLines(c.newFilesFirst(waiting), c.left)
	} else {
		both := min(c.left, c.share(partFound)+c.share(partNeighbour))
		waiting = c.takeDiverse(byRelevance(slices.Concat(found, near)), both, c.share(partNeighbour))
		c.takeMemory()
		waiting = c.takeLines(c.newFilesFirst(waiting), int(linesShare*float64(c.left)))
	}
	c.open()
	waiting = c.takeBlocks(waiting, c.left, 0)
	c.takeLines(waiting, c.left)
}

// of returns the pieces of a part that no other part has a place for.
func (c *choice) of(p part) []*piece {
	var list []*piece
	for _, q := range c.pieces {
		if q.part == p && !(p == partNeighbour && c.found(q)) {
			list = append(list, q)
		}
	}
	return list
}

// found reports whether a neighbour was found, too.
func (c *choice) found(n *piece) bool {
	return slices.ContainsFunc(c.pieces, func(p *piece) bool { return p.part == partFound && p.hit.ID == n.hit.ID })
}

// share is what a part may take of what is left.
func (c *choice) share(p part) int { return min(c.left, int(shares[p]*float64(c.plan.budget))) }

func (c *choice) full() bool { return len(c.block.pieces)+len(c.block.peeks) >= c.plan.k }

// takeBlocks takes pieces in their order, at most limit tokens of them and each at most runes long; 0 is the usual cap. It
// returns those that it did not take.
func (c *choice) takeBlocks(list []*piece, limit, runes int) (waiting []*piece) {
	for _, p := range list {
		if cost, ok := c.takeBlock(p, limit, runes); ok {
			limit -= cost
		} else {
			waiting = append(waiting, p)
		}
	}
	return waiting
}

// takeBlock takes one piece if it fits in limit tokens.
func (c *choice) takeBlock(p *piece, limit, runes int) (cost int, ok bool) {
	if c.full() || limit < minBlock {
		return 0, false
	}
	p = c.unseen(p)
	switch {
	case len(p.shown) == 0:
		return 0, false
	case p.part != partSelected && runes == 0:
		runes = maxSnippetRunes
	}
	if runes > 0 {
		p = p.within(runes, c.plan.asked)
	}
	if cost = c.block.cost(parts{pieces: []*piece{p}}); cost > limit && p.part == partSelected {
		p, cost = c.cutTo(p, limit)
	}
	if cost > limit || len(p.shown) == 0 {
		return 0, false
	}
	c.block.pieces = append(c.block.pieces, p)
	c.left -= cost
	return cost, true
}

// cutTo cuts a selected piece to as many tokens, at lines.
func (c *choice) cutTo(p *piece, limit int) (*piece, int) {
	low, high := 0, len(p.shown) // lines that fit, and that do not
	for low+1 < high {
		middle := (low + high) / 2
		if c.block.cost(parts{pieces: []*piece{p.with(p.shown[:middle])}}) <= limit {
			low = middle
		} else {
			high = middle
		}
	}
	p = p.with(p.shown[:low])
	return p, c.block.cost(parts{pieces: []*piece{p}})
}

// unseen leaves out the lines that blocks of the same file show already.
func (c *choice) unseen(p *piece) *piece {
	shown := p.shown
	for _, q := range c.block.pieces {
		if !q.overlaps(p) {
			continue
		}
		taken := map[int]bool{}
		for _, i := range q.shown {
			taken[q.first+i] = true
		}
		shown = slices.DeleteFunc(slices.Clone(shown), func(i int) bool { return taken[p.first+i] })
	}
	if len(shown) == len(p.shown) {
		return p
	}
	if 2*len(shown) < len(p.shown) { // the rest says little
		return p.with(nil)
	}
	return p.with(shown)
}

// takeDiverse takes blocks by maximal marginal relevance (Carbonell and Goldstein 1998): the best first, then each time
// the one with the most of lambda x relevance - (1 - lambda) x likeness to the nearest one that was taken. At most graph of
// the limit's tokens go to neighbours. It returns the others in the order in which they came.
func (c *choice) takeDiverse(list []*piece, limit, graph int) (waiting []*piece) {
	rest := slices.Clone(list)
	runes := int(min(maxSnippetRunes, max(8*minBlock, perBlock*float64(c.plan.budget)*runesPerToken)))
	refused := map[*piece]bool{}
	for len(rest) > 0 && limit >= minBlock && !c.full() {
		best := c.mostDiverse(rest)
		p := rest[best]
		rest = slices.Delete(rest, best, best+1)
		room := limit
		if p.part == partNeighbour {
			room = min(limit, graph)
		}
		cost, ok := c.takeBlock(p, room, runes)
		if !ok {
			refused[p] = true
			continue
		}
		limit -= cost
		if p.part == partNeighbour {
			graph -= cost
		}
	}
	for _, p := range list {
		if refused[p] || slices.Contains(rest, p) {
			waiting = append(waiting, p)
		}
	}
	return waiting
}

// alike is the cosine, or the share of words, from which on two blocks say the same: what belongs to one task reads alike
// without repeating itself.
const alike = 0.8

// byRelevance sorts pieces, the most relevant first.
func byRelevance(list []*piece) []*piece {
	slices.SortStableFunc(list, func(a, b *piece) int { return cmp.Compare(b.relevance, a.relevance) })
	return list
}

// runesPerToken is about how many runes of code a token has.
const runesPerToken = 3.4

// mostDiverse returns the index of the piece to take next.
func (c *choice) mostDiverse(rest []*piece) int {
	best, most := 0, 0.0
	for i, p := range rest {
		nearest := 0.0
		for _, q := range c.block.pieces {
			nearest = max(nearest, (p.similarity(q)-alike)/(1-alike))
		}
		if score := c.plan.lambda*p.relevance - (1-c.plan.lambda)*nearest; i == 0 || score > most {
			best, most = i, score
		}
	}
	return best
}

// takeLines shows pieces by their most telling lines, at most limit tokens of them, and returns those that it had no room
// for.
func (c *choice) takeLines(list []*piece, limit int) (waiting []*piece) {
	for _, p := range list {
		q := c.unseen(p.peek(c.plan.asked))
		if len(q.shown) == 0 {
			continue // blocks show it
		}
		cost := c.block.cost(parts{peeks: []*piece{q}})
		if c.full() || cost > min(limit, c.left) {
			waiting = append(waiting, p)
			continue
		}
		c.block.peeks = append(c.block.peeks, q)
		limit, c.left = limit-cost, c.left-cost
	}
	return waiting
}

// takeMemory takes records, each at most half of what is left.
func (c *choice) takeMemory() {
	for _, r := range c.records {
		if cost := c.block.cost(parts{memory: []string{r}}); cost <= c.left/2 {
			c.block.memory, c.left = append(c.block.memory, r), c.left-cost
		}
	}
}

// newFilesFirst sorts pieces of files of which nothing is shown before the others.
func (c *choice) newFilesFirst(list []*piece) []*piece {
	turn := func(p *piece) int {
		n := 0
		for _, q := range slices.Concat(c.block.pieces, c.block.peeks) {
			if q.hit.Abs == p.hit.Abs {
				n = 1
			}
		}
		return n
	}
	turns := map[*piece]int{}
	seen := map[string]int{}
	for _, p := range list {
		turns[p] = turn(p) + seen[p.hit.Abs]
		seen[p.hit.Abs]++
	}
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(a, b *piece) int { return cmp.Compare(turns[a], turns[b]) })
	return sorted
}

// open makes blocks of lines while there is room.
func (c *choice) open() {
	for i := 0; i < len(c.block.peeks); {
		peek := c.block.peeks[i]
		at := slices.IndexFunc(c.pieces, func(p *piece) bool { return p.hit.ID == peek.hit.ID && p.part == peek.part })
		had := c.block.cost(parts{peeks: []*piece{peek}})
		c.block.peeks = slices.Delete(c.block.peeks, i, i+1)
		c.left += had
		if _, ok := c.takeBlock(c.pieces[at], c.left, 0); !ok {
			c.block.peeks = slices.Insert(c.block.peeks, i, peek)
			c.left -= had
			i++
		}
	}
}
