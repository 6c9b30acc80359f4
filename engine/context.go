package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/memory"
)

const (
	defaultBudget = 4000 // tokens
	maxBudget     = 1_000_000
	defaultK      = 10
	maxK          = 100

	// maxSnippetRunes caps one snippet that the person did not select (BGT-005).
	maxSnippetRunes = 2000

	maxOwnChunks      = 8
	maxContextRecords = 5
)

// Context assembles prompt-ready context within a budget of tokens: the selected code first, then the definitions it
// calls, its callers, what a search for the query or goal finds, and what is remembered about it. Tokens.Total is
// measured on the final text and never exceeds the budget.
//
// It fails with Invalid on a budget, format or k out of range, and when there is neither a query, a goal nor a
// selection.
func (e *Engine) Context(ctx context.Context, r ContextRequest) (*ContextResult, error) {
	start := time.Now()
	result, err := e.assemble(ctx, r)
	if ctx.Err() == nil {
		var hits []Hit
		tokens := 0
		if err == nil {
			hits, tokens = result.Snippets, result.Tokens.Total
		}
		e.meter.retrieved(memory.OpContext, r.Agent, hits, tokens, time.Since(start), err)
	}
	return result, err
}

func (e *Engine) assemble(ctx context.Context, r ContextRequest) (*ContextResult, error) {
	plan, err := newContextPlan(r)
	if err != nil {
		return nil, err
	}
	g := &gathering{engine: e, plan: plan, snap: e.opts.Index.Snapshot(), shelf: e.newShelf()}
	if err := g.gather(ctx); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, n := range e.indexNotes(g.snap) {
		g.note(n)
	}
	return g.fit()
}

// A contextPlan is a checked ContextRequest.
type contextPlan struct {
	request ContextRequest
	query   string // what to search for
	goal    string // what the context is for, as the reader sees it
	budget  int
	k       int
	render  renderer
}

func newContextPlan(r ContextRequest) (*contextPlan, error) {
	render, err := rendererOf(r.Format)
	if err != nil {
		return nil, err
	}
	switch {
	case r.BudgetTokens < 0 || r.BudgetTokens > maxBudget:
		return nil, &Error{
			Kind: Invalid, Message: fmt.Sprintf("budgetTokens must lie between 1 and %d, got %d", maxBudget, r.BudgetTokens),
			Detail: "budgetTokens", Remedy: fmt.Sprintf("Leave it out for %d tokens.", defaultBudget),
		}
	case r.K < 0 || r.K > maxK:
		return nil, &Error{Kind: Invalid, Message: fmt.Sprintf("k must lie between 1 and %d, got %d", maxK, r.K), Detail: "k"}
	case r.Query == "" && r.Goal == "" && r.Select == nil:
		return nil, &Error{
			Kind: Invalid, Message: "context needs a query, a goal or a selection", Detail: "query",
			Remedy: "Say what the context is for, or select some code.",
		}
	}
	return &contextPlan{
		request: r, query: cmp.Or(r.Query, r.Goal), goal: cmp.Or(r.Goal, r.Query), render: render,
		budget: cmp.Or(r.BudgetTokens, defaultBudget), k: cmp.Or(r.K, defaultK),
	}, nil
}

// A piece is a snippet that may become part of the context.
type piece struct {
	hit   Hit
	part  part
	text  string
	first int // lines, zero-based, both inclusive
	last  int
}

// A part is what a piece is there for, in the order of places; each has its share of the budget (BGT-002).
type part int

const (
	partSelected part = iota
	partNeighbour
	partFound
)

// gathering is one run of Context: pieces in the order in which they deserve a place.
type gathering struct {
	engine *Engine
	plan   *contextPlan
	snap   *index.Snapshot
	shelf  *bookshelf

	pieces  []*piece
	records []string
	notes   []string
}

func (g *gathering) note(n string) {
	if n != "" && !slices.Contains(g.notes, n) {
		g.notes = append(g.notes, n)
	}
}

func (g *gathering) gather(ctx context.Context) error {
	var own []Hit
	if s := g.plan.request.Select; s != nil {
		hits, err := g.addSelection(*s)
		if err != nil {
			return err
		}
		own = hits
	}
	if g.plan.query != "" {
		if err := g.addFound(ctx); err != nil {
			return err
		}
	}
	g.addCiting(ctx, own)
	slices.SortStableFunc(g.pieces, func(a, b *piece) int { return cmp.Compare(a.part, b.part) })
	return nil
}

// addSelection adds the chunks of the selection, what they call and who calls them.
func (g *gathering) addSelection(s Selection) ([]Hit, error) {
	doc, ok := g.shelf.at(g.snap, s.Path)
	if !ok {
		return nil, g.engine.notIndexed(s.Path)
	}
	s = s.within(len(doc.text))
	refs := chunksOf(doc, s)
	if len(refs) == 0 {
		g.addPlainText(doc, s)
		return nil, nil
	}
	var own []Hit
	for _, ref := range refs {
		hit := newHit(doc, ref)
		hit.Explanation = "the selected code"
		hit.setScore(1, nil)
		own = append(own, hit)
		g.add(hit, partSelected)
	}
	for _, ref := range refs {
		g.addNeighbours(calleesOf(g.snap, doc, ref), "called by "+ref.Chunk().Name, 0.8)
	}
	for _, ref := range refs {
		if isDefinition(ref) {
			g.addNeighbours(nearest(g.snap.Callers(ref.Chunk().Name, maxCounted), doc.file), "calls "+ref.Chunk().Name, 0.7)
		}
	}
	return own, nil
}

// chunksOf returns the chunk around the cursor, or those that a selection touches; a chunk inside another one that is
// taken is left out.
func chunksOf(doc *document, s Selection) []index.Ref {
	around, ok := chunkAround(doc, s)
	if ok && (s.empty() || around.Chunk().Span.Start <= s.Start && s.End <= around.Chunk().Span.End) {
		return []index.Ref{around}
	}
	var refs []index.Ref
	end := 0
	for i := range doc.file.Chunks {
		span := doc.file.Chunks[i].Span
		if span.Start < s.End && span.End > s.Start && span.Start >= end && len(refs) < maxOwnChunks {
			refs, end = append(refs, index.Ref{File: doc.file, Index: i}), span.End
		}
	}
	return refs
}

// addPlainText adds the selected lines of a file without chunks.
func (g *gathering) addPlainText(doc *document, s Selection) {
	first, last := doc.lines.Line(s.Start), doc.lines.Line(s.End)
	if s.empty() {
		first, last = max(0, first-20), last+20
	}
	start, end := doc.lines.Start(first), doc.lines.End(min(last, doc.lines.Count()-1))
	hit := Hit{
		Type: "code", Name: fmt.Sprintf("%s:%d", baseName(doc.file.Path), first+1), Path: doc.file.Path, Abs: doc.file.Abs,
		Language: doc.file.Language, Text: doc.excerpt(start, end), Source: "overlay", Explanation: "the selected text",
	}
	hit.Range = doc.rangeOf(spanOf(start, end))
	hit.Tokens = estimateTokens(hit.Text)
	hit.setScore(1, nil)
	g.add(hit, partSelected)
}

func (g *gathering) addNeighbours(refs []index.Ref, why string, score float64) {
	for i, ref := range refs {
		if i == g.plan.k {
			return
		}
		doc, fresh, ok := g.shelf.open(ref)
		if !ok {
			continue
		}
		hit := newHit(doc, fresh)
		hit.Explanation = why
		hit.setScore(score/(1+0.05*float64(i)), nil)
		g.add(hit, partNeighbour)
	}
}

// addFound adds what a search finds. Memory records go to their own place.
func (g *gathering) addFound(ctx context.Context) error {
	result, err := g.engine.search(ctx, SearchRequest{Query: g.plan.query, Limit: 2 * g.plan.k, Scope: g.plan.request.Scope})
	if err != nil {
		return err
	}
	for _, hit := range result.Hits {
		if hit.Source == "memory" {
			g.addRecord(hit.Text)
		} else {
			g.add(hit, partFound)
		}
	}
	if len(result.Hits) == 0 {
		for _, n := range result.Notes {
			g.note(n)
		}
	}
	return nil
}

// addCiting adds the records about the selection.
func (g *gathering) addCiting(ctx context.Context, own []Hit) {
	for _, hit := range own {
		records, err := g.engine.citing(ctx, hit, []string{hit.ID})
		if err != nil {
			g.note("memory was not asked: " + err.Error())
			return
		}
		for _, r := range records {
			g.addRecord(recordHit(&r).Text)
		}
	}
}

func (g *gathering) addRecord(content string) {
	if len(g.records) < maxContextRecords && !slices.Contains(g.records, content) {
		g.records = append(g.records, content)
	}
}

// add makes a hit a piece unless a piece of its file overlaps it (BGT-025).
func (g *gathering) add(h Hit, p part) {
	next := &piece{hit: h, part: p, text: h.Text, first: h.Range.Start.Line, last: h.Range.End.Line}
	if h.Range.End.Byte == 0 && next.last > next.first {
		next.last--
	}
	for _, old := range g.pieces {
		if old.hit.Abs == h.Abs && next.first <= old.last && old.first <= next.last {
			return
		}
	}
	if p != partSelected {
		next.text, _ = cutLines(next.text, maxSnippetRunes)
	}
	g.pieces = append(g.pieces, next)
}
