package rank

import (
	"cmp"
	"slices"
)

// The ways to make one list of what providers propose.
const (
	ByRules   = "rules"            // the rules of package docs/search.md; the default
	byRanks   = "rrf"              // reciprocal rank fusion
	byScores  = "weighted_average" // of the scores as shares of the provider's best one
	byCascade = "cascade"          // all of the first provider, then what else the second one has, ...
)

// Fusions are the values of SearchRequest.Fusion.
var Fusions = []string{ByRules, byRanks, byScores, byCascade}

// rrfK is the constant of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009).
const rrfK = 60

// A proposal is what one provider said of a candidate.
type proposal struct {
	Provider string
	score    float64 // only comparable with others of the provider
	share    float64 // of the score that a fusion gave
}

// Propose notes that a provider proposes the candidate.
func (c *Candidate) Propose(provider string, score float64) {
	if p := c.by(provider); p != nil {
		p.score = max(p.score, score)
		return
	}
	c.By = append(c.By, proposal{Provider: provider, score: score})
}

// Weighted is a provider with what its proposals weigh in a fusion.
type Weighted struct {
	ID     string
	Weight float64
}

// Fuse gives every candidate its final score by another strategy than the rules, and sorts them. The providers stand in the
// order in which they are asked. Tiers stay above scores: an exact name is first in every fusion.
func (r *Ranking) Fuse(fusion string, candidates []*Candidate, providers []Weighted) {
	r.fused = fusion
	r.normalise(candidates)
	r.vague = !normaliseCosines(candidates)
	total, sums := 0.0, map[*Candidate]float64{}
	lists := proposalLists(candidates)
	for turn, p := range providers {
		list := lists[p.ID]
		if len(list) == 0 {
			continue
		}
		total += p.Weight
		best := list[0].scoreBy(p.ID)
		for rank, c := range list {
			share := 0.0
			switch fusion {
			case byRanks:
				share = p.Weight * (rrfK + 1) / float64(rrfK+rank+1)
			case byScores:
				if best > 0 {
					share = p.Weight * c.scoreBy(p.ID) / best
				}
			case byCascade:
				if _, earlier := sums[c]; !earlier {
					share = 1 / (1 + float64(turn) + float64(rank)/float64(len(list)))
				}
			}
			sums[c] += share
			c.by(p.ID).share = share
		}
	}
	if fusion == byCascade || total <= 0 {
		total = 1
	}
	for _, c := range candidates {
		score := sums[c] / total
		for i := range c.By {
			c.By[i].share /= total
		}
		c.Final = tierFloor[c.Tier] + tierSpan[c.Tier]*min(1, score)
	}
	sortCandidates(candidates)
}

// proposalLists are the candidates of each provider, best first.
func proposalLists(candidates []*Candidate) map[string][]*Candidate {
	lists := map[string][]*Candidate{}
	for _, c := range candidates {
		for _, p := range c.By {
			lists[p.Provider] = append(lists[p.Provider], c)
		}
	}
	for id, list := range lists {
		slices.SortStableFunc(list, func(a, b *Candidate) int {
			return cmp.Or(cmp.Compare(b.scoreBy(id), a.scoreBy(id)), cmp.Compare(a.path(), b.path()), cmp.Compare(a.Ref.Index, b.Ref.Index))
		})
	}
	return lists
}

func (c *Candidate) scoreBy(provider string) float64 {
	if p := c.by(provider); p != nil {
		return p.score
	}
	return 0
}

// by is what the provider said, nil for nothing.
func (c *Candidate) by(provider string) *proposal {
	for i := range c.By {
		if c.By[i].Provider == provider {
			return &c.By[i]
		}
	}
	return nil
}
