package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// minPool is the least number of chunks that the lexical lane proposes (RET-001, stage 1). The rules that look at whole
// files want more of them than are shown.
const minPool = 300

// maxNamed is the most chunks of one name that the identifier lane proposes: names such as String or init have
// thousands, and the lexical lane proposes the best of them anyway.
const maxNamed = 200

// candidateSet holds the chunks that were proposed: one that several lanes propose is one candidate.
type candidateSet map[index.Ref]*candidate

// has reports whether a candidate is in the tier or a better one.
func (set candidateSet) has(t tier) bool {
	for _, c := range set {
		if c.tier >= t {
			return true
		}
	}
	return false
}

const (
	// meant is how many chunks the semantic lane proposes.
	meant = 100
	// minCosine is how near the question they must be: texts that have nothing to do with each other seldom reach it.
	minCosine = 0.3
)

// proposeMeant adds the chunks that mean what was asked, whatever their words, and tells of all candidates how near
// they are. A name means nothing but itself.
func (s *search) proposeMeant(ctx context.Context) error {
	if s.ranking.kind != proseQuery {
		return nil
	}
	direction, err := s.direction(ctx)
	if err != nil || direction.IsZero() {
		return err
	}
	near := direction.Nearest(index.Query{Limit: meant, Accept: s.acceptFiles(), Chunk: s.acceptChunks()})
	for _, h := range near {
		if h.Cosine < minCosine {
			break
		}
		c := s.byChunk[h.Ref]
		if c == nil {
			c = &candidate{ref: h.Ref, matched: matchedTerms(s.ranking.terms, h.Chunk().Name)}
			s.byChunk[h.Ref] = c
			s.candidates = append(s.candidates, c)
		}
		c.cosine = h.Cosine
		s.proposed(c, h.Cosine)
	}
	for _, c := range s.candidates {
		if c.cosine == 0 && c.record == nil {
			c.cosine = direction.Cosine(c.ref)
		}
	}
	s.meaning = true
	return nil
}

// pointed is what became of embedding a question.
type pointed struct {
	direction direction
	err       error
	note      string
	embedder  string // of the endpoint that made the vector, "" for the model in the program
}

// direction embeds the question, once.
func (s *search) direction(ctx context.Context) (direction, error) {
	if s.pointed == nil {
		s.pointed = s.engine.point(ctx, s.snap, s.query.words)
	}
	s.note(s.pointed.note)
	s.embedder = s.pointed.embedder
	return s.pointed.direction, s.pointed.err
}

// point embeds a question: by the endpoint, if there is one, and when that fails by the model in the program.
func (e *Engine) point(ctx context.Context, snap *index.Snapshot, words string) *pointed {
	p := &pointed{}
	if e.far == nil {
		if err := e.opts.EmbeddingsError; err != nil {
			p.note = "the embedding endpoint was not asked: " + err.Error()
		}
		p.direction, p.err = snap.Direction(ctx, words)
		return p
	}
	d, err := e.far.direction(ctx, snap, words)
	if err == nil {
		p.direction, p.note, p.embedder = d, e.far.lack(), e.far.opts.Remote.ID().String()
		return p
	}
	near, nearErr := snap.Direction(ctx, words)
	instead := "the model in the program answered instead"
	if nearErr != nil || near.IsZero() {
		instead = "only words were searched"
	}
	p.direction, p.err, p.note = near, nearErr, fmt.Sprintf("%v; %s", err, instead)
	return p
}

// find asks the keyword lane.
func (s *search) find() index.Found {
	found := s.snap.Find(index.Query{
		Terms: s.ranking.query, Limit: s.pool(), Accept: s.acceptFiles(), Chunk: s.acceptChunks(),
		Params: s.tuning.BM25,
	})
	s.ranking.idf, s.unknown = found.IDF, found.Unknown
	return found
}

// candidate returns the candidate of a chunk, a new one when no provider proposed it so far.
func (s *search) candidate(ref index.Ref) *candidate {
	c := s.byChunk[ref]
	if c == nil {
		c = &candidate{ref: ref, matched: matchedTerms(s.ranking.terms, ref.Chunk().Name)}
		s.byChunk[ref] = c
		s.candidates = append(s.candidates, c)
		s.total++ // rough when the keyword lane matched it beyond its pool
	}
	return c
}

// pool is how many chunks to ask the lexical lane for: more than needed, as some turn out to be gone, doubles, or
// without the phrase.
func (s *search) pool() int {
	n := max(s.tuning.Pool, 2*s.limit)
	if len(s.query.phrases) > 0 {
		n = max(n, 1000)
	}
	return n
}

func (s *search) acceptFiles() func(*index.File) bool {
	if len(s.filter.languages)+len(s.filter.typed)+len(s.filter.paths)+len(s.filter.exclude)+len(s.filter.projects) == 0 {
		return nil
	}
	return s.filter.acceptFile
}

func (s *search) acceptChunks() func(index.Ref) bool {
	if len(s.filter.types)+len(s.filter.kinds) == 0 {
		return nil
	}
	return s.filter.acceptChunk
}

// proposeNamed adds the chunks called name, in the tier of their spelling.
func (s *search) proposeNamed(name string) {
	last, found := codebase.LastName(name), false
	for _, ref := range codebase.Definitions(s.snap, name, maxNamed, s.filter.accept) {
		t := folded
		if own := ref.Chunk().Name; own == name || codebase.LastName(own) == last {
			t = exact
		}
		c := s.candidate(ref)
		c.raise(t, ref.Chunk().Name)
		s.proposed(c, float64(t))
		found = found || t == exact
	}
	if !found {
		s.proposeLocals(name)
	}
}

// matchedTerms returns the terms that are tokens of name.
func matchedTerms(terms []string, name string) []string {
	var out []string
	tokens := text.Tokenize(name)
	for _, t := range terms {
		if slices.Contains(tokens, t) {
			out = append(out, t)
		}
	}
	return out
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
				if len(s.candidates) < s.pool() {
					s.candidates = append(s.candidates, &candidate{ref: ref})
				}
			}
		}
	}
}
