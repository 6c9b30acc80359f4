package assemble

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/assemble/tokens"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/index/chunk"
)

// minBlock is the fewest tokens that a block of code is worth; what has less room is shown by its most telling lines.
const minBlock = 60

// shares is the part of the budget that a sort of part may take while others wait. Memory and the lines of
// further files get the rest.
var shares = map[role]float64{roleSelected: 0.6, roleNeighbour: 0.2, roleFound: 0.5}

// perBlock is the part of the budget that one found block may take, so that there are several.
const perBlock = 0.12

// linesShare is the part of what blocks and memory left that single lines may take for a task; the rest makes more blocks.
const linesShare = 0.5

func spanOf(start, end int) chunk.Span { return chunk.Span{Start: start, End: end} }

// fit chooses what the budget allows, renders it, and cuts until the rendered text fits.
func (g *gathering) fit() (*Result, error) {
	b := &block{goal: g.plan.goal, render: g.plan.render, count: g.plan.count}
	if err := b.fitGoal(g.plan.budget); err != nil {
		return nil, err
	}
	if b.text == "" {
		g.note("the budget is too small for anything")
	}
	g.dropSent()
	gathered := len(g.parts) + len(g.records)
	if b.text != "" {
		c := &choice{gathered: g, block: b, left: g.plan.budget - b.count(b.text)}
		c.choose()
		if err := b.shrink(g.plan.budget); err != nil {
			return nil, err
		}
		if err := b.grow(g.plan.budget); err != nil {
			return nil, err
		}
	}
	result := &Result{
		Text: b.text, BudgetTokens: g.plan.budget, Tokens: b.tokens(), Sent: g.sent, Excerpts: len(b.peeks),
		Omitted: gathered - len(b.parts) - len(b.peeks) - len(b.memory),
	}
	for _, p := range slices.Concat(byFile(b.parts), byFile(b.peeks)) {
		result.Snippets = append(result.Snippets, p.asSent(b.count))
	}
	result.Providers = byProvider(result.Snippets)
	if t := g.plan.request.Task; t != nil {
		result.TaskID = t.ID
	}
	g.remember(b)
	g.warn(result.Tokens.Total)
	result.Notes = g.notes
	return result, nil
}

// Who proposes what no search has found, beside the providers.
const (
	providerSelection  = "selection"
	providerDependency = "dependency"
)

// byProvider groups the ids of hits.
func byProvider(hits []snippet.Hit) map[string][]string {
	groups := map[string][]string{}
	for i := range hits {
		for _, p := range hits[i].Providers {
			if ids := groups[p]; !slices.Contains(ids, hits[i].ID) {
				groups[p] = append(ids, hits[i].ID)
			}
		}
	}
	return groups
}

// A block is context as it will be read.
type block struct {
	goal   string
	render renderer
	count  tokens.Counter
	parts  []*part // blocks of code, in the order in which they were chosen
	peeks  []*part // single lines, likewise
	memory []string
	text   string
}

// draw renders what was chosen so far.
func (b *block) draw() (string, error) {
	return b.render(layout{goal: b.goal, parts: byFile(b.parts), peeks: byFile(b.peeks), memory: b.memory})
}

// cost is about what a block of a part takes; what all of it takes is counted at the end.
func (b *block) cost(p layout) int {
	text, err := b.render(p)
	if err != nil {
		return 0
	}
	frame, err := b.render(layout{})
	if err != nil {
		return 0
	}
	return b.count(text) - b.count(frame)
}

// fitGoal renders the block without snippets and shortens the goal until that fits; text stays "" when even the bare
// frame does not.
func (b *block) fitGoal(budget int) error {
	for {
		text, err := b.draw()
		if err != nil {
			return err
		}
		excess := b.count(text) - budget
		if excess <= 0 {
			b.text = text
			return nil
		}
		if b.goal == "" {
			return nil
		}
		runes := []rune(b.goal)
		b.goal = string(runes[:max(0, len(runes)-max(1, 2*excess))])
	}
}

// shrink renders and, while the text is too long, cuts what was chosen last.
func (b *block) shrink(budget int) error {
	for {
		text, err := b.draw()
		if err != nil {
			return err
		}
		excess := b.count(text) - budget
		if excess <= 0 {
			b.text = text
			return nil
		}
		b.cut(excess)
	}
}

// minRoom is the fewest tokens that are worth another line.
const minRoom = 8

// grow gives the room that is left to the first block that was cut and may be longer: as many of its lines as fit, from
// the top.
func (b *block) grow(budget int) error {
	for at := range b.parts {
		if budget-b.count(b.text) < minRoom {
			return nil
		}
		old := b.parts[at]
		missing := b.missing(old)
		low, high := 0, len(missing)+1 // lines that fit, and that do not
		for low+1 < high {
			middle := (low + high) / 2
			b.parts[at] = old.with(sortedLines(setOf(old.shown, missing[:middle])))
			text, err := b.draw()
			if err != nil {
				return err
			}
			if b.count(text) <= budget {
				low, b.text = middle, text
			} else {
				high = middle
			}
		}
		b.parts[at] = old.with(sortedLines(setOf(old.shown, missing[:low])))
	}
	return nil
}

// missing are the lines of a block that no block shows, as far as its cap allows more.
func (b *block) missing(p *part) (lines []int) {
	if p.whole() {
		return nil
	}
	taken, runes := map[int]bool{}, 0
	for _, q := range b.parts {
		if q.hit.Abs != p.hit.Abs {
			continue
		}
		for _, i := range q.shown {
			taken[q.first+i] = true
		}
	}
	for _, i := range p.shown {
		runes += p.lineCost(i)
	}
	for i := range p.lines {
		if taken[p.first+i] {
			continue
		}
		if runes += p.lineCost(i); p.role != roleSelected && runes > maxSnippetRunes {
			break
		}
		lines = append(lines, i)
	}
	return lines
}

func setOf(lists ...[]int) map[int]bool {
	set := map[int]bool{}
	for _, list := range lists {
		for _, i := range list {
			set[i] = true
		}
	}
	return set
}

// cut takes at least one line, snippet or record away; without any left, draw's text is fitGoal's.
func (b *block) cut(excess int) {
	switch {
	case len(b.peeks) > 0:
		b.peeks = b.peeks[:len(b.peeks)-1]
	case len(b.parts) > 0:
		at := len(b.parts) - 1
		last := b.parts[at]
		lines, gone := 0, 0
		for i := len(last.shown) - 1; i > 0 && gone < excess; i-- {
			gone += b.count(last.lines[last.shown[i]] + "\n")
			lines++
		}
		short := last.shorter(max(1, lines))
		if b.count(short.text()) < minBlock/2 {
			b.parts = b.parts[:at]
			return
		}
		b.parts[at] = short
	default:
		b.memory = b.memory[:max(0, len(b.memory)-1)]
	}
}

// byFile groups parts by file, files by their best score, and sorts by score inside a file.
func byFile(parts []*part) []*part {
	best := map[string]float64{}
	for _, p := range parts {
		best[p.hit.Abs] = max(best[p.hit.Abs], p.hit.Score)
	}
	list := slices.Clone(parts)
	slices.SortStableFunc(list, func(x, y *part) int {
		return cmp.Or(
			cmp.Compare(best[y.hit.Abs], best[x.hit.Abs]), strings.Compare(x.hit.Abs, y.hit.Abs),
			cmp.Compare(y.hit.Score, x.hit.Score), cmp.Compare(x.first, y.first),
		)
	})
	return list
}

// tokens says what the text's tokens were spent on.
func (b *block) tokens() Tokens {
	t := Tokens{Total: b.count(b.text)}
	if t.Total == 0 {
		return t
	}
	t.Goal = b.count(b.goal)
	for _, p := range slices.Concat(b.parts, b.peeks) {
		if p.role == roleNeighbour {
			t.Graph += b.count(p.text())
		} else {
			t.Snippets += b.count(p.text())
		}
	}
	for _, m := range b.memory {
		t.Memory += b.count(m)
	}
	t.Overhead = max(0, t.Total-t.Goal-t.Snippets-t.Graph-t.Memory)
	return t
}
