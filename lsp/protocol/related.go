package protocol

import (
	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// RelatedParams are the parameters of aurora/related.
type RelatedParams struct {
	TextDocument *Document `json:"textDocument"`
	Position     *Position `json:"position"`
	Direction    string    `json:"direction,omitempty"` // callers (default), callees, imports, importers, supertypes, subtypes, tests, cochanged, all
	Depth        int       `json:"depth,omitempty"`     // 1 (default) to 3: neighbours of neighbours, for callers, callees and types
	Limit        int       `json:"limit,omitempty"`
}

// RelatedResult is the result of aurora/related.
type RelatedResult struct {
	Edges []Edge   `json:"edges"`
	Notes []string `json:"notes"`
}

// An Edge joins a symbol with a piece of code.
type Edge struct {
	From       string  `json:"from"` // id of a piece of code, path of a file, or a name that is defined elsewhere
	To         Hit     `json:"to"`
	Kind       string  `json:"kind"`       // caller, callee, import, importer, supertype, subtype, test, tested, cochanged, similar
	Weight     float64 `json:"weight"`     // 0..1: how near the neighbour is
	Confidence float64 `json:"confidence"` // 0..1: how sure it is that the name means this
	Why        string  `json:"why"`        // what speaks for it
}

// FromRelatedResult converts a result.
func FromRelatedResult(r *engine.RelatedResult, enc text.Encoding) *RelatedResult {
	edges := make([]Edge, len(r.Edges))
	for i, e := range r.Edges {
		edges[i] = Edge{
			From: e.From, To: FromHit(e.To, enc), Kind: e.Kind, Weight: finite(e.Weight), Confidence: finite(e.Confidence), Why: e.Why,
		}
	}
	return &RelatedResult{Edges: edges, Notes: list(r.Notes)}
}
