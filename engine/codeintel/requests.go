package codeintel

import (
	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// A HoverResult is a memory card.
type HoverResult struct {
	Markdown string // at most 25 lines
	Facts    string // of Markdown, what no language server knows; "" when there is no such thing
	Start    int    // bytes: the symbol under the cursor
	End      int
}

// An Action is one code action: cheap to list, resolved on demand.
type Action struct {
	Title    string
	Kind     string // source.aurora.related, source.aurora.context, source.aurora.remember, ...
	ID       string // related, context, remember, ask, history: what Resolve is asked for
	Command  string // aurora.related, ...: what executes it
	Select   codebase.Selection
	Symbol   string
	Query    string // the question that aurora.query puts; "" for ask, where the person types it
	Disabled string // why it can't run now; "" when it can
}

// A RelatedRequest asks for the neighbours of a symbol: the one at Place, or the one that Symbol names.
type RelatedRequest struct {
	Place     codebase.Place
	Line      int    // one-based; when positive it replaces Place.Offset
	Column    int    // one-based, in bytes; 0 means the symbol that Line defines or holds
	Symbol    string // "Search" or "Engine.Search"; only when Place.Path is ""
	Direction string // see Directions; "" means callers
	Depth     int    // 1 (also for 0) to 3: neighbours of neighbours, for callers, callees, supertypes and subtypes
	Limit     int    // most edges of each kind; 0 means 10
}

// A RelatedResult lists edges from a symbol, or from its file, to each hit.
type RelatedResult struct {
	From  string // id of the symbol, path of the file
	Edges []Edge
	Notes []string
}

// An Edge joins a symbol with a hit.
type Edge struct {
	From       string // the result's From, or the neighbour that the hit is a neighbour of
	To         snippet.Hit
	Kind       string  // caller, reference (hands a function over as a value), read and write (of what is no function), type (uses a type), callee, import, importer, supertype, subtype, test, tested, cochanged, similar
	Weight     float64 // 0..1: how near the neighbour is
	Confidence float64 // 0..1: how sure it is that the name means this definition, see package index/graph
	Why        string  // what speaks for it
	// At is where the neighbour uses what it is a neighbour of, of callers and other users and tests: the first such place. nil
	// when that is not known.
	At *text.Range
}
