package sortby_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/sortby"
)

type item struct {
	key, at int
}

func byKey(a, b item) int { return cmp.Compare(a.key, b.key) }

// TestSameAsSlices holds that no list changes its order, not even among equals.
func TestSameAsSlices(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 300 {
		list := make([]item, n)
		for i := range list {
			list[i] = item{key: random.IntN(1 + n/3), at: i}
		}
		for _, way := range []struct {
			name       string
			ours, want func([]item, func(a, b item) int)
		}{
			{"Func", sortby.Func[item], slices.SortFunc[[]item]},
			{"Stable", sortby.Stable[item], slices.SortStableFunc[[]item]},
		} {
			got, want := slices.Clone(list), slices.Clone(list)
			way.ours(got, byKey)
			way.want(want, byKey)
			if !slices.Equal(got, want) {
				t.Fatalf("%s of %v\n got %v\nwant %v", way.name, list, got, want)
			}
		}
		if got, want := sortby.Sorted(slices.Values(list), byKey), slices.SortedFunc(slices.Values(list), byKey); !slices.Equal(got, want) {
			t.Fatalf("Sorted: got %v, want %v", got, want)
		}
	}
}
