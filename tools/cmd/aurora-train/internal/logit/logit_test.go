package logit

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestFitFindsTheWeights draws choices by known weights.
func TestFitFindsTheWeights(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	want := []float64{2, -1, 0.5}
	var queries []Query
	for range 4000 {
		q := Query{Group: "g"}
		for range 8 {
			q.Candidates = append(q.Candidates, []float64{random.Float64(), random.Float64(), random.Float64()})
		}
		q.Relevant = make([]bool, 8)
		q.Relevant[0] = true // so that there are probabilities
		p, _ := probabilities(q, want)
		at, left := 0, random.Float64()
		for ; at < 7 && left > p[at]; at++ {
			left -= p[at]
		}
		q.Relevant[0], q.Relevant[at] = false, true
		queries = append(queries, q)
	}
	got := Fit(queries, 3, 1e-3)
	for i := range want {
		if math.Abs(got[i]-want[i]) > 0.3 {
			t.Errorf("weights %v, want about %v", got, want)
		}
	}
	if Reciprocal(Query{Candidates: [][]float64{{0, 0, 0}, {1, 0, 0}}, Relevant: []bool{true, false}}, want) != 0.5 {
		t.Error("the second one is not at a half")
	}
}
