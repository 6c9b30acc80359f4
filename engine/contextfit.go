package engine

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aurora-sidecar/aurora/index/chunk"
)

const (
	// headerTokens is about what a snippet's header costs; the exact cost is measured on the rendered text.
	headerTokens = 30

	// minPieceTokens is the least that a truncated snippet must keep to be worth a place.
	minPieceTokens = 24
)

// shares is the part of the budget that a sort of piece may take while others wait (BGT-002); the rest is given to
// whoever is left, in order.
var shares = map[part]float64{partSelected: 0.6, partNeighbour: 0.2, partFound: 0.5}

func spanOf(start, end int) chunk.Span { return chunk.Span{Start: start, End: end} }

// fit chooses what the budget allows, renders it, and cuts until the rendered text fits.
func (g *gathering) fit() (*ContextResult, error) {
	b := &block{goal: g.plan.goal, render: g.plan.render}
	if err := b.fitGoal(g.plan.budget); err != nil {
		return nil, err
	}
	if b.text == "" {
		g.note("the budget is too small for anything")
	}
	gathered := len(g.pieces) + len(g.records)
	if b.text != "" {
		g.choose(b)
		if err := b.shrink(g.plan.budget); err != nil {
			return nil, err
		}
	}
	result := &ContextResult{
		Text: b.text, BudgetTokens: g.plan.budget, Tokens: b.tokens(), Notes: g.notes,
		Omitted: gathered - len(b.pieces) - len(b.memory),
	}
	for _, p := range b.ordered() {
		result.Snippets = append(result.Snippets, p.hit)
	}
	return result, nil
}

// choose takes pieces in order while their share of the budget lasts, memory next, then whatever else fits.
func (g *gathering) choose(b *block) {
	left := g.plan.budget - estimateTokens(b.text)
	spent := map[part]int{}
	var waiting []*piece
	for _, p := range g.pieces {
		cost := estimateTokens(p.text) + headerTokens
		share := int(shares[p.part] * float64(g.plan.budget))
		switch {
		case len(b.pieces) == g.plan.k:
		case cost <= left && spent[p.part]+cost <= share:
			b.pieces, left, spent[p.part] = append(b.pieces, p), left-cost, spent[p.part]+cost
		default:
			waiting = append(waiting, p)
		}
	}
	for _, r := range g.records {
		if cost := estimateTokens(r) + 4; cost <= left {
			b.memory, left = append(b.memory, r), left-cost
		}
	}
	for _, p := range waiting {
		if len(b.pieces) == g.plan.k || left < minPieceTokens+headerTokens {
			return
		}
		cost := estimateTokens(p.text) + headerTokens
		if cost > left { // the first that does not fit is cut, and it is the last (C-125)
			if p.text, _ = cutLines(p.text, 4*(left-headerTokens)); p.text != "" {
				b.pieces = append(b.pieces, p)
			}
			return
		}
		b.pieces, left = append(b.pieces, p), left-cost
	}
}

// A block is context as it will be read.
type block struct {
	goal   string
	render renderer
	pieces []*piece // in the order in which they were chosen
	memory []string
	text   string
}

// fitGoal renders the block without snippets and shortens the goal until that fits; text stays "" when even the bare
// frame does not.
func (b *block) fitGoal(budget int) error {
	for {
		text, err := b.render(b.goal, nil, nil)
		if err != nil {
			return err
		}
		excess := estimateTokens(text) - budget
		if excess <= 0 {
			b.text = text
			return nil
		}
		if b.goal == "" {
			return nil
		}
		runes := []rune(b.goal)
		b.goal = string(runes[:max(0, len(runes)-4*excess)])
	}
}

// shrink renders and, while the text is too long, cuts the piece that was chosen last, then memory.
func (b *block) shrink(budget int) error {
	for {
		text, err := b.render(b.goal, b.ordered(), b.memory)
		if err != nil {
			return err
		}
		excess := estimateTokens(text) - budget
		if excess <= 0 {
			b.text = text
			return nil
		}
		b.cut(excess)
	}
}

// cut takes at least one line, snippet or record away; without any left, shrink's render is fitGoal's.
func (b *block) cut(excess int) {
	if len(b.pieces) == 0 {
		b.memory = b.memory[:max(0, len(b.memory)-1)]
		return
	}
	last := *b.pieces[len(b.pieces)-1]
	keep := utf8.RuneCountInString(last.text) - 4*excess
	text, cut := cutLines(last.text, keep)
	if !cut || estimateTokens(text) < minPieceTokens {
		b.pieces = b.pieces[:len(b.pieces)-1]
		return
	}
	last.text = text
	b.pieces[len(b.pieces)-1] = &last
}

// ordered groups the pieces by file, files by their best score, and sorts by score inside a file (C-126).
func (b *block) ordered() []*piece {
	best := map[string]float64{}
	for _, p := range b.pieces {
		best[p.hit.Abs] = max(best[p.hit.Abs], p.hit.Score)
	}
	list := slices.Clone(b.pieces)
	slices.SortStableFunc(list, func(x, y *piece) int {
		return cmp.Or(
			cmp.Compare(best[y.hit.Abs], best[x.hit.Abs]), strings.Compare(x.hit.Abs, y.hit.Abs),
			cmp.Compare(y.hit.Score, x.hit.Score), cmp.Compare(x.first, y.first),
		)
	})
	return list
}

// tokens says what the text's tokens were spent on.
func (b *block) tokens() ContextTokens {
	t := ContextTokens{Total: estimateTokens(b.text)}
	if t.Total == 0 {
		return t
	}
	t.Goal = estimateTokens(b.goal)
	for _, p := range b.pieces {
		if p.part == partNeighbour {
			t.Graph += estimateTokens(p.text)
		} else {
			t.Snippets += estimateTokens(p.text)
		}
	}
	for _, m := range b.memory {
		t.Memory += estimateTokens(m)
	}
	t.Overhead = max(0, t.Total-t.Goal-t.Snippets-t.Graph-t.Memory)
	return t
}

// cutMark ends a text that was cut.
const cutMark = "\n…"

// cutLines cuts s after a whole line to at most n runes, the mark included. A text whose first line is longer than
// that becomes "".
func cutLines(s string, n int) (text string, cut bool) {
	if utf8.RuneCountInString(s) <= n {
		return s, false
	}
	n -= utf8.RuneCountInString(cutMark)
	runes, end := 0, 0
	for line := range strings.Lines(s) {
		runes += utf8.RuneCountInString(line)
		if runes > n {
			break
		}
		end += len(line)
	}
	if end == 0 {
		return "", true
	}
	return strings.TrimRight(s[:end], "\r\n") + cutMark, true
}
