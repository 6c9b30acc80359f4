package fit

import (
	"cmp"
	"math"
	"slices"

	"github.com/aurora-sidecar/aurora/tools/cmd/aurora-train/internal/corpus"
)

// A Vocabulary is the tokens that get rows.
type Vocabulary struct {
	Hashes   []uint64          // by row
	IDF      []float64         // by row: log of all sides over those that hold the token
	Rows     map[uint64]uint32 // row of a hash
	Coverage float64           // share of all occurrences of tokens
}

// NewVocabulary chooses the tokens of at least two repositories with the highest sums, over repositories, of the square
// root of their occurrences in it: what many repositories say counts more than what one says often.
func NewVocabulary(repositories []corpus.Repository, limit int) *Vocabulary {
	type usage struct {
		score        float64
		count        int // occurrences
		sides        int
		repositories int
	}
	all := map[uint64]*usage{}
	sides, total := 0, 0
	for _, r := range repositories {
		counts := map[uint64]int{}
		for _, p := range r.Pairs {
			for _, bag := range []corpus.Bag{p.Query, p.Code} {
				sides++
				for _, t := range bag {
					counts[t.Hash] += int(t.Count)
					u := all[t.Hash]
					if u == nil {
						u = &usage{}
						all[t.Hash] = u
					}
					u.sides++
				}
			}
		}
		for h, n := range counts { // one addition to each sum, so the order does not matter
			u := all[h]
			u.score += math.Sqrt(float64(n))
			u.count += n
			u.repositories++
			total += n
		}
	}
	v := &Vocabulary{Rows: map[uint64]uint32{}}
	for h, u := range all {
		if u.repositories >= 2 {
			v.Hashes = append(v.Hashes, h)
		}
	}
	slices.SortFunc(v.Hashes, func(a, b uint64) int {
		return cmp.Or(cmp.Compare(all[b].score, all[a].score), cmp.Compare(a, b))
	})
	v.Hashes = slices.Clip(v.Hashes[:min(limit, len(v.Hashes))])
	covered := 0
	for row, h := range v.Hashes {
		v.Rows[h] = uint32(row)
		v.IDF = append(v.IDF, math.Log(float64(sides)/float64(all[h].sides)))
		covered += all[h].count
	}
	v.Coverage = float64(covered) / float64(max(1, total))
	return v
}
