package api

import (
	"context"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// SearchParams are the parameters of aurora/search.
type SearchParams struct {
	Query       string  `json:"query"`
	Limit       int     `json:"limit,omitempty"` // default 10
	Scope       *Scope  `json:"scope,omitempty"`
	MinScore    float64 `json:"minScore,omitempty"`
	RecencyBias float64 `json:"recencyBias,omitempty"` // as that of scope; the larger of them counts
	Dedupe      string  `json:"dedupe,omitempty"`      // contentHash
	Explain     bool    `json:"explain,omitempty"`
	Git         bool    `json:"git,omitempty"`      // fill in Hit.git
	Text        bool    `json:"text,omitempty"`     // fill in Hit.text
	Notes       bool    `json:"notes,omitempty"`    // fill in Hit.notes
	From        string  `json:"from,omitempty"`     // absolute path that the person is at: the search is confined to the project there, if there is one
	Unjudged    bool    `json:"unjudged,omitempty"` // hits even when none of them is plausible
	AtLeast     int     `json:"atLeast,omitempty"`  // of the best, marked as weak, when none of them is plausible

	Providers []string `json:"providers,omitempty"` // only what these propose: full_text, symbol, semantic, shared, git_history, dependency, memory
	Fusion    string   `json:"fusion,omitempty"`    // rules, rrf, weighted_average, cascade
}

// toEngine converts the parameters.
func (p *SearchParams) toEngine() engine.SearchRequest {
	scope := p.Scope.toEngine()
	scope.Team = true
	scope.RecencyBias = max(scope.RecencyBias, p.RecencyBias)
	return engine.SearchRequest{
		Query: p.Query, Limit: p.Limit, Scope: scope, MinScore: p.MinScore, Explain: p.Explain, Git: p.Git,
		Providers: p.Providers, Fusion: p.Fusion, Unjudged: p.Unjudged, AtLeast: p.AtLeast,
	}
}

// RecallAtLeast is AtLeast of those who recall.
const RecallAtLeast = 3

// SearchResult is the result of aurora/search.
type SearchResult struct {
	Hits       []Hit      `json:"hits"`
	Total      int        `json:"total"`
	Mode       string     `json:"mode"` // hybrid, keyword, semantic
	Confidence float64    `json:"confidence"`
	Notes      []string   `json:"notes"` // why hits is empty, or what is missing
	ElapsedMs  float64    `json:"elapsedMs"`
	Index      IndexState `json:"index"`
}

// IndexState tells which snapshot of the workspace an answer was taken from.
type IndexState struct {
	State    string   `json:"state"` // starting, indexing, ready, degraded
	Files    int      `json:"files"`
	Chunks   int      `json:"chunks"`
	Snapshot uint64   `json:"snapshot"`
	Pending  []string `json:"pending"`
	Embedder string   `json:"embedder,omitempty"`
}

// FromSearchResult converts a result.
func FromSearchResult(r *engine.SearchResult, enc text.Encoding) *SearchResult {
	return &SearchResult{
		Hits: FromHits(r.Hits, enc), Total: r.Total, Mode: r.Mode, Confidence: finite(r.Confidence),
		Notes: list(r.Notes), ElapsedMs: milliseconds(r.Elapsed), Index: fromIndexState(r.Index),
	}
}

func fromIndexState(s engine.IndexState) IndexState {
	return IndexState{
		State: string(s.State), Files: s.Files, Chunks: s.Chunks, Snapshot: s.Snapshot,
		Pending: list(s.Pending), Embedder: s.Embedder,
	}
}

// Search finds code and memory.
var Search = Define(Operation{
	Name: "search", Title: "Search", Doors: LSP | HTTP,
	Doc: "Find code, documents and memory by words, names or meaning.",
}, func(ctx context.Context, c *Call, p *SearchParams) (*SearchResult, error) {
	request := p.toEngine()
	request.Agent, request.From = c.Agent, c.from(p.From)
	found, err := c.Engine.Search(ctx, request)
	if err != nil {
		return nil, err
	}
	c.seen(found.Hits)
	result := FromSearchResult(found, c.encoding())
	if p.Text {
		addText(result.Hits, found.Hits)
	}
	if p.Notes {
		result.Notes = append(result.Notes, addNotes(ctx, c, result.Hits, found.Hits)...)
	}
	return result, nil
})
