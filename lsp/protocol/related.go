package protocol

import (
	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// RelatedParams are the parameters of aurora/related.
type RelatedParams struct {
	TextDocument *Document `json:"textDocument"`
	Position     *Position `json:"position"`
	Direction    string    `json:"direction,omitempty"` // callers, callees, imports, cochanged, all
	Depth        int       `json:"depth,omitempty"`     // 1..3
	Limit        int       `json:"limit,omitempty"`
}

// RelatedResult is the result of aurora/related.
type RelatedResult struct {
	Edges []Edge   `json:"edges"`
	Notes []string `json:"notes"`
}

// An Edge joins a symbol with a piece of code.
type Edge struct {
	From   string  `json:"from"`
	To     Hit     `json:"to"`
	Kind   string  `json:"kind"`
	Weight float64 `json:"weight"`
}

// FromRelatedResult converts a result.
func FromRelatedResult(r *engine.RelatedResult, enc text.Encoding) *RelatedResult {
	edges := make([]Edge, len(r.Edges))
	for i, e := range r.Edges {
		edges[i] = Edge{From: r.From, To: FromHit(e.To, enc), Kind: e.Kind, Weight: finite(e.Weight)}
	}
	return &RelatedResult{Edges: edges, Notes: list(r.Notes)}
}
