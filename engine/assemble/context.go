package assemble

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/aurora-sidecar/aurora/engine/assemble/tokens"
	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/engine/search"
	"github.com/aurora-sidecar/aurora/engine/search/querytext"
	"github.com/aurora-sidecar/aurora/engine/search/rank"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/index"
)

const (
	defaultBudget = 4000 // tokens
	maxBudget     = 1_000_000
	defaultK      = 12
	maxK          = 100
	tokensEach    = 100 // a larger budget shows more, and not the same
	searched      = 30  // hits that are looked at
	// defaultDiversity is 1 - lambda of MMR.
	defaultDiversity = 0.5

	// maxSnippetRunes caps one snippet that the person did not select.
	maxSnippetRunes = 2000

	maxConversationID = 200

	maxOwnChunks      = 8
	maxContextRecords = 5
)

func (e *Assembler) Assemble(ctx context.Context, r Request) (*Result, error) {
	plan, err := e.newContextPlan(r)
	if err != nil {
		return nil, err
	}
	g := &gathering{assembler: e, plan: plan, snap: e.Index.Snapshot(), docs: codebase.NewDocumentCache(e.Index)}
	if r.Select != nil {
		g.docs.Seeing(r.Select.Own)
	}
	if err := g.gather(ctx); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, n := range codebase.IndexNotes(e.Index, g.snap) {
		g.note(n)
	}
	return g.fit()
}

// A contextPlan is a checked ContextRequest.
type contextPlan struct {
	request Request
	query   string   // what to search for
	goal    string   // what the context is for, as the reader sees it
	asked   []string // tokens of the query and their other forms
	budget  int
	k       int     // most snippets
	lambda  float64 // of MMR: 1 is relevance alone
	render  renderer
	count   tokens.Counter
}

func (e *Assembler) newContextPlan(r Request) (*contextPlan, error) {
	render, err := rendererOf(r.Format)
	if err != nil {
		return nil, err
	}
	count, err := tokens.New(r.Tokens)
	if err != nil {
		return nil, &fault.Error{Kind: fault.Invalid, Message: err.Error(), Detail: "tokens"}
	}
	switch {
	case r.BudgetTokens < 0 || r.BudgetTokens > maxBudget:
		return nil, &fault.Error{
			Kind: fault.Invalid, Message: fmt.Sprintf("budgetTokens must lie between 1 and %d, got %d", maxBudget, r.BudgetTokens),
			Detail: "budgetTokens", Remedy: fmt.Sprintf("Leave it out for %d tokens.", cmp.Or(e.Searcher.Tuned().ContextTokens, defaultBudget)),
		}
	case r.K < 0 || r.K > maxK:
		return nil, &fault.Error{Kind: fault.Invalid, Message: fmt.Sprintf("k must lie between 1 and %d, got %d", maxK, r.K), Detail: "k"}
	case r.Diversity != nil && !(*r.Diversity >= 0 && *r.Diversity <= 1):
		return nil, &fault.Error{Kind: fault.Invalid, Message: fmt.Sprintf("diversity must lie between 0 and 1, got %v", *r.Diversity), Detail: "diversity"}
	case len(r.Conversation) > maxConversationID:
		return nil, &fault.Error{
			Kind: fault.Invalid, Message: fmt.Sprintf("conversationId has %d bytes, more than %d", len(r.Conversation), maxConversationID),
			Detail: "conversationId",
		}
	case r.Query == "" && r.Goal == "" && r.Select == nil:
		return nil, &fault.Error{
			Kind: fault.Invalid, Message: "context needs a query, a goal or a selection", Detail: "query",
			Remedy: "Say what the context is for, or select some code.",
		}
	}
	if r.Task != nil {
		if err := r.Task.check(); err != nil {
			return nil, err
		}
		if r.Task.rated() {
			r.BudgetTokens = cmp.Or(r.BudgetTokens, r.Task.Budget())
		}
	}
	plan := &contextPlan{
		request: r, query: cmp.Or(r.Query, r.Goal), goal: cmp.Or(r.Goal, r.Query), render: render, count: count,
		budget: cmp.Or(r.BudgetTokens, cmp.Or(e.Searcher.Tuned().ContextTokens, defaultBudget)), lambda: 1 - defaultDiversity,
	}
	plan.asked = askedTokens(plan.query)
	plan.k = cmp.Or(r.K, min(maxK, max(defaultK, plan.budget/tokensEach)))
	if r.Diversity != nil {
		plan.lambda = 1 - *r.Diversity
	}
	return plan, nil
}

// open is the path of the file that the context is for work on, "" when nothing is selected.
func (p *contextPlan) open() string {
	if p.request.Select == nil {
		return ""
	}
	return p.request.Select.Path
}

// askedTokens are the words of a query that say something, with the forms that stand for them.
func askedTokens(query string) []string {
	var asked []string
	q := querytext.Parse(query)
	for _, t := range rank.Terms(q, rank.Classify(q.Words)) {
		if t.Unwanted || rank.SoftWords[t.Token] {
			continue
		}
		asked = append(asked, t.Token)
		for _, f := range t.Forms {
			asked = append(asked, f.Token)
		}
	}
	return asked
}

// gathering is one run of Context: parts in the order in which they deserve a place.
type gathering struct {
	assembler *Assembler
	plan      *contextPlan
	snap      *index.Snapshot
	docs      *codebase.DocumentCache

	parts   []*part
	records []string
	sent    int // parts and records that the conversation has already
	notes   []string
}

func (g *gathering) note(n string) {
	if n != "" && !slices.Contains(g.notes, n) {
		g.notes = append(g.notes, n)
	}
}

func (g *gathering) gather(ctx context.Context) error {
	var own []snippet.Hit
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
	if g.plan.request.Select == nil {
		g.spread()
	}
	g.addCiting(ctx, own)
	slices.SortStableFunc(g.parts, func(a, b *part) int { return cmp.Compare(a.role, b.role) })
	return nil
}

// addSelection adds the chunks of the selection, what they call and who calls them.
func (g *gathering) addSelection(s codebase.Selection) ([]snippet.Hit, error) {
	doc, ok := g.docs.At(g.snap, s.Path)
	if !ok {
		return nil, codebase.NotIndexed(g.assembler.Index, s.Path)
	}
	s = s.Within(len(doc.Text))
	refs := chunksOf(doc, s)
	if len(refs) == 0 {
		g.addPlainText(doc, s)
		return nil, nil
	}
	var own []snippet.Hit
	for _, ref := range refs {
		hit := snippet.OfChunk(doc, ref)
		hit.Explanation, hit.Providers = "the selected code", []string{providerSelection}
		hit.SetScore(1, nil)
		own = append(own, hit)
		g.add(hit, roleSelected)
	}
	for _, ref := range refs {
		g.addNeighbours(codebase.CalleesOf(g.snap, ref), "called by "+ref.Chunk().Name, 0.8)
	}
	for _, ref := range refs {
		if codebase.IsDefinition(ref) {
			g.addNeighbours(codebase.Nearest(g.snap.Callers(ref.Chunk().Name, codebase.MaxCounted), doc.File), "calls "+ref.Chunk().Name, 0.7)
		}
	}
	return own, nil
}

// chunksOf returns the chunk around the cursor, or those that a selection touches; a chunk inside another one that is
// taken is left out.
func chunksOf(doc *codebase.Document, s codebase.Selection) []index.Ref {
	around, ok := codebase.ChunkAround(doc, s)
	if ok && (s.Empty() || around.Chunk().Span.Start <= s.Start && s.End <= around.Chunk().Span.End) {
		return []index.Ref{around}
	}
	var refs []index.Ref
	end := 0
	for i := range doc.File.Chunks {
		span := doc.File.Chunks[i].Span
		if span.Start < s.End && span.End > s.Start && span.Start >= end && len(refs) < maxOwnChunks {
			refs, end = append(refs, index.Ref{File: doc.File, Index: i}), span.End
		}
	}
	return refs
}

// addPlainText adds the selected lines of a file without chunks.
func (g *gathering) addPlainText(doc *codebase.Document, s codebase.Selection) {
	first, last := doc.Lines.Line(s.Start), doc.Lines.Line(s.End)
	if s.Empty() {
		first, last = max(0, first-20), last+20
	}
	start, end := doc.Lines.Start(first), doc.Lines.End(min(last, doc.Lines.Count()-1))
	hit := snippet.Hit{
		Type: "code", Source: "overlay",
		Symbol:    snippet.Symbol{Name: fmt.Sprintf("%s:%d", codebase.BaseName(doc.File.Path), first+1), Language: doc.File.Language},
		Location:  snippet.Location{Path: doc.File.Path, Abs: doc.File.Abs},
		Content:   snippet.Content{Text: doc.Excerpt(start, end)},
		Relevance: snippet.Relevance{Explanation: "the selected text", Providers: []string{providerSelection}},
	}
	hit.Range = doc.RangeOf(spanOf(start, end))
	hit.Tokens = snippet.EstimateTokens(hit.Text)
	hit.SetScore(1, nil)
	g.add(hit, roleSelected)
}

func (g *gathering) addNeighbours(refs []index.Ref, why string, score float64) {
	for i, ref := range refs {
		if i == g.plan.k {
			return
		}
		doc, fresh, ok := g.docs.Open(ref)
		if !ok {
			continue
		}
		hit := snippet.OfChunk(doc, fresh)
		hit.Explanation, hit.Providers = why, []string{providerDependency}
		hit.SetScore(score/(1+0.05*float64(i)), nil)
		g.add(hit, roleNeighbour)
	}
}

// addFound adds what a search finds. Memory records go to their own place.
func (g *gathering) addFound(ctx context.Context) error {
	result, err := g.assembler.Searcher.Search(ctx, search.Request{
		Query: g.plan.query, Limit: max(searched, 2*g.plan.k), Scope: g.plan.request.Scope, Deep: true, Open: g.plan.open(),
	})
	if err != nil {
		return err
	}
	var shown []snippet.Hit
	for _, hit := range result.Hits {
		switch {
		case hit.Source != "memory":
			shown = append(shown, hit)
			g.add(hit, roleFound)
		case !hit.Weak:
			g.addRecord(hit.Text)
		}
	}
	g.addAbout(ctx, shown[:min(len(shown), g.plan.k)])
	g.note(result.LeftOut)
	if len(result.Hits) == 0 {
		for _, n := range result.Notes {
			g.note(n)
		}
		if len(g.parts) == 0 {
			return g.addWeak(ctx)
		}
	}
	return nil
}

// weakHits is how much is shown of what is not plausible: enough for a second look, too little to mislead.
const weakHits = 5

// addWeak adds the nearest of what the search held back. A search may abstain, but anyone who asks for context goes on to
// read something.
func (g *gathering) addWeak(ctx context.Context) error {
	result, err := g.assembler.Searcher.Search(ctx, search.Request{Query: g.plan.query, Limit: weakHits, Scope: g.plan.request.Scope, Unjudged: true})
	if err != nil {
		return err
	}
	for _, hit := range result.Hits {
		if hit.Source == "memory" {
			g.addRecord(hit.Text)
		} else {
			hit.Explanation = "weak: " + hit.Explanation
			g.add(hit, roleFound)
		}
	}
	if len(result.Hits) > 0 {
		g.note("weak: what is shown is merely the nearest, and may have nothing to do with the task")
	}
	return nil
}

// addCiting adds the records about the selection.
func (g *gathering) addCiting(ctx context.Context, own []snippet.Hit) {
	for _, hit := range own {
		records, err := g.assembler.Records.Citing(ctx, hit, []string{hit.ID})
		if err != nil {
			g.note("memory was not asked: " + err.Error())
			return
		}
		for _, r := range records {
			g.addRecord(snippet.OfRecord(&r).Text)
		}
	}
}

// addAbout adds the records that cite the code that was found.
func (g *gathering) addAbout(ctx context.Context, found []snippet.Hit) {
	about, err := g.assembler.Records.About(ctx, found)
	if err != nil {
		g.note("memory was not asked: " + err.Error())
		return
	}
	for _, records := range about {
		for _, r := range records {
			g.addRecord(r.Text)
		}
	}
}

func (g *gathering) addRecord(content string) {
	if len(g.records) < maxContextRecords && !slices.Contains(g.records, content) {
		g.records = append(g.records, content)
	}
}

// add makes a hit a part unless one of its file that is sure of its place holds it.
func (g *gathering) add(h snippet.Hit, p role) {
	next := newPart(h, p)
	for _, old := range g.parts {
		if old.hit.ID == h.ID || p == roleNeighbour && old.role == roleSelected && old.overlaps(next) {
			return
		}
	}
	if ref, ok := g.snap.ByID(h.ID); ok {
		next.meaning = g.snap.DirectionOf(ref)
	}
	g.parts = append(g.parts, next)
}

// overlaps reports whether two parts have lines in common, shown or not.
func (p *part) overlaps(q *part) bool {
	return p.hit.Abs == q.hit.Abs && p.first < q.first+len(q.lines) && q.first < p.first+len(p.lines)
}
