package codebase

import (
	"path"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
)

// Symbols returns the symbols that a name means, see index.SymbolRef: spelled exactly so first, then in any letter case. A
// qualifier may be a container (Config.MaxRetries) or a package, folder or file (config.MaxRetries). Keys of lock files are not meant.
func Symbols(snap *index.Snapshot, name string, limit int, accept func(index.SymbolRef) bool) []index.SymbolRef {
	all := snap.Symbols(name, true)
	found := keepSymbols(all, limit, func(s index.SymbolRef) bool { return s.IsSpelled(name) && accept(s) })
	for _, s := range keepSymbols(all, limit-len(found), accept) {
		if !s.IsSpelled(name) {
			found = append(found, s)
		}
	}
	qualifier, last := SplitName(name)
	if len(found) > 0 || qualifier == "" {
		return found
	}
	return keepSymbols(slices.DeleteFunc(snap.Symbols(last, false), func(s index.SymbolRef) bool {
		return !SymbolIsIn(s, qualifier)
	}), limit, accept)
}

// NearestSymbols returns the symbols that a name means, code before tests, examples and generated files; only those of a
// file when a path is given.
func NearestSymbols(snap *index.Snapshot, name, abs string) []index.SymbolRef {
	found := Symbols(snap, name, MaxDefinitions, func(s index.SymbolRef) bool { return abs == "" || s.File.Abs == abs })
	slices.SortStableFunc(found, func(a, b index.SymbolRef) int { return SideCode(a.Ref) - SideCode(b.Ref) })
	return found
}

func keepSymbols(list []index.SymbolRef, limit int, accept func(index.SymbolRef) bool) []index.SymbolRef {
	var kept []index.SymbolRef
	for _, s := range list {
		if len(kept) < limit && !chunk.IsLockFile(s.File.Path) && accept(s) {
			kept = append(kept, s)
		}
	}
	return kept
}

// SymbolIsIn reports whether qualifier is the container of a symbol, in any letter case, or the folder or file it lies in.
func SymbolIsIn(s index.SymbolRef, qualifier string) bool {
	last := strings.ToLower(LastName(qualifier))
	rel := strings.ToLower(s.File.Path)
	base := path.Base(rel)
	return strings.ToLower(LastName(s.Container)) == last || path.Base(path.Dir(rel)) == last ||
		strings.TrimSuffix(base, path.Ext(base)) == last
}

// PresentSymbol finds a symbol of an earlier text in the present one: the one of its kind and names that is nearest to its
// place.
func PresentSymbol(doc *Document, was chunk.Symbol) (found chunk.Symbol, ok bool) {
	distance := func(s chunk.Symbol) int {
		return max(s.NameSpan.Start-was.NameSpan.Start, was.NameSpan.Start-s.NameSpan.Start)
	}
	for s := range doc.File.Symbols.All() {
		if s.Name == was.Name && s.Kind == was.Kind && s.Container == was.Container && (!ok || distance(s) < distance(found)) {
			found, ok = s, true
		}
	}
	return found, ok
}
