package engine

import (
	"cmp"
	"slices"
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

// rrfK is the constant of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009; PRV-020).
const rrfK = 60

// A proposal is what one provider said of a candidate.
type proposal struct {
	provider string
	score    float64 // only comparable with others of the provider
}

// proposed notes that the provider that is being asked proposes c.
func (s *search) proposed(c *candidate, score float64) {
	s.proposals++
	for i := range c.by {
		if c.by[i].provider == s.asking {
			c.by[i].score = max(c.by[i].score, score)
			return
		}
	}
	c.by = append(c.by, proposal{s.asking, score})
}

// fuse gives every candidate its final score by another strategy than the rules, and sorts them. Tiers stay above scores:
// an exact name is first in every fusion.
func (s *search) fuse(fusion string) {
	s.ranking.normalise(s.candidates)
	s.ranking.vague = !normaliseCosines(s.candidates)
	registry := s.engine.providers
	total, sums := 0.0, map[*candidate]float64{}
	lists := s.proposalLists()
	for turn, id := range registry.ids() {
		list := lists[id]
		if len(list) == 0 {
			continue
		}
		weight := registry.settings[id].Weight
		total += weight
		best := list[0].scoreBy(id)
		for rank, c := range list {
			switch fusion {
			case byRanks:
				sums[c] += weight * (rrfK + 1) / float64(rrfK+rank+1)
			case byScores:
				if best > 0 {
					sums[c] += weight * c.scoreBy(id) / best
				}
			case byCascade:
				if _, earlier := sums[c]; !earlier {
					sums[c] = 1 / (1 + float64(turn) + float64(rank)/float64(len(list)))
				}
			}
		}
	}
	for _, c := range s.candidates {
		score := sums[c]
		if fusion != byCascade && total > 0 {
			score /= total
		}
		c.final = tierFloor[c.tier] + tierSpan[c.tier]*min(1, score)
	}
	sortCandidates(s.candidates)
}

// proposalLists are the candidates of each provider, best first.
func (s *search) proposalLists() map[string][]*candidate {
	lists := map[string][]*candidate{}
	for _, c := range s.candidates {
		for _, p := range c.by {
			lists[p.provider] = append(lists[p.provider], c)
		}
	}
	for id, list := range lists {
		slices.SortStableFunc(list, func(a, b *candidate) int {
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
