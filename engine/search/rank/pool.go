package rank

import (
	"cmp"
	"slices"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
)

// Found is what retrievers of another process say of a candidate.
type Found struct {
	Matched   []string // terms of the query that occur
	BM25      float64
	Tier      Tier
	Name      string // the name that matched, when Tier is not ByText
	Why       string
	Closeness float64
	Certain   float64
	Cosine    float64
	Symbol    *chunk.Symbol
	By        []string // ids of the providers that propose it
}

// Found tells what retrievers say of the candidate.
func (c *Candidate) Found() Found {
	f := Found{
		Matched: c.Matched, BM25: c.BM25, Tier: c.Tier, Name: c.name, Why: c.Why, Closeness: c.Closeness, Certain: c.certain, Cosine: c.Cosine, Symbol: c.Symbol,
	}
	for _, p := range c.By {
		f.By = append(f.By, p.Provider)
	}
	return f
}

// NewFound is a chunk that retrievers of another process found.
func NewFound(ref index.Ref, f Found) *Candidate {
	c := &Candidate{
		Ref: ref, wordMatch: wordMatch{BM25: f.BM25, Matched: f.Matched}, semanticMatch: semanticMatch{Cosine: f.Cosine},
		nameMatch: nameMatch{Tier: f.Tier, name: f.Name, Symbol: f.Symbol, Why: f.Why, Closeness: f.Closeness, certain: f.Certain},
	}
	for _, by := range f.By {
		c.Propose(by, max(f.BM25, f.Cosine))
	}
	return c
}

// KeepBest leaves of the chunks that a provider proposes those with the best scores, as if one index had been asked for so many. Others
// stay when another provider proposes them, as what that one alone knows of them.
func (r *Ranking) KeepBest(candidates []*Candidate, provider string, most int, score func(*Candidate) *float64) []*Candidate {
	by := func(c *Candidate) int {
		return slices.IndexFunc(c.By, func(p proposal) bool { return p.Provider == provider })
	}
	var proposed []*Candidate
	for _, c := range candidates {
		if c.Record == nil && by(c) >= 0 {
			proposed = append(proposed, c)
		}
	}
	if len(proposed) <= most {
		return candidates
	}
	slices.SortStableFunc(proposed, func(a, b *Candidate) int { return cmp.Compare(*score(b), *score(a)) })
	drop := map[*Candidate]bool{}
	for _, c := range proposed[most:] {
		i := by(c)
		c.By = slices.Delete(c.By, i, i+1)
		drop[c] = len(c.By) == 0
		if score(c) == &c.BM25 {
			c.BM25, c.Matched = 0, matchedTerms(r.Terms, c.Ref.Chunk().Name)
		}
	}
	return slices.DeleteFunc(candidates, func(c *Candidate) bool { return drop[c] })
}

// Words and Meaning are the scores of the providers that KeepBest is for.
func Words(c *Candidate) *float64   { return &c.BM25 }
func Meaning(c *Candidate) *float64 { return &c.Cosine }

// ActiveBase is how often and how lately the file of the candidate changed, 0..1, once candidates were activated.
func (c *Candidate) ActiveBase() float64 { return c.active.Base }
