package search

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/index"
)

// maxNamesakes bounds how many other definitions of a name a Location lists.
const maxNamesakes = 5

// A LocateRequest names a piece of code as people do who have no cursor: by symbol, by lines of a file, or by both.
type LocateRequest struct {
	Path   string // absolute; may be empty when Symbol is not
	Line   int    // first line, counted from one; 0 means the whole file
	End    int    // last line; 0 means Line
	Symbol string // a name, a qualified name (Engine.Search) or a chunk id
}

// A Location is the code that a LocateRequest means.
type Location struct {
	Selection codebase.Selection
	Anchor    codebase.Place // the name of the definition at the selection's start, else the start
	Others    []string       // chunk ids of other definitions of the symbol
}

// Locate finds the code that people name by symbol or line, in the text as it is now. Of several definitions of a
// symbol, code comes before tests and generated files; Others lists the rest.
//
// It fails with Invalid when nothing is named, when the file has no such line, or when nothing has that name (with the
// nearest names that exist), and with NotIndexed when the file can't be read.
func (e *Searcher) Locate(ctx context.Context, r LocateRequest) (*Location, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l := &locating{searcher: e, snap: e.index.Snapshot(), docs: codebase.NewDocumentCache(e.index), request: r}
	if r.Symbol != "" {
		return l.symbol()
	}
	if r.Path == "" {
		return nil, &fault.Error{
			Kind: fault.Invalid, Message: "neither a symbol nor a path is given", Detail: "symbol", Remedy: "Name a symbol, or a path and a line.",
		}
	}
	return l.lines()
}

// locating is one run of Locate.
type locating struct {
	searcher *Searcher
	snap     *index.Snapshot
	docs     *codebase.DocumentCache
	request  LocateRequest
}

// symbol takes the likeliest definition.
func (l *locating) symbol() (*Location, error) {
	refs := l.named()
	for i, ref := range refs {
		doc, fresh, ok := l.docs.Open(ref)
		if !ok {
			continue
		}
		span := fresh.Chunk().Span
		at := span.Start
		if name := fresh.Chunk().NameSpan; !name.Empty() {
			at = name.Start
		}
		location := &Location{
			Selection: codebase.Selection{Path: doc.File.Abs, Start: span.Start, End: span.End}, Anchor: codebase.Place{Path: doc.File.Abs, Offset: at},
		}
		for _, other := range refs[i+1 : min(len(refs), i+1+maxNamesakes)] {
			location.Others = append(location.Others, other.ID())
		}
		return location, nil
	}
	if location, ok := l.declaration(); ok {
		return location, nil
	}
	return nil, l.noSuchSymbol()
}

// declaration is the place of a symbol that is no chunk: a constant, a field.
func (l *locating) declaration() (*Location, bool) {
	for _, name := range codebase.NameForms(l.request.Symbol) {
		for _, s := range codebase.NearestSymbols(l.snap, name, l.request.Path) {
			doc, _, ok := l.docs.Open(s.Ref)
			if !ok {
				continue
			}
			if present, ok := codebase.PresentSymbol(doc, s.Symbol); ok {
				return &Location{
					Selection: codebase.Selection{Path: doc.File.Abs, Start: present.Span.Start, End: present.Span.End},
					Anchor:    codebase.Place{Path: doc.File.Abs, Offset: present.NameSpan.Start},
				}, true
			}
		}
	}
	return nil, false
}

// named lists the definitions that the request may mean, likeliest first.
func (l *locating) named() []index.Ref {
	if ref, ok := codebase.ChunkByID(l.snap, l.request.Symbol); ok {
		return []index.Ref{ref}
	}
	accept, near := codebase.IsDefinition, &index.File{}
	if l.request.Path != "" {
		file, ok := l.snap.File(l.request.Path)
		if !ok {
			return nil
		}
		near, accept = file, func(ref index.Ref) bool { return ref.File.Abs == file.Abs && codebase.IsDefinition(ref) }
	}
	for _, fold := range []bool{false, true} {
		for _, name := range codebase.NameForms(l.request.Symbol) {
			refs := codebase.Keep(l.snap.Named(name, fold), codebase.MaxDefinitions, accept)
			if qualifier, last := codebase.SplitName(name); len(refs) == 0 && qualifier != "" {
				inPlace := func(ref index.Ref) bool { return accept(ref) && codebase.IsPlaceOf(ref, qualifier) }
				refs = codebase.Keep(l.snap.Named(last, fold), codebase.MaxDefinitions, inPlace)
			}
			if len(refs) > 0 {
				return codebase.Nearest(refs, near)
			}
		}
	}
	for _, name := range codebase.NameForms(l.request.Symbol) { // the mark of valid? may be left out
		if refs := codebase.Definitions(l.snap, name, codebase.MaxDefinitions, accept); len(refs) > 0 {
			return codebase.Nearest(refs, near)
		}
	}
	return nil
}

func (l *locating) noSuchSymbol() error {
	failure := &fault.Error{
		Kind: fault.NotFound, Message: fmt.Sprintf("nothing is called %.100q", l.request.Symbol), Detail: "symbol",
		Remedy: "Search for it, then use a name or id from the hits.",
	}
	if l.request.Path != "" {
		if _, ok := l.docs.At(l.snap, l.request.Path); !ok {
			return codebase.NotIndexed(l.searcher.index, l.request.Path)
		}
		failure.Message += " in " + codebase.BaseName(l.request.Path)
	}
	near := l.snap.Suggest(codebase.LastName(l.request.Symbol), 3)
	switch {
	case l.request.Path != "" && slices.Contains(near, codebase.LastName(l.request.Symbol)):
		failure.Remedy = "Something of that name is elsewhere: leave the path out."
	case len(near) > 0:
		failure.Remedy = "Did you mean " + strings.Join(near, " or ") + "?"
	}
	return failure
}

// lines selects lines of a file.
func (l *locating) lines() (*Location, error) {
	r := l.request
	doc, ok := l.docs.At(l.snap, r.Path)
	if !ok {
		return nil, codebase.NotIndexed(l.searcher.index, r.Path)
	}
	if r.Line == 0 && r.End == 0 {
		return &Location{Selection: codebase.Selection{Path: doc.File.Abs, End: len(doc.Text)}, Anchor: codebase.Place{Path: doc.File.Abs}}, nil
	}
	last := max(r.End, r.Line)
	if count := doc.Lines.Count(); r.Line < 1 || r.Line > count || r.End != 0 && r.End < r.Line {
		return nil, &fault.Error{
			Kind: fault.Invalid, Message: fmt.Sprintf("%s has no lines %d to %d; it has %d", codebase.BaseName(r.Path), r.Line, last, count),
			Detail: "line", Remedy: "Count lines from 1, as the file is now.",
		}
	}
	start, end := doc.Lines.Start(r.Line-1), doc.Lines.End(min(last, doc.Lines.Count())-1)
	location := &Location{
		Selection: codebase.Selection{Path: doc.File.Abs, Start: start, End: end}, Anchor: codebase.Place{Path: doc.File.Abs, Offset: start},
	}
	if r.End == 0 {
		location.Selection.End = start
	}
	if ref, ok := definitionOn(doc, start, end); ok {
		location.Anchor.Offset = ref.Chunk().NameSpan.Start
		if r.End == 0 {
			location.Selection.Start, location.Selection.End = location.Anchor.Offset, location.Anchor.Offset
		}
	}
	return location, nil
}

// definitionOn returns the definition whose name stands between two offsets, else the innermost one around the first.
func definitionOn(doc *codebase.Document, start, end int) (index.Ref, bool) {
	var around index.Ref
	found := false
	for i := range doc.File.Chunks {
		c := &doc.File.Chunks[i]
		ref := index.Ref{File: doc.File, Index: i}
		if c.NameSpan.Empty() || !codebase.IsDefinition(ref) {
			continue
		}
		if start <= c.NameSpan.Start && c.NameSpan.End <= end {
			return ref, true
		}
		if c.Span.Start <= start && start < c.Span.End {
			if !found || c.Span.End-c.Span.Start < around.Chunk().Span.End-around.Chunk().Span.Start {
				around, found = ref, true
			}
		}
	}
	return around, found
}
