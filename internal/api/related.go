package api

import (
	"context"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// RelatedParams are the parameters of aurora/related.
type RelatedParams struct {
	TextDocument *Document `json:"textDocument,omitempty"`
	Position     *Position `json:"position,omitempty"`
	Symbol       string    `json:"symbol,omitempty"`    // a name or a qualified name, in place of textDocument and position
	Line         int       `json:"line,omitempty"`      // one-based, in place of position
	Column       int       `json:"column,omitempty"`    // one-based, in bytes; 0 means the symbol that line defines or holds
	Direction    string    `json:"direction,omitempty"` // callers (default), callees, imports, importers, supertypes, subtypes, tests, cochanged, all
	Depth        int       `json:"depth,omitempty"`     // 1 (default) to 3: neighbours of neighbours, for callers, callees and types
	Limit        int       `json:"limit,omitempty"`
	Text         bool      `json:"text,omitempty"`  // fill in Hit.text
	Notes        bool      `json:"notes,omitempty"` // fill in Hit.notes
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
	Kind       string  `json:"kind"`         // caller, reference (hands a function over as a value), read and write (of what is no function), type (uses a type), callee, import, importer, supertype, subtype, test, tested, cochanged, similar
	Weight     float64 `json:"weight"`       // 0..1: how near the neighbour is
	Confidence float64 `json:"confidence"`   // 0..1: how sure it is that the name means this
	Why        string  `json:"why"`          // what speaks for it
	At         *Range  `json:"at,omitempty"` // of callers, other users and tests: the first place in to that uses the symbol
}

// FromRelatedResult converts a result.
func FromRelatedResult(r *engine.RelatedResult, enc text.Encoding) *RelatedResult {
	edges := make([]Edge, len(r.Edges))
	for i, e := range r.Edges {
		edges[i] = Edge{
			From: e.From, To: FromHit(e.To, enc), Kind: e.Kind, Weight: finite(e.Weight), Confidence: finite(e.Confidence), Why: e.Why, At: rangePtr(e.At, enc),
		}
	}
	return &RelatedResult{Edges: edges, Notes: list(r.Notes)}
}

// Related finds neighbours.
var Related = Define(Operation{
	Name: "related", Title: "Find related code", Doors: LSP | HTTP,
	Doc: "Tell who calls a symbol, what it calls, its imports, types and tests, and what changes together with it.",
}, func(ctx context.Context, c *Call, p *RelatedParams) (*RelatedResult, error) {
	request := engine.RelatedRequest{Direction: p.Direction, Depth: p.Depth, Limit: p.Limit, Line: p.Line, Column: p.Column}
	switch {
	case p.Symbol != "":
		request.Symbol, request.Place.Own = p.Symbol, c.own()
	case p.Line > 0 && p.TextDocument != nil:
		path, err := RequirePath(p.TextDocument.URI)
		if err != nil {
			return nil, err
		}
		request.Place = engine.Place{Path: path, Own: c.own()}
	default:
		place, err := c.place(p.TextDocument, p.Position)
		if err != nil {
			return nil, err
		}
		request.Place = place
	}
	found, err := c.Engine.Code().Related(ctx, request)
	if err != nil {
		return nil, err
	}
	result := FromRelatedResult(found, c.encoding())
	if p.Text || p.Notes {
		fillEdges(ctx, c, p, result, found)
	}
	return result, nil
})

// fillEdges adds to the ends of edges what only those want who show them at length.
func fillEdges(ctx context.Context, c *Call, p *RelatedParams, result *RelatedResult, found *engine.RelatedResult) {
	to, from := make([]Hit, len(found.Edges)), make([]engine.Hit, len(found.Edges))
	for i := range found.Edges {
		to[i], from[i] = result.Edges[i].To, found.Edges[i].To
	}
	if p.Text {
		addText(to, from)
	}
	if p.Notes {
		result.Notes = append(result.Notes, addNotes(ctx, c, to, from)...)
	}
	for i := range to {
		result.Edges[i].To = to[i]
	}
}

// LocateParams are the parameters of locate: a symbol, or lines of a file, or both.
type LocateParams struct {
	Path    string `json:"path,omitempty"`    // absolute, or relative to a workspace folder
	Line    int    `json:"line,omitempty"`    // first line, counted from one; 0 means the whole file
	EndLine int    `json:"endLine,omitempty"` // default: line
	Symbol  string `json:"symbol,omitempty"`  // a name, a qualified name, or the id of a hit
}

// LocateResult is the result of locate.
type LocateResult struct {
	TextDocument Document `json:"textDocument"`
	Range        Range    `json:"range"`
	Position     Position `json:"position"`         // of the name of the definition at the start of the range, else the start
	Others       []string `json:"others,omitempty"` // ids of other definitions of the symbol
}

// Locate finds code that is named by symbol or line.
var Locate = Define(Operation{
	Name: "locate", Title: "Locate", Doors: HTTP,
	Doc: "Find the code that is meant by a symbol, or by a path and a line.",
}, func(ctx context.Context, c *Call, p *LocateParams) (*LocateResult, error) {
	request := engine.LocateRequest{Line: p.Line, End: p.EndLine, Symbol: p.Symbol}
	if p.Path != "" {
		request.Path = c.path(p.Path)
	}
	l, err := c.Engine.Locate(ctx, request)
	if err != nil {
		return nil, err
	}
	lines, err := c.lines(l.Selection.Path)
	if err != nil {
		return nil, err
	}
	enc := c.encoding()
	return &LocateResult{
		TextDocument: Document{URI: FileURI(l.Selection.Path)}, Range: FromOffsets(lines, l.Selection.Start, l.Selection.End, enc),
		Position: FromPosition(lines.Position(l.Anchor.Offset), enc), Others: l.Others,
	}, nil
})
