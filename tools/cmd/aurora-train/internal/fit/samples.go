package fit

import (
	"math"
	"math/rand/v2"

	"github.com/aurora-sidecar/aurora/tools/cmd/aurora-train/internal/corpus"
)

// samples are the pairs as the training loop needs them: rows and counts of both sides, one after the other.
type samples struct {
	rows   []uint32
	counts []uint8
	starts []int // of side 2i (query of pair i), side 2i+1 (its code), and the end
	sums   []uint64
	repos  [][]int // pairs of each repository
}

// newSamples keeps the tokens that have rows, and the pairs that have some on both sides.
func newSamples(repositories []corpus.Repository, v *Vocabulary) *samples {
	s := &samples{starts: []int{0}}
	for _, r := range repositories {
		var pairs []int
		for _, p := range r.Pairs {
			mark, sides := len(s.rows), len(s.sums)
			if !s.addSide(p.Query, v) || !s.addSide(p.Code, v) {
				s.rows, s.counts, s.sums, s.starts = s.rows[:mark], s.counts[:mark], s.sums[:sides], s.starts[:sides+1]
				continue
			}
			pairs = append(pairs, sides/2)
		}
		s.repos = append(s.repos, pairs)
	}
	return s
}

func (s *samples) addSide(bag corpus.Bag, v *Vocabulary) bool {
	before := len(s.rows)
	for _, t := range bag {
		if row, ok := v.Rows[t.Hash]; ok {
			s.rows = append(s.rows, row)
			s.counts = append(s.counts, t.Count)
		}
	}
	s.starts = append(s.starts, len(s.rows))
	s.sums = append(s.sums, bag.Sum())
	return len(s.rows) > before
}

// pairs returns the number of pairs.
func (s *samples) pairs() int { return len(s.sums) / 2 }

// side returns the rows and counts of one side: 2i of the query of pair i, 2i+1 of its code.
func (s *samples) side(i int) ([]uint32, []uint8) {
	from, to := s.starts[i], s.starts[i+1]
	return s.rows[from:to], s.counts[from:to]
}

// batches returns the pairs of one epoch in batches of size. Each is made of two halves of one repository, so that about
// half of the others in a batch are of the same repository and have to be told from each other by more than its jargon.
// What is left over of repositories is mixed.
func (s *samples) batches(size int, random *rand.Rand) [][]int {
	half := size / 2
	var groups [][]int
	var rest []int
	shuffle := func(list []int) { random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] }) }
	for _, r := range s.repos {
		pairs := append([]int(nil), r...)
		shuffle(pairs)
		for ; len(pairs) >= half; pairs = pairs[half:] {
			groups = append(groups, pairs[:half])
		}
		rest = append(rest, pairs...)
	}
	shuffle(rest)
	for ; len(rest) >= half; rest = rest[half:] {
		groups = append(groups, rest[:half])
	}
	random.Shuffle(len(groups), func(i, j int) { groups[i], groups[j] = groups[j], groups[i] })
	var all [][]int
	for ; len(groups) >= 2; groups = groups[2:] {
		all = append(all, append(append(make([]int, 0, size), groups[0]...), groups[1]...))
	}
	return all
}

// roots are the square roots of counts.
var roots = func() (r [256]float32) {
	for i := range r {
		r[i] = float32(math.Sqrt(float64(i)))
	}
	return r
}()
