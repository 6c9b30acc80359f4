package search

import (
	"cmp"
	"slices"
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
	prose := s.ranking.Kind == rank.ProseQuery
	if prose && best == rank.Exact {
		return
	}
	found := codebase.Symbols(s.snap, name, maxNamed, s.filter.acceptSymbol)
	if prose && len(found) > maxProseSymbols {
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
		case spaces > maxNamespaces && f.Kind == chunk.Namespace, f.Kind == chunk.Inner: // see proposeLocals
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
	chunk.Namespace: true, chunk.Inner: true,
}

// spelled reports whether the letters of a name tell that it was typed with its case: maxSize and max_size mean themselves before
// MaxSize, but config means Config.
func spelled(name string) bool {
	return strings.Contains(strings.Trim(name, "_"), "_") || strings.ToLower(name) != name
}

// proposeSymbol adds a symbol in the tier of its spelling, unless its chunk or an earlier symbol in it is as near.
func (s *search) proposeSymbol(f *index.SymbolRef, typed string, best rank.Tier) {
	t := rank.Folded
	if f.Name == typed || codebase.LastName(f.Name) == typed {
		t = rank.Exact
	}
	switch {
	case belongs[f.Kind] && best == rank.Folded && s.mark == 0 && !spelled(typed):
		t = rank.Folded
	case s.mark != 0 && (!marks(s.mark, f.Kind) || s.mark != ':' && !marked(s, f)):
		t = rank.Folded
	case f.Kind == chunk.Selector && best == rank.Exact && !hasSelector(f.Ref, typed): // a rule of its own comes first
		t = rank.Folded
	}
	c := s.candidate(f.Ref)
	if c.Tier < t || c.Tier == t && c.Symbol != nil && belongs[c.Symbol.Kind] && !belongs[f.Kind] { // what stands on its own is meant before
		c.Symbol = &f.Symbol
	}
	c.Raise(t, f.Name)
	s.proposed(c, float64(t))
}

const (
	maxWorded      = 3  // constants that the words of a question may mean
	maxWordedFiles = 40 // files in which they are looked for
	leastWorded    = 2  // words of a question, and
	mostWorded     = 6
	leastAsked     = 0.65 // share of the constant's name that the question has: an error code for all of HTTP/2 is not its flow control
)

// proposeWorded adds constants and variables that the words of a question describe: of "default timeout" DEFAULT_TIMEOUT_CONFIG. They
// are no chunks, so no retriever of chunks has them. Only what holds the whole question in its name is proposed, unless a
// definition's name does, too.
func (symbols) proposeWorded(s *search) {
	n := len(s.ranking.Terms)
	if s.ranking.Kind != rank.ProseQuery || n < leastWorded || n > mostWorded || s.byChunk.has(rank.Folded) {
		return
	}
	files := map[*index.File]map[int]bool{}
	for _, c := range s.candidates {
		if c.Record != nil || !s.ranking.HoldsAll(c.Matched) || codebase.SideCode(c.Ref) != 0 {
			continue
		}
		if asked, whole := s.ranking.Described(c.Ref.Chunk().Name); whole && asked > 0 {
			return
		}
		if files[c.Ref.File] == nil && len(files) == maxWordedFiles {
			continue
		}
		if files[c.Ref.File] == nil {
			files[c.Ref.File] = map[int]bool{}
		}
		files[c.Ref.File][c.Ref.Index] = true
	}
	type worded struct {
		index.SymbolRef
		asked float64
	}
	var found []worded
	for file, chunks := range files {
		for symbol := range file.Symbols.All() {
			if !chunks[symbol.Chunk] || symbol.Kind != chunk.Constant && symbol.Kind != chunk.Macro && symbol.Kind != chunk.Variable {
				continue
			}
			ref := index.SymbolRef{Ref: index.Ref{File: file, Index: symbol.Chunk}, Symbol: symbol}
			if asked, whole := s.ranking.Described(symbol.Name); whole && asked >= leastAsked && s.filter.acceptSymbol(ref) {
				found = append(found, worded{ref, asked})
			}
		}
	}
	slices.SortFunc(found, func(a, b worded) int {
		return cmp.Or(cmp.Compare(b.asked, a.asked), cmp.Compare(a.File.Abs, b.File.Abs), cmp.Compare(a.NameSpan.Start, b.NameSpan.Start))
	})
	for i := range found[:min(maxWorded, len(found))] {
		f := &found[i]
		c := s.candidate(f.Ref)
		if c.Tier == rank.ByText {
			c.Symbol = &f.Symbol
			c.Raise(rank.Nearby, f.Name)
			c.Closeness, c.Why = f.asked*rank.ClosenessAt(i), "the name "+f.Name+" holds the whole question"
			s.proposed(c, c.Closeness)
		}
	}
}
