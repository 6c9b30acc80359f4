package codeintel

import (
	"cmp"
	"context"
	"slices"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// A NamedThing is what has a name in a file: a definition, a constant, a field, a test.
type NamedThing struct {
	Type      string // as that of a hit: function, method, class, code
	Kind      string // as that of a hit: CODE_FUNCTION, CODE_CONSTANT, MARKDOWN_SECTION
	Name      string
	Container string
	Signature string // on one line
	Range     text.Range
	NameRange text.Range    // inside Range
	Children  []*NamedThing // inside Range, in the order of the text
	span      chunk.Span
}

// SymbolTree returns all that has a name in the present text of the file of a place, each thing below the innermost one around it. It
// is empty for files that the engine can't read.
func (e *Intel) SymbolTree(ctx context.Context, p codebase.Place) ([]*NamedThing, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	doc, ok := codebase.NewDocumentCache(e.Index).Seeing(p.Own).At(e.Index.Snapshot(), p.Path)
	if !ok {
		return nil, nil
	}
	return nestThings(namedThings(doc)), nil
}

func namedThings(doc *codebase.Document) []*NamedThing {
	var list []*NamedThing
	add := func(t NamedThing, span, name chunk.Span) {
		if !name.Empty() && span.Covers(name) {
			t.Range, t.NameRange, t.span = *doc.RangeOf(span), *doc.RangeOf(name), span
			list = append(list, &t)
		}
	}
	for i := range doc.File.Chunks {
		c := &doc.File.Chunks[i]
		add(NamedThing{
			Type: string(c.Type), Kind: string(c.Kind), Name: c.Name, Container: c.Container, Signature: snippet.Signature(doc, c),
		}, c.Span, c.NameSpan)
	}
	for s := range doc.File.Symbols.All() {
		if s.Kind == chunk.Inner { // found by its name, and too many for a tree
			continue
		}
		add(NamedThing{
			Type: string(snippet.SymbolType(s.Kind)), Kind: snippet.SymbolKind(s.Kind), Name: s.Name, Container: s.Container,
			Signature: snippet.Declaration(doc, s),
		}, s.Span, s.NameSpan)
	}
	return list
}

// nestThings puts each thing below the innermost one around it. Two of the same place stand beside each other.
func nestThings(list []*NamedThing) (roots []*NamedThing) {
	slices.SortStableFunc(list, func(a, b *NamedThing) int {
		return cmp.Or(cmp.Compare(a.span.Start, b.span.Start), cmp.Compare(b.span.End, a.span.End))
	})
	var open []*NamedThing
	for _, t := range list {
		for n := len(open); n > 0 && (!open[n-1].span.Covers(t.span) || open[n-1].span == t.span); n = len(open) {
			open = open[:n-1]
		}
		if n := len(open); n > 0 {
			open[n-1].Children = append(open[n-1].Children, t)
		} else {
			roots = append(roots, t)
		}
		open = append(open, t)
	}
	return roots
}
