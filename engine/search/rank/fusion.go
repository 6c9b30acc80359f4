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
}

// Propose notes that a provider proposes the candidate.
func (c *Candidate) Propose(provider string, score float64) {
	for i := range c.By {
		if c.By[i].Provider == provider {
			c.By[i].score = max(c.By[i].score, score)
			return
		}
	}
	c.By = append(c.By, proposal{provider, score})
}

// Weighted is a provider with what its proposals weigh in a fusion.
type Weighted struct {
	ID     string
	Weight float64
}

// Fuse gives every candidate its final score by another strategy than the rules, and sorts them. The providers stand in the
// order in which they are asked. Tiers stay above scores: an exact name is first in every fusion.
func (r *Ranking) Fuse(fusion string, candidates []*Candidate, providers []Weighted) {
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
			switch fusion {
			case byRanks:
				sums[c] += p.Weight * (rrfK + 1) / float64(rrfK+rank+1)
			case byScores:
				if best > 0 {
					sums[c] += p.Weight * c.scoreBy(p.ID) / best
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
	for _, p := range c.By {
		if p.Provider == provider {
			return p.score
		}
	}
	return 0
}
