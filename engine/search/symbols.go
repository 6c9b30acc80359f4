package search

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/search/querytext"
	"github.com/aurora-sidecar/aurora/engine/search/rank"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/index"
)

// maxSuggested is how many near names a symbol search looks up.
const maxSuggested = 50

// Symbols is search in the manner of workspace/symbol: chunks whose name is what was typed come first, then names it
// begins, abbreviates or misspells, then whatever a search for the words finds. Filters work as in Search.
func (e *Searcher) Symbols(ctx context.Context, query string, limit int) (*Result, error) {
	start := time.Now()
	s, err := e.newSearch(Request{Query: query, Limit: limit})
	if err != nil {
		return nil, err
	}
	if s.empty() {
		return s.result(), nil
	}
	s.run(ctx)
	if s.filter.wantsCode() && s.query.Words != "" {
		s.putNamesFirst()
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	result := s.result()
	result.Elapsed = time.Since(start)
	e.Latency.Observe(result.Elapsed)
	return result, nil
}

// putNamesFirst puts the hits whose names are near what was typed in front of the others.
func (s *search) putNamesFirst() {
	var names []string
	for _, name := range querytext.Identifiers(s.query.Words) {
		names = append(names, s.snap.Suggest(codebase.LastName(name), maxSuggested)...)
	}
	named := s.namedHits(wording.Unique(names))
	for _, h := range s.hits {
		if !slices.ContainsFunc(named, func(n snippet.Hit) bool { return n.ID == h.ID && n.Name == h.Name }) {
			named = append(named, h)
		}
	}
	slices.SortStableFunc(named, func(a, b snippet.Hit) int { return nameDistance(a, s.query.Words) - nameDistance(b, s.query.Words) })
	s.total += max(0, len(named)-len(s.hits))
	s.hits = named[:min(len(named), s.limit)]
}

// namedHits reads the definitions and symbols of the names that the search did not find by itself.
func (s *search) namedHits(names []string) []snippet.Hit {
	var hits []snippet.Hit
	for i, name := range names {
		refs := codebase.Nearest(codebase.Keep(s.snap.Named(name, false), s.limit, s.filter.accept), &index.File{})
		for _, ref := range refs {
			if doc, fresh, ok := s.docs.Open(ref); ok && len(hits) < s.limit {
				hits = append(hits, s.nameHit(snippet.OfChunk(doc, fresh), i))
			}
		}
		for _, found := range codebase.Symbols(s.snap, name, s.limit, s.filter.acceptSymbol) {
			if doc, fresh, ok := s.docs.Open(found.Ref); ok && len(hits) < s.limit {
				hits = append(hits, s.nameHit(snippet.OfSymbol(doc, fresh, found.Symbol), i))
			}
		}
	}
	return hits
}

// nameHit says why the i-th near name is a hit.
func (s *search) nameHit(hit snippet.Hit, i int) snippet.Hit {
	hit.Explanation = "name is near " + s.query.Words
	hit.SetScore(rank.NameScoreAt(i), nil)
	return hit
}

// nameDistance sorts hits for a symbol list: the name itself, in another case, its beginning, a name that holds the
// typed letters in order, anything else.
func nameDistance(h snippet.Hit, typed string) int {
	typed = strings.Join(codebase.NameForms(strings.Join(strings.Fields(typed), "")), "")
	full := snippet.Qualified(h)
	lowerName, lowerTyped := strings.ToLower(h.Name), strings.ToLower(typed)
	switch {
	case h.Name == typed || full == typed:
		return 0
	case lowerName == lowerTyped || strings.EqualFold(full, typed):
		return 1
	case strings.HasPrefix(lowerName, lowerTyped):
		return 2
	case strings.Contains(lowerName, lowerTyped):
		return 3
	case holdsInOrder(strings.ToLower(full), lowerTyped):
		return 4
	}
	return 5
}

// holdsInOrder reports whether the letters and digits of part occur in s in their order, as editors match names.
func holdsInOrder(s, part string) bool {
	rest := []rune(s)
	for _, r := range part {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			continue
		}
		i := slices.Index(rest, r)
		if i < 0 {
			return false
		}
		rest = rest[i+1:]
	}
	return true
}
