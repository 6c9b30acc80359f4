// Package logit fits a conditional logit model (McFadden 1974): of the candidates of a query, the one that is relevant has the
// probability that is the softmax of its weighted features.
package logit

import (
	"cmp"
	"math"
	"slices"
)

// A Query is one choice.
type Query struct {
	Group      string      // queries of one group are never both learned from and measured on
	Candidates [][]float64 // the features of each
	Relevant   []bool
}

// Fit returns the weights that make what is relevant most probable, by Newton's method. Each group counts alike; the ridge keeps
// weights small of which the queries say little.
func Fit(queries []Query, features int, ridge float64) []float64 {
	w := make([]float64, features)
	count := map[string]float64{}
	for _, q := range queries {
		count[q.Group]++
	}
	at, gradient, hessian := loss(queries, count, w, ridge)
	for range 100 {
		step := solve(hessian, gradient)
		scale := 1.0
		for ; scale > 1e-6; scale /= 2 {
			next := make([]float64, features)
			for i := range w {
				next[i] = w[i] - scale*step[i]
			}
			if l, g, h := loss(queries, count, next, ridge); l < at {
				done := at-l < 1e-10*math.Abs(at)
				w, at, gradient, hessian = next, l, g, h
				if done {
					return w
				}
				break
			}
		}
		if scale <= 1e-6 {
			break
		}
	}
	return w
}

// loss is the negative logarithm of the likelihood, with its gradient and the expected part of its second derivatives.
func loss(queries []Query, count map[string]float64, w []float64, ridge float64) (total float64, gradient []float64, hessian [][]float64) {
	n := len(w)
	gradient, hessian = make([]float64, n), make([][]float64, n)
	for i := range hessian {
		hessian[i] = make([]float64, n)
	}
	groups := float64(len(count))
	for i := range w {
		total += ridge / 2 * w[i] * w[i]
		gradient[i] = ridge * w[i]
		hessian[i][i] = ridge
	}
	for _, q := range queries {
		weight := 1 / count[q.Group] / groups
		p, chance := probabilities(q, w)
		total -= weight * math.Log(chance)
		mean, right := make([]float64, n), make([]float64, n)
		for c, f := range q.Candidates {
			for i := range f {
				mean[i] += p[c] * f[i]
				if q.Relevant[c] {
					right[i] += p[c] / chance * f[i]
				}
			}
		}
		for c, f := range q.Candidates {
			for i := range f {
				for j := range f {
					hessian[i][j] += weight * p[c] * (f[i] - mean[i]) * (f[j] - mean[j])
				}
			}
		}
		for i := range mean {
			gradient[i] += weight * (mean[i] - right[i])
		}
	}
	return total, gradient, hessian
}

// probabilities are those of the candidates, and of what is relevant together.
func probabilities(q Query, w []float64) (p []float64, chance float64) {
	p = make([]float64, len(q.Candidates))
	most := math.Inf(-1)
	for c, f := range q.Candidates {
		p[c] = Sum(w, f)
		most = max(most, p[c])
	}
	all := 0.0
	for c := range p {
		p[c] = math.Exp(p[c] - most)
		all += p[c]
	}
	for c := range p {
		p[c] /= all
		if q.Relevant[c] {
			chance += p[c]
		}
	}
	return p, max(chance, 1e-300)
}

// Sum weighs features.
func Sum(w, f []float64) float64 {
	sum := 0.0
	for i := range f {
		sum += w[i] * f[i]
	}
	return sum
}

// solve returns x with a x = b, for a positive definite a.
func solve(a [][]float64, b []float64) []float64 {
	n := len(b)
	m := make([][]float64, n)
	for i := range m {
		m[i] = append(slices.Clone(a[i]), b[i])
	}
	for i := range m {
		pivot := i
		for k := i + 1; k < n; k++ {
			if math.Abs(m[k][i]) > math.Abs(m[pivot][i]) {
				pivot = k
			}
		}
		m[i], m[pivot] = m[pivot], m[i]
		for k := i + 1; k < n; k++ {
			f := m[k][i] / m[i][i]
			for j := i; j <= n; j++ {
				m[k][j] -= f * m[i][j]
			}
		}
	}
	x := make([]float64, n)
	for i := n - 1; i >= 0; i-- {
		x[i] = m[i][n]
		for j := i + 1; j < n; j++ {
			x[i] -= m[i][j] * x[j]
		}
		x[i] /= m[i][i]
	}
	return x
}

// cut is the last rank that counts.
const cut = 10

// Reciprocal is the reciprocal of the rank of the first candidate that is relevant, 0 beyond the tenth.
func Reciprocal(q Query, w []float64) float64 {
	order := make([]int, len(q.Candidates))
	sums := make([]float64, len(q.Candidates))
	for c, f := range q.Candidates {
		order[c], sums[c] = c, Sum(w, f)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sums[b], sums[a]) })
	for i, c := range order[:min(cut, len(order))] {
		if q.Relevant[c] {
			return 1 / float64(i+1)
		}
	}
	return 0
}

// Best is the sum of the first candidate of a query.
func Best(q Query, w []float64) float64 {
	best := math.Inf(-1)
	for _, f := range q.Candidates {
		best = max(best, Sum(w, f))
	}
	return best
}
