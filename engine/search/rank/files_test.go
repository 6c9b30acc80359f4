package rank

import (
	"slices"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/search/querytext"
	"github.com/aurora-sidecar/aurora/index"
)

// TestRankFiles holds that of two files of which the rules say the same, the one comes first of which all is near the question, that
// names and records stay where they are, and that the best score does.
func TestRankFiles(t *testing.T) {
	r := New(querytext.Parse("how is the parcel weight computed"), Options{})
	near, far, named := testCandidate("b.go", "f", 0), testCandidate("a.go", "g", 0), testCandidate("c.go", "parcel", 0)
	near.Final, far.Final, named.Final, named.Tier = 0.5, 0.5, 0.86, Folded
	record := recordCandidate("about parcels")
	record.Final = 0.45
	r.Nearness = func(f *index.File) float64 {
		if f == near.Ref.File {
			return 0.4
		}
		return 0.1
	}
	rank := func() { rankFiles(&r, gather([]*Candidate{far, near, named, record})) }
	rank()
	if near.Final != 0.5 || far.Final >= 0.5 || named.Final != 0.86 || record.Final != 0.45 {
		t.Errorf("near %v, far %v, a name %v, a record %v", near.Final, far.Final, named.Final, record.Final)
	}

	near.Final, far.Final, r.vague = 0.5, 0.5, true
	if rank(); near.Final != 0.5 || far.Final != 0.5 {
		t.Errorf("without vectors, files have another order: %v, %v", near.Final, far.Final)
	}
}

// TestRankFilesBeyond holds that files beyond those that are ranked stay behind them, in their order.
func TestRankFilesBeyond(t *testing.T) {
	r := New(querytext.Parse("how is the parcel weight computed"), Options{Nearness: func(*index.File) float64 { return 0 }})
	var list []*Candidate
	for i := range rankedFiles + 5 {
		c := testCandidate("f"+string(rune('A'+i))+".go", "f", 0)
		c.Final = 0.7 - float64(i)/1000
		list = append(list, c)
	}
	rankFiles(&r, gather(list))
	least := slices.MinFunc(list[:rankedFiles], func(a, b *Candidate) int { return int(1e6 * (a.Final - b.Final)) }).Final
	for i, c := range list[rankedFiles:] {
		if c.Final > least || i > 0 && c.Final > list[rankedFiles+i-1].Final {
			t.Errorf("file %d has %v, the least of those that are ranked %v", rankedFiles+i, c.Final, least)
		}
	}
}
