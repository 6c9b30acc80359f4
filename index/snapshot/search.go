package snapshot

import (
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/lexical"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// Search is the lexical retriever: the best chunks by BM25, best first, and how many matched before the cut.
func (s *Snapshot) Search(q Query) (hits []Hit, total int) {
	found := s.Find(q)
	return found.Hits, found.Total
}

// Find is Search that also tells how rare the terms of the query are.
func (s *Snapshot) Find(q Query) Found {
	limit := q.Limit
	if limit <= 0 {
		limit = 100
	}
	lq := lexical.Query{Text: q.Text, Terms: q.Terms, Limit: limit, Corpus: q.Corpus}
	if q.Accept != nil || q.Chunk != nil {
		lq.Accept = s.accepts(q)
	}
	answer := lexical.Search(s.views, lq, lexical.DefaultParams)
	found := Found{Total: answer.Total, IDF: answer.IDF, Unknown: answer.Unknown, Hits: make([]Hit, 0, len(answer.Results))}
	for _, r := range answer.Results {
		found.Hits = append(found.Hits, Hit{Ref: s.listed(r.View, r.Doc), BM25: r.Score, Matched: r.Matched})
	}
	loadHits(found.Hits)
	return found
}

// ref returns a document as a chunk.
func (s *Snapshot) ref(view int, doc uint32) Ref {
	ref := s.listed(view, doc)
	ref.File.Loaded()
	return ref
}

// listed is ref for those who don't look at the chunk.
func (s *Snapshot) listed(view int, doc uint32) Ref { return s.parts[view].docs[doc] }

// accepts asks q.Accept once a file: the chunks of a file follow each other.
func (s *Snapshot) accepts(q Query) func(view int, doc uint32) bool {
	var last *File
	var ok bool
	return func(view int, doc uint32) bool {
		ref := s.listed(view, doc)
		if q.Accept != nil {
			if ref.File != last {
				last, ok = ref.File, q.Accept(ref.File)
			}
			if !ok {
				return false
			}
		}
		return q.Chunk == nil || q.Chunk(Ref{ref.File.Loaded(), ref.Index})
	}
}

// Named returns the chunks with exactly this name, or qualified name "Container.Name"; with fold, in any letter
// case. They come in the order of their path and place.
func (s *Snapshot) Named(name string, fold bool) []Ref {
	same := func(a, b string) bool { return a == b }
	if fold {
		same = strings.EqualFold
	}
	var refs []Ref
	s.lookup(lexical.Name, rarest(name), func(ref Ref) bool {
		c := ref.Chunk()
		if same(c.Name, name) || same(strings.TrimPrefix(lastPart(c.Name), "#"), name) || // #name is private in JavaScript
			c.Container != "" && same(c.QualifiedName(), name) {
			refs = append(refs, ref)
		}
		return true
	})
	slices.SortFunc(refs, func(a, b Ref) int {
		if c := strings.Compare(a.File.Path, b.File.Path); c != 0 {
			return c
		}
		return a.Index - b.Index
	})
	return refs
}

// lastPart is what follows the last dot of a name: languages with dotted module names are asked for by it.
func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// rarest is the token of a name by which to look it up: the whole last identifier, longest of its tokens.
func rarest(name string) string {
	best := ""
	for _, t := range text.Tokenize(lastPart(name)) {
		if len(t) > len(best) {
			best = t
		}
	}
	return best
}

// Callers returns the chunks that call something of this name, at most limit; 0 means all.
func (s *Snapshot) Callers(name string, limit int) []Ref {
	var refs []Ref
	s.lookup(lexical.Calls, strings.ToLower(name), func(ref Ref) bool {
		if ref.Chunk().CallsName(name) {
			refs = append(refs, ref)
		}
		return limit <= 0 || len(refs) < limit
	})
	return refs
}

// A SymbolRef names a symbol of a snapshot: what has a name and is no chunk. Ref is the chunk that it lies in.
type SymbolRef struct {
	Ref
	chunk.Symbol
}

// Symbols returns the symbols with exactly this name, or this end of a qualified name ("Config.MaxRetries"); with fold, in
// any letter case. They come in the order of their path and place.
func (s *Snapshot) Symbols(name string, fold bool) []SymbolRef {
	var out []SymbolRef
	seen := map[*File]bool{}
	for _, key := range slices.Compact([]string{lastPart(name), name}) {
		s.lookup(lexical.Calls, strings.ToLower(symbolMark+key), func(ref Ref) bool {
			if !seen[ref.File] {
				seen[ref.File] = true
				out = ref.File.appendSymbols(out, name, fold)
			}
			return true
		})
	}
	slices.SortStableFunc(out, func(a, b SymbolRef) int { return strings.Compare(a.File.Path, b.File.Path) })
	return out
}

// appendSymbols adds the symbols of a file that have a name.
func (f *File) appendSymbols(to []SymbolRef, name string, fold bool) []SymbolRef {
	if !fold && !strings.Contains(string(f.Symbols), lastPart(name)) {
		return to
	}
	for symbol := range f.Symbols.All() {
		if own := endOfName(&symbol, name); own == name || fold && strings.EqualFold(own, name) {
			to = append(to, SymbolRef{Ref{f, symbol.Chunk}, symbol})
		}
	}
	return to
}

// endOfName is the name of a symbol, qualified and as long as the given one when that is longer.
func endOfName(symbol *chunk.Symbol, name string) string {
	own := symbol.Name
	if len(name) > len(own) { // it is qualified
		own = symbol.QualifiedName()
		if cut := len(own) - len(name); cut > 0 && own[cut-1] == '.' {
			own = own[cut:]
		}
	}
	return own
}

// IsSpelled reports whether a symbol that a name means is spelled exactly so.
func (s *SymbolRef) IsSpelled(name string) bool { return endOfName(&s.Symbol, name) == name }

func (s *Snapshot) lookup(field lexical.Field, token string, yield func(Ref) bool) {
	if token == "" {
		return
	}
	lexical.Lookup(s.views, field, token, func(view int, doc uint32) bool { return yield(s.ref(view, doc)) })
}
