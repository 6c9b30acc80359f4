package engine

import (
	"cmp"

	"github.com/aurora-sidecar/aurora/internal/sortby"
)

// The ways to make one list of what providers propose.
const (
	byRules   = "rules"            // the rules of package docs/search.md; the default
	byRanks   = "rrf"              // reciprocal rank fusion
	byScores  = "weighted_average" // of the scores as shares of the provider's best one
	byCascade = "cascade"          // all of the first provider, then what else the second one has, ...
)

// Fusions are the values of SearchRequest.Fusion.
var Fusions = []string{byRules, byRanks, byScores, byCascade}

// rrfK is the constant of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009).
const rrfK = 60

// A proposal is what one provider said of a candidate.
type proposal struct {
	provider string
	score    float64 // only comparable with others of the provider
}

// propose notes that a provider proposes the candidate.
func (c *candidate) propose(provider string, score float64) {
	for i := range c.by {
		if c.by[i].provider == provider {
			c.by[i].score = max(c.by[i].score, score)
			return
		}
	}
	c.by = append(c.by, proposal{provider, score})
}

// weighted is a provider with what its proposals weigh in a fusion.
type weighted struct {
	id     string
	weight float64
}

// fuse gives every candidate its final score by another strategy than the rules, and sorts them. The providers stand in the
// order in which they are asked. Tiers stay above scores: an exact name is first in every fusion.
func (r *ranking) fuse(fusion string, candidates []*candidate, providers []weighted) {
	r.normalise(candidates)
	r.vague = !normaliseCosines(candidates)
	total, sums := 0.0, map[*candidate]float64{}
	lists := proposalLists(candidates)
	for turn, p := range providers {
		list := lists[p.id]
		if len(list) == 0 {
			continue
		}
		total += p.weight
		best := list[0].scoreBy(p.id)
		for rank, c := range list {
			switch fusion {
			case byRanks:
				sums[c] += p.weight * (rrfK + 1) / float64(rrfK+rank+1)
			case byScores:
				if best > 0 {
					sums[c] += p.weight * c.scoreBy(p.id) / best
				}
			case byCascade:
				if _, earlier := sums[c]; !earlier {
					sums[c] = 1 / (1 + float64(turn) + float64(rank)/float64(len(list)))
				}
			}
		}
	}
	for _, c := range candidates {
		score := sums[c]
		if fusion != byCascade && total > 0 {
			score /= total
		}
		c.final = tierFloor[c.tier] + tierSpan[c.tier]*min(1, score)
	}
	sortCandidates(candidates)
}

// proposalLists are the candidates of each provider, best first.
func proposalLists(candidates []*candidate) map[string][]*candidate {
	lists := map[string][]*candidate{}
	for _, c := range candidates {
		for _, p := range c.by {
			lists[p.provider] = append(lists[p.provider], c)
		}
	}
	for id, list := range lists {
		sortby.Stable(list, func(a, b *candidate) int {
			return cmp.Or(cmp.Compare(b.scoreBy(id), a.scoreBy(id)), cmp.Compare(a.path(), b.path()), cmp.Compare(a.ref.Index, b.ref.Index))
		})
	}
	return lists
}

func (c *candidate) scoreBy(provider string) float64 {
	for _, p := range c.by {
		if p.provider == provider {
			return p.score
		}
	}
	return 0
}
