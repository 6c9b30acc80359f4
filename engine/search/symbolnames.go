package search

import (
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

// proposeSymbols adds what is called name and is no chunk: constants, fields, functions inside others. defined says that
// there is a definition of the name, which a question then means.
func (symbols) proposeSymbols(s *search, name string, defined bool) {
	found := codebase.Symbols(s.snap, name, maxNamed, s.filter.acceptSymbol)
	prose := s.ranking.Kind == rank.ProseQuery
	if prose && (defined || len(found) > maxProseSymbols) {
		return
	}
	spaces := 0
	for i := range found {
		if found[i].Kind == chunk.Namespace {
			if spaces++; spaces > maxNamespaces {
				continue
			}
		}
		s.proposeSymbol(&found[i], codebase.LastName(name))
	}
}

// proposeSymbol adds a symbol in the tier of its spelling, unless its chunk or an earlier symbol in it is as near.
func (s *search) proposeSymbol(f *index.SymbolRef, typed string) {
	t := rank.Folded
	if f.Name == typed || codebase.LastName(f.Name) == typed {
		t = rank.Exact
	}
	c := s.candidate(f.Ref)
	if c.Tier < t {
		c.Symbol = &f.Symbol
	}
	c.Raise(t, f.Name)
	s.proposed(c, float64(t))
}
