package search

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/search/pasted"
	"github.com/aurora-sidecar/aurora/engine/search/rank"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/internal/text"
)

const (
	maxNearNames = 10 // names that the near retriever proposes
	perNearName  = 3  // definitions of each of them
	maxPlaces    = 50 // files that the place retriever proposes
	maxCorrected = 3  // words of a question that are looked up in the dictionaries, which takes milliseconds each
)

// proposeNear adds definitions whose names are near a single word that no text holds: names it begins, misspells or
// abbreviates. A word that texts hold is spelled right, and the keyword retriever knows more about it.
func (p symbols) proposeNear(s *search) {
	if s.ranking.Kind != rank.SymbolQuery || s.byChunk.has(rank.Folded) {
		return
	}
	forms := codebase.NameForms(s.query.Words)
	if len(forms) == 0 {
		return
	}
	word := codebase.LastName(forms[0])
	if p.known(s, word) {
		return
	}
	for i, near := range s.snap.Near(word, maxNearNames) {
		closeness, why := rank.ClosenessAt(i), fmt.Sprintf("the name %s %s %s", near.Name, near.How, word)
		for _, ref := range codebase.Keep(s.snap.Named(near.Name, false), perNearName, s.filter.accept) {
			c := s.candidate(ref)
			c.Raise(rank.Nearby, near.Name)
			c.Closeness, c.Why = closeness, why
			s.proposed(c, closeness)
		}
		for _, found := range codebase.Symbols(s.snap, near.Name, perNearName, s.filter.acceptSymbol) {
			c := s.candidate(found.Ref)
			if c.Tier >= rank.Nearby {
				continue
			}
			c.Symbol = &found.Symbol
			c.Raise(rank.Nearby, near.Name)
			c.Closeness, c.Why = closeness, why
			s.proposed(c, closeness)
		}
	}
}

// known reports whether some text holds the word.
func (symbols) known(s *search, word string) bool {
	tokens := text.Tokenize(word)
	return len(tokens) > 0 && !slices.Contains(s.ranking.Unknown, tokens[len(tokens)-1])
}

// correct adds near words to those of a question that no text holds, and reports whether there are any.
func (fullText) correct(s *search) bool {
	if s.ranking.Kind != rank.ProseQuery {
		return false
	}
	corrected, tried := false, 0
	for i := range s.ranking.Query {
		t := &s.ranking.Query[i]
		if t.Required || t.Unwanted || !slices.Contains(s.ranking.Unknown, t.Token) || !rank.IsPlainWord(t.Token) || !slices.Contains(s.ranking.Terms, t.Token) {
			continue
		}
		if tried++; tried > maxCorrected {
			break
		}
		if near, ok := s.snap.NearWord(t.Token); ok {
			s.ranking.AddForm(t, near)
			s.note(fmt.Sprintf("no text holds %q; searched for %q, too", t.Token, near))
			corrected = true
		}
	}
	return corrected
}

// proposePlaces adds the files that a path names: one chunk each, that of the line when one is given.
func (symbols) proposePlaces(s *search) {
	if s.ranking.Kind != rank.PlaceQuery {
		return
	}
	rel, line := cleanPattern(s.query.Words), 0
	if p, ok := pasted.IsPlace(s.query.Words); ok {
		rel, line = cleanPattern(p.Path), p.Line
	}
	rel = strings.Trim(rel, "/")
	var files []*index.File
	for f := range s.snap.Listed() {
		if namesFile(f.Path, rel) && s.filter.acceptFile(f) && len(f.Loaded().Chunks) > 0 {
			files = append(files, f)
		}
	}
	slices.SortFunc(files, func(a, b *index.File) int {
		return cmp.Or(cmp.Compare(len(a.Path), len(b.Path)), strings.Compare(a.Path, b.Path))
	})
	for i, f := range files[:min(maxPlaces, len(files))] {
		ref := index.Ref{File: f, Index: codebase.ChunkAtLine(f, line)}
		if !s.filter.acceptChunk(ref) {
			continue
		}
		c := s.candidate(ref)
		c.Raise(rank.Nearby, f.Path)
		c.Closeness = rank.ClosenessAt(i)
		c.Why = "the path matches"
		s.proposed(c, c.Closeness)
	}
}

// namesFile reports whether typed, in any letter case, is the end of the path from some folder on, or a folder on it.
func namesFile(rel, typed string) bool {
	if typed == "" {
		return false
	}
	if n := len(rel) - len(typed); n >= 0 && strings.EqualFold(rel[n:], typed) && (n == 0 || rel[n-1] == '/') {
		return true
	}
	dir := path.Dir(rel)
	n := len(dir) - len(typed)
	return n >= 0 && strings.EqualFold(dir[n:], typed) && (n == 0 || dir[n-1] == '/')
}
