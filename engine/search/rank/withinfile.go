package rank

import (
	"cmp"
	_ "embed"
	"slices"
)

//go:embed within.json
var withinModel []byte

const (
	withinLines     = 32 // more of them speak neither for a chunk nor against it
	prototypeBehind = 1  // puts a prototype behind its function
)

// orderWithinFiles gives the scores of a file's chunks to them in another order: which file comes when stays as it is, and the
// chunk that is shown first of it is the one that a question about functions would mean. What ranks files well, the names of files
// and what they hold as a whole, says nothing of the chunks in them. A question for how something is done has weights of its own,
// since those of functions prefer a line or two that have one of its words to the function that does it.
func (r *Ranking) orderWithinFiles(groups []*group) {
	for _, g := range groups {
		finals, sums := make([]float64, len(g.list)), make(map[*Candidate]float64, len(g.list))
		for i, c := range g.list {
			finals[i], sums[c] = c.Final, r.scoreAction(c)
			g.acts = append(g.acts, sums[c])
		}
		if r.how || r.Observe.Within != nil {
			sums = r.sumWithin(g)
		}
		slices.SortFunc(finals, func(a, b float64) int { return cmp.Compare(b, a) })
		slices.SortStableFunc(g.list, func(a, b *Candidate) int {
			return cmp.Or(cmp.Compare(sums[b], sums[a]), cmp.Compare(b.Final, a.Final), cmp.Compare(a.Ref.Index, b.Ref.Index))
		})
		for i, c := range g.list {
			c.Final = finals[i]
		}
	}
}

// sumWithin weighs the chunks of a file by within.json.
func (r *Ranking) sumWithin(g *group) map[*Candidate]float64 {
	sums, observed := make(map[*Candidate]float64, len(g.list)), make([]Observed, len(g.list))
	for i, c := range g.list {
		features := withinFeatures(r, c)
		sums[c], observed[i] = withinSum(c, features), Observed{c.Ref, features}
	}
	if r.Observe.Within != nil {
		r.Observe.Within(observed)
	}
	return sums
}

// withinFeatures are the figures of ActionFeatures among the chunks of a file.
func withinFeatures(r *Ranking, c *Candidate) [12]float64 {
	features := r.actionFeatures(c)
	features[5] = lineShare(c.Ref.Chunk(), withinLines)
	return features
}

func withinSum(c *Candidate, features [12]float64) float64 {
	m := within()
	sum := m.sum(features)
	if c.prototype != 0 {
		sum -= prototypeBehind
	}
	return sum
}
