package codeintel

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/graph"
)

// maxCandidates is the most symbols that a name without a better sign may mean: a field that many types have is none that a
// person could choose from.
const maxCandidates = 5

// ownSymbol returns the symbol of a file whose name in its declaration is id.
func ownSymbol(file *index.File, id identifier) (index.SymbolRef, bool) {
	for s := range file.Symbols.All() {
		if id.start <= s.NameSpan.Start && s.NameSpan.End <= id.end && strings.HasSuffix(id.name, s.Name) {
			return index.SymbolRef{Ref: index.Ref{File: file, Index: s.Chunk}, Symbol: s}, true
		}
	}
	return index.SymbolRef{}, false
}

// symbols returns the constants, fields and other symbols that the name may mean where it stands, the likeliest first.
func (s *symbol) symbols(snap *index.Snapshot) []index.SymbolRef {
	before := s.before()
	list := slices.DeleteFunc(snap.Symbols(s.name, false), func(r index.SymbolRef) bool {
		return !s.speaksOf(r.File.Language) || !s.reaches(r, before)
	})
	slices.SortStableFunc(list, func(a, b index.SymbolRef) int { return cmp.Compare(s.weighSymbol(b), s.weighSymbol(a)) })
	if len(list) > maxCandidates && s.weighSymbol(list[0]) < weightSamePackage {
		return nil
	}
	return list
}

// standsAlone are the kinds of symbols that are written without what they belong to.
var standsAlone = map[chunk.SymbolKind]bool{
	chunk.Constant: true, chunk.Variable: true, chunk.Macro: true, chunk.TypeName: true, chunk.EnumMember: true, chunk.Table: true,
}

// reaches reports whether the name may mean a symbol: behind a dot what belongs to something; on its own what does not, and
// that of other files only where their names are known: in the package, by an import, or everywhere as macros are.
func (s *symbol) reaches(r index.SymbolRef, before string) bool {
	family := graph.Family(s.doc.File.Language)
	sameFile := r.File.Abs == s.doc.File.Abs
	switch {
	case r.Kind == chunk.Test || r.Kind == chunk.Route || r.Kind == chunk.Namespace || r.Kind == chunk.Inner && !sameFile:
		return false
	case !programming[family]:
		return true
	case before != "":
		return true
	case !standsAlone[r.Kind] || r.Container != "" && r.Kind != chunk.EnumMember:
		return s.isKey() || sameFile && !explicitSelf[family]
	case sameFile || family == "c" || family == "ruby" || family == "php":
		return true
	case family == "go":
		return codebase.DirName(r.File.Path) == codebase.DirName(s.doc.File.Path)
	}
	return slices.ContainsFunc(s.doc.File.Imports, func(i chunk.Import) bool { return i.Name == s.name || i.Name == "*" })
}

// weighSymbol is weigh for a symbol, whose container is what a qualifier names first.
func (s *symbol) weighSymbol(r index.SymbolRef) int {
	w := s.weigh(r.Ref)
	if s.qualifier != "" && !codebase.IsPlaceOf(r.Ref, s.qualifier) && codebase.SymbolIsIn(r, s.qualifier) {
		w += weightQualifier
	}
	return w
}

// narrowSymbols leaves these symbols, the likeliest first, and reports whether there are any.
func (s *symbol) narrowSymbols(list []index.SymbolRef) bool {
	s.named, s.Definitions = list, nil
	for _, r := range list {
		s.Definitions = append(s.Definitions, r.Ref)
	}
	s.sure = len(list) == 1 || len(list) > 1 && s.weighSymbol(list[0]) > s.weighSymbol(list[1]) && s.weighSymbol(list[0]) >= weightSamePackage
	return len(list) > 0
}

// read shows the i-th definition.
func (s *symbol) read(docs *codebase.DocumentCache, i int) (snippet.Hit, bool) {
	doc, fresh, ok := docs.Open(s.Definitions[i])
	switch {
	case !ok:
		return snippet.Hit{}, false
	case i < len(s.named):
		return snippet.OfSymbol(doc, fresh, s.named[i].Symbol), true
	}
	return snippet.OfChunk(doc, fresh), true
}
