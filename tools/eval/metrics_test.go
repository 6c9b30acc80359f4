package eval

import (
	"math"
	"testing"
)

// hit is a place of ten lines and of so many tokens.
func hit(path, name string, start, tokens int) Place {
	return Place{Path: path, Name: name, StartLine: start, EndLine: start + 9, Tokens: tokens}
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

// TestMetrics compares with values that were worked out on paper from the definitions.
func TestMetrics(t *testing.T) {
	a, b, c := hit("a.go", "A", 1, 300), hit("b.go", "T.B", 1, 300), hit("c.go", "C", 1, 600)
	log3, log4 := math.Log2(3), 2.0
	for _, tt := range []struct {
		name    string
		hits    []Place
		targets []Target
		want    Metrics
	}{
		{"nothing found", []Place{a, b}, []Target{{Path: "x.go"}}, Metrics{}},
		{"no hit at all", nil, []Target{{Path: "x.go"}}, Metrics{}},
		{"first", []Place{a, b, c}, []Target{{Path: "a.go"}},
			Metrics{1, 1, 0.2, 1, 1, 1, 1, 1, 1}},
		{"second", []Place{a, b, c}, []Target{{Path: "b.go", Name: "B"}},
			Metrics{1 / log3, 0.5, 0.2, 0, 1, 1, 0, 1, 1}},
		{"two of three, the third beyond the budgets of 500 and 1000 tokens", []Place{a, b, c}, []Target{{Path: "a.go"}, {Path: "c.go"}, {Path: "x.go"}},
			Metrics{(1 + 1/log4) / (1 + 1/log3 + 1/log4), 1, 0.4, 1. / 3, 2. / 3, 2. / 3, 1. / 3, 1. / 3, 2. / 3}},
		{"a second hit on the same target gains nothing and takes a rank", []Place{a, a, b}, []Target{{Path: "a.go"}, {Path: "b.go"}},
			Metrics{(1 + 1/log4) / (1 + 1/log3), 1, 0.6, 0.5, 1, 1, 0.5, 1, 1}},
		{"one hit that covers two targets counts its rank once", []Place{a}, []Target{{Path: "a.go"}, {Path: "a.go", StartLine: 5, EndLine: 6}},
			Metrics{1 / (1 + 1/log3), 1, 0.2, 1, 1, 1, 1, 1, 1}},
	} {
		got := score(tt.hits, tt.targets)
		g, w := got.fields(), tt.want.fields()
		for i := range g {
			if !near(*g[i], *w[i]) {
				t.Errorf("%s: got %+v, want %+v", tt.name, got, tt.want)
				break
			}
		}
	}
}

func TestEleventhHitCountsForNoRankingMetric(t *testing.T) {
	var hits []Place
	for range cut {
		hits = append(hits, hit("other.go", "", 1, 10))
	}
	hits = append(hits, hit("a.go", "", 1, 10))
	m := score(hits, []Target{{Path: "a.go"}})
	if m.NDCG != 0 || m.MRR != 0 || m.Recall10 != 0 || m.Recall500 != 1 {
		t.Errorf("%+v", m)
	}
}

func TestTargetCoveredBy(t *testing.T) {
	h := hit("src/lib/a.go", "Outer.Engine.Run", 20, 1) // lines 20 to 29
	for _, tt := range []struct {
		target Target
		want   bool
	}{
		{Target{Path: "src/lib/a.go"}, true},
		{Target{Path: "lib/a.go"}, true},
		{Target{Path: "x/src/lib/a.go"}, true},
		{Target{Path: "src/"}, true},
		{Target{Path: "lib/"}, false},
		{Target{Path: "b/a.go"}, false},
		{Target{Path: "ib/a.go"}, false},
		{Target{Path: "lib/a.go", Name: "Run"}, true},
		{Target{Path: "lib/a.go", Name: "Engine.Run"}, true},
		{Target{Path: "lib/a.go", Name: "gine.Run"}, false},
		{Target{Path: "lib/a.go", StartLine: 29, EndLine: 40}, true},
		{Target{Path: "lib/a.go", StartLine: 30, EndLine: 40}, false},
		{Target{Path: "lib/a.go", StartLine: 1, EndLine: 19}, false},
		{Target{Path: "lib/a.go", StartLine: 29, EndLine: 29, MaxLines: 10}, true},
		{Target{Path: "lib/a.go", StartLine: 29, EndLine: 29, MaxLines: 9}, false},
	} {
		if got := tt.target.coveredBy(&h); got != tt.want {
			t.Errorf("%+v: %v", tt.target, got)
		}
	}
}

func TestPercentile(t *testing.T) {
	for _, tt := range []struct {
		sorted []float64
		p      float64
		want   float64
	}{{nil, 0.5, 0}, {[]float64{7}, 0.95, 7}, {[]float64{1, 2, 3, 4}, 0.5, 2}, {[]float64{1, 2, 3, 4}, 0.95, 4}} {
		if got := percentile(tt.sorted, tt.p); got != tt.want {
			t.Errorf("%v at %v: %v, want %v", tt.sorted, tt.p, got, tt.want)
		}
	}
}
