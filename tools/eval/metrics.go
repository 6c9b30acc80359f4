package eval

import (
	"math"
	"strings"
)

// cut is how many hits the ranking metrics look at.
const cut = 10

// budgets are the numbers of tokens for which recall is measured.
var budgets = [...]int{500, 1000, 2000}

// Metrics are the figures of one query, or the means of many. All lie in 0..1.
type Metrics struct {
	NDCG       float64 `json:"ndcg10"`
	MRR        float64 `json:"mrr10"`
	Precision5 float64 `json:"precision5"`
	Recall1    float64 `json:"recall1"`
	Recall5    float64 `json:"recall5"`
	Recall10   float64 `json:"recall10"`
	Recall500  float64 `json:"recall_500_tokens"` // of what the first hits of together so many tokens hold
	Recall1000 float64 `json:"recall_1000_tokens"`
	Recall2000 float64 `json:"recall_2000_tokens"`
}

// A Place is where a hit is.
type Place struct {
	Path      string `json:"path"`
	Name      string `json:"name,omitempty"` // qualified
	StartLine int    `json:"start_line"`     // one-based
	EndLine   int    `json:"end_line"`       // inclusive
	Tokens    int    `json:"tokens"`         // estimated, of the text
}

// score computes the metrics of a ranked list.
//
// A target counts once, at the first hit that covers it, and a rank counts once even if it is the first for several
// targets. Gains are binary; the ideal list has min(10, targets) hits on top. Further hits on a target that is found
// already gain nothing and take up a rank.
func score(hits []Place, targets []Target) Metrics {
	if len(targets) == 0 {
		return Metrics{}
	}
	first := firstRanks(hits, targets)
	m := Metrics{
		NDCG: ndcg(first), MRR: reciprocal(first), Precision5: precision(hits, targets, 5),
		Recall1: recall(first, 1), Recall5: recall(first, 5), Recall10: recall(first, cut),
	}
	for i, into := range []*float64{&m.Recall500, &m.Recall1000, &m.Recall2000} {
		*into = recall(first, within(hits, budgets[i]))
	}
	return m
}

// firstRanks returns for each target the zero-based rank of the first hit that covers it, or -1.
func firstRanks(hits []Place, targets []Target) []int {
	first := make([]int, len(targets))
	for t := range targets {
		first[t] = -1
		for i := range hits {
			if targets[t].coveredBy(&hits[i]) {
				first[t] = i
				break
			}
		}
	}
	return first
}

func ndcg(first []int) float64 {
	seen := map[int]bool{}
	got, ideal := 0.0, 0.0
	for t, rank := range first {
		if t < cut {
			ideal += gain(t)
		}
		if rank >= 0 && rank < cut && !seen[rank] {
			seen[rank] = true
			got += gain(rank)
		}
	}
	return got / ideal
}

func gain(rank int) float64 { return 1 / math.Log2(float64(rank)+2) }

// reciprocal is 1 / rank of the first hit that is right.
func reciprocal(first []int) float64 {
	best := 0.0
	for _, rank := range first {
		if rank >= 0 && rank < cut {
			best = max(best, 1/float64(rank+1))
		}
	}
	return best
}

// recall is the share of targets that the first k hits cover.
func recall(first []int, k int) float64 {
	n := 0
	for _, rank := range first {
		if rank >= 0 && rank < k {
			n++
		}
	}
	return float64(n) / float64(len(first))
}

// precision is the share of the first k places that are right; places without a hit are not.
func precision(hits []Place, targets []Target, k int) float64 {
	n := 0
	for i := range hits[:min(k, len(hits))] {
		for t := range targets {
			if targets[t].coveredBy(&hits[i]) {
				n++
				break
			}
		}
	}
	return float64(n) / float64(k)
}

// within is how many of the first hits together have at most budget tokens.
func within(hits []Place, budget int) int {
	for i := range hits {
		if budget -= hits[i].Tokens; budget < 0 {
			return i
		}
	}
	return len(hits)
}

// coveredBy reports whether the hit shows the target.
func (t *Target) coveredBy(h *Place) bool {
	if strings.HasSuffix(t.Path, "/") {
		return strings.HasPrefix(h.Path, t.Path)
	}
	if !samePath(h.Path, t.Path) {
		return false
	}
	if t.Name != "" && h.Name != t.Name && !strings.HasSuffix(h.Name, "."+t.Name) {
		return false
	}
	if t.StartLine == 0 {
		return true
	}
	if t.MaxLines > 0 && h.EndLine-h.StartLine+1 > t.MaxLines {
		return false
	}
	return h.StartLine <= t.EndLine && h.EndLine >= t.StartLine
}

// samePath reports whether two paths are equal, or one is the end of the other from a '/' on: labels are not always
// relative to the same folder.
func samePath(a, b string) bool {
	return a == b || strings.HasSuffix(a, "/"+b) || strings.HasSuffix(b, "/"+a)
}

// add sums metrics; scale divides a sum.
func (m *Metrics) add(o Metrics) {
	to, from := m.fields(), o.fields()
	for i := range to {
		*to[i] += *from[i]
	}
}

func (m *Metrics) scale(by float64) {
	for _, f := range m.fields() {
		*f *= by
	}
}

func (m *Metrics) fields() []*float64 {
	return []*float64{
		&m.NDCG, &m.MRR, &m.Precision5, &m.Recall1, &m.Recall5, &m.Recall10, &m.Recall500, &m.Recall1000, &m.Recall2000,
	}
}
