package rank

import (
	"cmp"
	"slices"
)

// orderWithinFiles gives the scores of a file's chunks to them in another order: which file comes when stays as it is, and the
// chunk that is shown first of it is the one that a question about functions would mean. What ranks files well, the names of files
// and what they hold as a whole, says nothing of the chunks in them.
func (r *Ranking) orderWithinFiles(groups []*group) {
	for _, g := range groups {
		finals := make([]float64, len(g.list))
		acts := make(map[*Candidate]float64, len(g.list))
		for i, c := range g.list {
			finals[i], acts[c] = c.Final, r.scoreAction(c)
			g.acts = append(g.acts, acts[c])
		}
		slices.SortFunc(finals, func(a, b float64) int { return cmp.Compare(b, a) })
		slices.SortStableFunc(g.list, func(a, b *Candidate) int {
			return cmp.Or(cmp.Compare(acts[b], acts[a]), cmp.Compare(b.Final, a.Final), cmp.Compare(a.Ref.Index, b.Ref.Index))
		})
		for i, c := range g.list {
			c.Final = finals[i]
		}
	}
}
