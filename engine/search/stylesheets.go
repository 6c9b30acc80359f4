package search

import (
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/search/rank"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
)

// isRule reports whether a chunk is a rule of a stylesheet.
func isRule(ref index.Ref) bool { return ref.File.Language == "css" && ref.Chunk().Type == chunk.Code }

// hasSelector reports whether one of the selectors of a rule is the one that was asked for: with the mark of a class or an id, or
// without one.
func hasSelector(ref index.Ref, selector string) bool {
	for own := range strings.SplitSeq(ref.Chunk().Name, ",") {
		own = strings.TrimSpace(own)
		if own == selector || own != "" && (own[0] == '.' || own[0] == '#') && own[1:] == selector {
			return true
		}
	}
	return false
}

// proposeRules lifts the rules of stylesheets that have exactly the selector that was asked for, as .note::before, :root or code, and
// notes the mark of a selector.
func (symbols) proposeRules(s *search) {
	rules := 0
	for _, c := range s.candidates {
		if c.Record == nil && isRule(c.Ref) && hasSelector(c.Ref, s.query.Words) {
			c.Raise(rank.Exact, s.query.Words)
			s.proposed(c, rank.ClosenessAt(rules))
			rules++
		}
	}
	if words := s.query.Words; len(words) > 1 && codebase.IsIdentifier(strings.ReplaceAll(words[1:], "-", "_")) {
		if mark := words[0]; mark == '.' || mark == '#' || mark == ':' && rules > 0 { // :name is a symbol of Ruby as well
			s.mark = mark
		}
	}
}

// marks reports whether a symbol may be written with the mark: a selector, or a private member of JavaScript.
func marks(mark byte, kind chunk.SymbolKind) bool {
	return kind == chunk.Selector || mark == '#' && (kind == chunk.Field || kind == chunk.Property || kind == chunk.Member)
}

// marked reports whether the mark that was asked for stands before the name of a symbol, as far as its text can be had.
func marked(s *search, f *index.SymbolRef) bool {
	ref, text, ok := read(s, f.Ref)
	if !ok || ref.File.File != f.Ref.File.File {
		return true
	}
	at := f.NameSpan.Start - ref.Chunk().Span.Start
	return at > 0 && at <= len(text) && text[at-1] == s.mark
}
