package search

import (
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/search/rank"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
)

// maxProseSymbols is the most symbols of one name that a question is taken to mean: a field that dozens of types have says
// nothing about what is asked.
const maxProseSymbols = 5

// maxNamespaces is the most namespaces of one name that are proposed: every file of one declares it.
const maxNamespaces = 3

// proposeSymbols adds what is called name and is no chunk: constants, fields, functions inside others. best is the tier of
// the best definition of the name, which a question then means.
func (symbols) proposeSymbols(s *search, name string, best rank.Tier) {
	found := codebase.Symbols(s.snap, name, maxNamed, s.filter.acceptSymbol)
	prose := s.ranking.Kind == rank.ProseQuery
	if prose && (best == rank.Exact || len(found) > maxProseSymbols) {
		return
	}
	joined := prose && !strings.Contains(s.query.Words, name)
	spaces := 0
	for i := range found {
		f := &found[i]
		if f.Kind == chunk.Namespace {
			spaces++
		}
		switch {
		case spaces > maxNamespaces && f.Kind == chunk.Namespace:
		case prose && belongs[f.Kind]: // a question that holds the name of a field wants the code that works with it
		case joined && f.Kind != chunk.Constant && f.Kind != chunk.Macro:
		default:
			s.proposeSymbol(f, codebase.LastName(name), best)
		}
	}
}

// belongs are the kinds of symbols that are named after what they hold: of "logger", the type Logger is meant before a field
// of some other type.
var belongs = map[chunk.SymbolKind]bool{
	chunk.Field: true, chunk.Property: true, chunk.Column: true, chunk.Key: true, chunk.Selector: true, chunk.Test: true,
	chunk.Namespace: true,
}

// proposeSymbol adds a symbol in the tier of its spelling, unless its chunk or an earlier symbol in it is as near.
func (s *search) proposeSymbol(f *index.SymbolRef, typed string, best rank.Tier) {
	t := rank.Folded
	if f.Name == typed || codebase.LastName(f.Name) == typed {
		t = rank.Exact
	}
	if belongs[f.Kind] && best == rank.Folded {
		t = rank.Folded
	}
	c := s.candidate(f.Ref)
	if c.Tier < t {
		c.Symbol = &f.Symbol
	}
	c.Raise(t, f.Name)
	s.proposed(c, float64(t))
}
