package semantic

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/aurora-sidecar/aurora/index/embed"
)

// vectorNear is a random vector around another, as texts on one matter have.
func vectorNear(random *rand.Rand, center []float64) embed.Vector {
	vec := make(embed.Vector, len(center))
	for i := range vec {
		vec[i] = int8(math.Round(max(-127, min(127, center[i]+25*random.NormFloat64()))))
	}
	return vec
}

func centers(random *rand.Rand, n, width int) [][]float64 {
	list := make([][]float64, n)
	for i := range list {
		list[i] = make([]float64, width)
		for j := range list[i] {
			list[i][j] = 30 * random.NormFloat64()
		}
	}
	return list
}

// TestNearestOfMany holds that comparing signs first loses few of the nearest.
func TestNearestOfMany(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	matters := centers(random, 200, 384)
	var table vectorTable
	for i := range 2 * comparedWhole {
		table.set(i, vectorNear(random, matters[random.IntN(len(matters))]), "w")
	}
	asked, found := 8, 0
	for range asked {
		question := vectorNear(random, matters[random.IntN(len(matters))])
		all := make([]nearRow, table.count())
		for i := range all {
			all[i] = nearRow{i, cosine(question, table.row(i))}
		}
		slices.SortFunc(all, func(a, b nearRow) int { return cmp.Compare(b.cosine, a.cosine) })
		got := table.nearest(question, -1, nil)
		if len(got) != mostNear || math.Abs(got[0].cosine-all[0].cosine) > 1e-6 {
			t.Fatalf("%d rows, the best %+v, want %+v", len(got), got[0], all[0])
		}
		for _, want := range all[:50] {
			if slices.ContainsFunc(got, func(r nearRow) bool { return r.row == want.row }) {
				found++
			}
		}
	}
	if share := float64(found) / float64(50*asked); share < 0.97 {
		t.Errorf("%.3f of the nearest 50", share)
	}
}

// TestTableOfChanges holds a table against a plain list of the same vectors through many changes.
func TestTableOfChanges(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	matters := centers(random, 5, 70)
	type entry struct {
		vec       embed.Vector
		workspace string
	}
	var table vectorTable
	var want []entry
	for step := range 600 {
		vec, workspace := vectorNear(random, matters[random.IntN(5)]), []string{"", "a", "b"}[random.IntN(3)]
		switch i := random.IntN(len(want) + 1); {
		case i < len(want) && random.IntN(3) == 0:
			want[i] = want[len(want)-1]
			want = want[:len(want)-1]
			table.drop(i)
		case i < len(want) && random.IntN(2) == 0:
			want[i].workspace = workspace
			table.place(i, workspace)
		case i < len(want) && random.IntN(2) == 0:
			want[i] = entry{vec, workspace}
			table.set(i, vec, workspace)
		default:
			want = append(want, entry{vec, workspace})
			table.set(len(want)-1, vec, workspace)
		}
		if step%20 != 0 {
			continue
		}
		var expected []string
		for i, e := range want {
			if c := cosine(vec, e.vec); c >= 0.1 && e.workspace != "b" {
				expected = append(expected, fmt.Sprintf("%d %.5f", i, c))
			}
		}
		var got []string
		for _, r := range table.nearest(vec, 0.1, []string{"a"}) {
			got = append(got, fmt.Sprintf("%d %.5f", r.row, r.cosine))
		}
		slices.Sort(expected)
		slices.Sort(got)
		if !slices.Equal(got, expected) {
			t.Fatalf("step %d: got %v, want %v", step, got, expected)
		}
	}
}

// TestVectorOfAnotherLength holds that what can't be compared is near nothing, and breaks nothing.
func TestVectorOfAnotherLength(t *testing.T) {
	var table vectorTable
	if got := table.nearest(embed.Vector{1, 2}, -1, nil); got != nil {
		t.Errorf("an empty table has %v", got)
	}
	table.set(0, embed.Vector{1, 2, 3}, "")
	table.set(1, embed.Vector{1, 2}, "")
	got := table.nearest(embed.Vector{1, 2, 3}, 0.5, nil)
	if len(got) != 1 || got[0].row != 0 {
		t.Errorf("got %v", got)
	}
	if got := table.nearest(embed.Vector{1, 2}, -1, nil); got != nil {
		t.Errorf("a question of another length: %v", got)
	}
}

// BenchmarkNearest100k compares a question with the vectors of 100,000 records.
func BenchmarkNearest100k(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	matters := centers(random, 500, 384)
	var table vectorTable
	for i := range 100_000 {
		table.set(i, vectorNear(random, matters[random.IntN(len(matters))]), "w")
	}
	question := vectorNear(random, matters[0])
	for b.Loop() {
		table.nearest(question, -1, []string{"w"})
	}
}
