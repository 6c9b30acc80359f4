package assemble

import (
	"cmp"
	"slices"
)

// A choice fills a block, in order: the selection, what was found, its neighbours, memory, and the most telling lines of
// whatever is left. What then is left of the budget turns lines into blocks again.
type choice struct {
	gathered *gathering
	block    *block
	left     int // tokens
}

func (c *choice) choose() {
	top := 0.0
	for _, p := range c.gathered.parts {
		if p.role == roleFound {
			top = max(top, p.hit.Score)
		}
	}
	for _, p := range c.gathered.parts {
		if p.relevance = p.hit.Score + p.boost; top > 0 && p.role != roleSelected {
			p.relevance /= top
		}
	}
	waiting := c.takeBlocks(c.of(roleSelected), c.share(roleSelected), 0)
	found := c.of(roleFound)
	near := c.of(roleNeighbour)
	if c.gathered.plan.request.Select != nil { // what the selected code calls says more about it than what reads alike
		waiting = append(waiting, c.takeBlocks(near, c.share(roleNeighbour), 0)...)
		waiting = append(waiting, c.takeDiverse(found, c.share(roleFound), 0)...)
		c.takeMemory()
		waiting = c.takeLines(c.newFilesFirst(waiting), c.left)
	} else {
		both := min(c.left, c.share(roleFound)+c.share(roleNeighbour))
		waiting = c.takeDiverse(byRelevance(slices.Concat(found, near)), both, c.share(roleNeighbour))
		c.takeMemory()
		waiting = c.takeLines(c.newFilesFirst(waiting), int(linesShare*float64(c.left)))
	}
	c.open()
	waiting = c.takeBlocks(waiting, c.left, 0)
	c.takeLines(waiting, c.left)
}

// of returns the parts of a part that no other part has a place for.
func (c *choice) of(p role) []*part {
	var list []*part
	for _, q := range c.gathered.parts {
		if q.role == p && !(p == roleNeighbour && c.found(q)) {
			list = append(list, q)
		}
	}
	return list
}

// found reports whether a neighbour was found, too.
func (c *choice) found(n *part) bool {
	return slices.ContainsFunc(c.gathered.parts, func(p *part) bool { return p.role == roleFound && p.hit.ID == n.hit.ID })
}

// share is what a part may take of what is left.
func (c *choice) share(p role) int {
	return min(c.left, int(shares[p]*float64(c.gathered.plan.budget)))
}

func (c *choice) full() bool { return len(c.block.parts)+len(c.block.peeks) >= c.gathered.plan.k }

// takeBlocks takes parts in their order, at most limit tokens of them and each at most runes long; 0 is the usual cap. It
// returns those that it did not take.
func (c *choice) takeBlocks(list []*part, limit, runes int) (waiting []*part) {
	for _, p := range list {
		if cost, ok := c.takeBlock(p, limit, runes); ok {
			limit -= cost
		} else {
			waiting = append(waiting, p)
		}
	}
	return waiting
}

// takeBlock takes one part if it fits in limit tokens.
func (c *choice) takeBlock(p *part, limit, runes int) (cost int, ok bool) {
	if c.full() || limit < minBlock {
		return 0, false
	}
	p = c.unseen(p)
	switch {
	case len(p.shown) == 0:
		return 0, false
	case p.role != roleSelected && runes == 0:
		runes = maxSnippetRunes
	}
	if runes > 0 {
		p = p.within(runes, c.gathered.plan.asked)
	}
	if cost = c.block.cost(layout{parts: []*part{p}}); cost > limit && p.role == roleSelected {
		p, cost = c.cutTo(p, limit)
	}
	if cost > limit || len(p.shown) == 0 {
		return 0, false
	}
	c.block.parts = append(c.block.parts, p)
	c.left -= cost
	return cost, true
}

// cutTo cuts a selected part to as many tokens, at lines.
func (c *choice) cutTo(p *part, limit int) (*part, int) {
	low, high := 0, len(p.shown) // lines that fit, and that do not
	for low+1 < high {
		middle := (low + high) / 2
		if c.block.cost(layout{parts: []*part{p.with(p.shown[:middle])}}) <= limit {
			low = middle
		} else {
			high = middle
		}
	}
	p = p.with(p.shown[:low])
	return p, c.block.cost(layout{parts: []*part{p}})
}

// unseen leaves out the lines that blocks of the same file show already.
func (c *choice) unseen(p *part) *part {
	shown := p.shown
	for _, q := range c.block.parts {
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
func (c *choice) takeDiverse(list []*part, limit, graph int) (waiting []*part) {
	rest := slices.Clone(list)
	runes := int(min(maxSnippetRunes, max(8*minBlock, perBlock*float64(c.gathered.plan.budget)*runesPerToken)))
	refused := map[*part]bool{}
	for len(rest) > 0 && limit >= minBlock && !c.full() {
		best := c.mostDiverse(rest)
		p := rest[best]
		rest = slices.Delete(rest, best, best+1)
		room := limit
		if p.role == roleNeighbour {
			room = min(limit, graph)
		}
		cost, ok := c.takeBlock(p, room, runes)
		if !ok {
			refused[p] = true
			continue
		}
		limit -= cost
		if p.role == roleNeighbour {
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

// byRelevance sorts parts, the most relevant first.
func byRelevance(list []*part) []*part {
	slices.SortStableFunc(list, func(a, b *part) int { return cmp.Compare(b.relevance, a.relevance) })
	return list
}

// runesPerToken is about how many runes of code a token has.
const runesPerToken = 3.4

// mostDiverse returns the index of the part to take next.
func (c *choice) mostDiverse(rest []*part) int {
	best, most := 0, 0.0
	for i, p := range rest {
		nearest := 0.0
		for _, q := range c.block.parts {
			nearest = max(nearest, (p.similarity(q)-alike)/(1-alike))
		}
		if score := c.gathered.plan.lambda*p.relevance - (1-c.gathered.plan.lambda)*nearest; i == 0 || score > most {
			best, most = i, score
		}
	}
	return best
}

// takeLines shows parts by their most telling lines, at most limit tokens of them, and returns those that it had no room
// for.
func (c *choice) takeLines(list []*part, limit int) (waiting []*part) {
	for _, p := range list {
		q := c.unseen(p.peek(c.gathered.plan.asked))
		if len(q.shown) == 0 {
			continue // blocks show it
		}
		cost := c.block.cost(layout{peeks: []*part{q}})
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
	for _, r := range c.gathered.records {
		if cost := c.block.cost(layout{memory: []string{r}}); cost <= c.left/2 {
			c.block.memory, c.left = append(c.block.memory, r), c.left-cost
		}
	}
}

// newFilesFirst sorts parts of files of which nothing is shown before the others.
func (c *choice) newFilesFirst(list []*part) []*part {
	turn := func(p *part) int {
		n := 0
		for _, q := range slices.Concat(c.block.parts, c.block.peeks) {
			if q.hit.Abs == p.hit.Abs {
				n = 1
			}
		}
		return n
	}
	turns := map[*part]int{}
	seen := map[string]int{}
	for _, p := range list {
		turns[p] = turn(p) + seen[p.hit.Abs]
		seen[p.hit.Abs]++
	}
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(a, b *part) int { return cmp.Compare(turns[a], turns[b]) })
	return sorted
}

// open makes blocks of lines while there is room.
func (c *choice) open() {
	for i := 0; i < len(c.block.peeks); {
		peek := c.block.peeks[i]
		at := slices.IndexFunc(c.gathered.parts, func(p *part) bool { return p.hit.ID == peek.hit.ID && p.role == peek.role })
		had := c.block.cost(layout{peeks: []*part{peek}})
		c.block.peeks = slices.Delete(c.block.peeks, i, i+1)
		c.left += had
		if _, ok := c.takeBlock(c.gathered.parts[at], c.left, 0); !ok {
			c.block.peeks = slices.Insert(c.block.peeks, i, peek)
			c.left -= had
			i++
		}
	}
}
