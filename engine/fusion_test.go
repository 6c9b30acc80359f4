package engine

import "testing"

// TestReciprocalRanks compares with sums worked out by hand: weights 1 and 1, k 60.
func TestReciprocalRanks(t *testing.T) {
	a, b, c := testCandidate("a.go", "a", 0), testCandidate("b.go", "b", 0), testCandidate("c.go", "c", 0)
	list := []*candidate{a, b, c}
	for id, scores := range map[string][]float64{"full_text": {9, 8, 0}, "semantic": {0, 0.8, 0.9}} {
		for i, score := range scores {
			if score > 0 {
				list[i].propose(id, score)
			}
		}
	}
	(&ranking{}).fuse(byRanks, list, []weighted{{"full_text", 1}, {"semantic", 1}})
	if list[0] != b {
		t.Fatalf("what both providers have is not first")
	}
	both, one := tierSpan[byText]*(61./62+61./62)/2, tierSpan[byText]*0.5
	if !near(b.final, both) || !near(a.final, one) || !near(c.final, one) {
		t.Errorf("got %v, %v, %v, want %v and %v", b.final, a.final, c.final, both, one)
	}
}

func near(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 }
