package rank

import (
	"cmp"
	"slices"

	"github.com/aurora-sidecar/aurora/index"
)

// orderWithinFiles gives the scores of a file's chunks to them in another order: which file comes when stays as it is, and the
// chunk that is shown first of it is the one that a question about functions would mean. What ranks files well, the names of files
// and what they hold as a whole, says nothing of the chunks in them.
func (r *Ranking) orderWithinFiles(candidates []*Candidate) {
	files := map[*index.File][]*Candidate{}
	for _, c := range candidates {
		if c.Record == nil && c.Tier == ByText && c.certain == 0 {
			files[c.Ref.File] = append(files[c.Ref.File], c)
		}
	}
	for _, list := range files {
		if len(list) < 2 {
			continue
		}
		finals := make([]float64, len(list))
		acts := make(map[*Candidate]float64, len(list))
		for i, c := range list {
			finals[i], acts[c] = c.Final, r.scoreAction(c)
		}
		slices.SortFunc(finals, func(a, b float64) int { return cmp.Compare(b, a) })
		slices.SortStableFunc(list, func(a, b *Candidate) int {
			return cmp.Or(cmp.Compare(acts[b], acts[a]), cmp.Compare(b.Final, a.Final), cmp.Compare(a.Ref.Index, b.Ref.Index))
		})
		for i, c := range list {
			c.Final = finals[i]
		}
	}
}
