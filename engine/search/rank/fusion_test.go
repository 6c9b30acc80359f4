package rank

import "testing"

// TestReciprocalRanks compares with sums worked out by hand: weights 1 and 1, k 60.
func TestReciprocalRanks(t *testing.T) {
	a, b, c := testCandidate("a.go", "a", 0), testCandidate("b.go", "b", 0), testCandidate("c.go", "c", 0)
	list := []*Candidate{a, b, c}
	for id, scores := range map[string][]float64{"full_text": {9, 8, 0}, "semantic": {0, 0.8, 0.9}} {
		for i, score := range scores {
			if score > 0 {
				list[i].Propose(id, score)
			}
		}
	}
	(&Ranking{}).Fuse(byRanks, list, []Weighted{{"full_text", 1}, {"semantic", 1}})
	if list[0] != b {
		t.Fatalf("what both providers have is not first")
	}
	both, one := tierSpan[ByText]*(61./62+61./62)/2, tierSpan[ByText]*0.5
	if !near(b.Final, both) || !near(a.Final, one) || !near(c.Final, one) {
		t.Errorf("got %v, %v, %v, want %v and %v", b.Final, a.Final, c.Final, both, one)
	}
}

func near(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 }
