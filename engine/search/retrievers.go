package search

import (
	"context"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/search/rank"
	"github.com/aurora-sidecar/aurora/engine/semantic"
	"github.com/aurora-sidecar/aurora/index"
)

// minPool is the least number of chunks that the lexical retriever proposes. The rules that look at whole
// files want more of them than are shown.
const minPool = 300

// maxNamed is the most chunks of one name that the identifier retriever proposes: names such as String or init have
// thousands, and the lexical retriever proposes the best of them anyway.
const maxNamed = 200

// candidateSet holds the chunks that were proposed: one that several retrievers propose is one candidate.
type candidateSet map[index.Ref]*rank.Candidate

// has reports whether a candidate is in the tier or a better one.
func (set candidateSet) has(t rank.Tier) bool {
	for _, c := range set {
		if c.Tier >= t {
			return true
		}
	}
	return false
}

// maxSemantic is how many chunks the semantic retriever proposes.
const maxSemantic = 100

// proposeSemantic adds the chunks that mean what was asked, whatever their words, and tells of all candidates how near
// they are. A name means nothing but itself.
func (s *search) proposeSemantic(ctx context.Context) error {
	if s.ranking.Kind != rank.ProseQuery {
		return nil
	}
	direction, err := s.direction(ctx)
	if err != nil || direction.IsZero() {
		return err
	}
	near := s.near
	if near == nil {
		near = direction.Nearest(index.Query{Limit: maxSemantic, Accept: s.filter.fileTest(), Chunk: s.filter.chunkTest()})
	}
	for _, h := range near {
		if h.Cosine < rank.MinCosine {
			break
		}
		c := s.byChunk[h.Ref]
		if c == nil {
			c = rank.NewCandidate(h.Ref, s.ranking.Terms)
			s.byChunk[h.Ref] = c
			s.candidates = append(s.candidates, c)
		}
		c.Cosine = h.Cosine
		s.proposed(c, h.Cosine)
	}
	for _, c := range s.candidates {
		if c.Cosine == 0 && c.Record == nil {
			c.Cosine = direction.Cosine(c.Ref)
		}
	}
	s.ranking.Nearness = direction.Whole
	s.meaning = true
	return nil
}

// direction embeds the question, once.
func (s *search) direction(ctx context.Context) (semantic.Direction, error) {
	if s.pointed == nil {
		s.pointed = s.searcher.vectors.Point(ctx, s.snap, s.query.Words)
	}
	s.note(s.pointed.Note)
	s.embedder = s.pointed.Embedder
	return s.pointed.Direction, s.pointed.Err
}

// find asks the keyword retriever.
func (fullText) find(s *search) index.Found {
	found := s.snap.Find(index.Query{
		Terms: s.ranking.Query, Limit: s.poolSize(), Accept: s.filter.fileTest(), Chunk: s.filter.chunkTest(), Corpus: s.elsewhere.corpus,
	})
	s.ranking.IDF, s.ranking.Unknown = found.IDF, found.Unknown
	return found
}

// candidate returns the candidate of a chunk, a new one when no provider proposed it so far.
func (s *search) candidate(ref index.Ref) *rank.Candidate {
	c := s.byChunk[ref]
	if c == nil {
		c = rank.NewCandidate(ref, s.ranking.Terms)
		s.byChunk[ref] = c
		s.candidates = append(s.candidates, c)
		s.total++ // rough when the keyword retriever matched it beyond its pool
	}
	return c
}

// poolSize is how many chunks to ask the lexical retriever for: more than needed, as some turn out to be gone, doubles, or
// without the phrase.
func (s *search) poolSize() int {
	n := max(minPool, 2*s.limit)
	if len(s.query.Phrases) > 0 {
		n = max(n, 1000)
	}
	return n
}

func (f *filter) fileTest() func(*index.File) bool {
	if len(f.languages)+len(f.typed)+len(f.paths)+len(f.exclude)+len(f.projects) == 0 {
		return nil
	}
	return f.acceptFile
}

func (f *filter) chunkTest() func(index.Ref) bool {
	if len(f.types)+len(f.kinds) == 0 {
		return nil
	}
	return f.acceptChunk
}

// proposeNamed adds the chunks called name, in the tier of their spelling.
func (p symbols) proposeNamed(s *search, name string) {
	last, best := codebase.LastName(name), rank.ByText
	for _, ref := range codebase.Definitions(s.snap, name, maxNamed, s.filter.accept) {
		t := rank.Folded
		if own := ref.Chunk().Name; isRule(ref) {
			if hasSelector(ref, strings.TrimLeft(string(s.mark), "\x00")+name) {
				t = rank.Exact
			}
		} else if bare := strings.TrimPrefix(own, "#"); s.mark == 0 && (bare == name || codebase.LastName(bare) == last) || s.mark == '#' && bare != own && bare == name {
			t = rank.Exact // #name is private in JavaScript
		}
		c := s.candidate(ref)
		c.Raise(t, ref.Chunk().Name)
		s.proposed(c, float64(t))
		if codebase.IsDefinition(ref) || t == rank.Exact {
			best = max(best, t)
		}
	}
	p.proposeSymbols(s, name, best)
}

// list proposes every chunk that passes the filters, in the order of paths.
func (s *search) list(ctx context.Context) {
	var files []*index.File
	for f := range s.snap.Listed() {
		if s.filter.acceptFile(f) {
			files = append(files, f)
		}
	}
	slices.SortFunc(files, func(a, b *index.File) int { return strings.Compare(a.Path, b.Path) })
	for _, f := range files {
		if ctx.Err() != nil {
			return
		}
		for i := range f.Loaded().Chunks {
			if ref := (index.Ref{File: f, Index: i}); s.filter.acceptChunk(ref) {
				s.total++
				if len(s.candidates) < s.poolSize() {
					s.candidates = append(s.candidates, &rank.Candidate{Ref: ref})
				}
			}
		}
	}
}
