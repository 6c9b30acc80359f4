package sentence

import (
	"math"
	"sync"

	"github.com/aurora-sidecar/aurora/index/embed"
)

// epsilon keeps a normalisation from dividing by 0, as in BERT.
const epsilon = 1e-12

// Vector returns what a text means: the mean of what the last layer says of its subwords. What is beyond the model's last position
// does not count. A text without a word has no vector.
func (m *Model) Vector(text string) embed.Vector {
	mean := m.mean(text)
	if mean == nil {
		return nil
	}
	vector := make(embed.Vector, len(mean))
	for i, n := range quantise([][]float32{mean}).vector(0) {
		vector[i] = int8(n)
	}
	return vector
}

func (m *Model) mean(text string) []float32 {
	ids := m.cut(text, m.shape.Positions)
	if len(ids) == 2 {
		return nil
	}
	x := m.embed(ids)
	for i := range m.layers {
		m.layers[i].apply(x, m.shape.Heads)
	}
	mean := make([]float32, m.shape.Width)
	for _, v := range x {
		addTimes(mean, v, 1/float32(len(x)))
	}
	return mean
}

// embed returns the vectors of subwords at their places.
func (m *Model) embed(ids []int32) [][]float32 {
	x := rows(len(ids), m.shape.Width)
	for place, id := range ids {
		word, position := m.words.row(int(id)), m.positions.row(place)
		ws, ps := m.words.scales[id], m.positions.scales[place]
		for i := range x[place] {
			x[place][i] = float32(int8(word[i]))*ws + float32(int8(position[i]))*ps
		}
		m.norm.apply(x[place])
	}
	return x
}

// rows returns n vectors in one block.
func rows(n, width int) [][]float32 {
	block, list := make([]float32, n*width), make([][]float32, n)
	for i := range list {
		list[i] = block[i*width : (i+1)*width : (i+1)*width]
	}
	return list
}

// apply replaces x by what the layer makes of it.
//
//go:norace
func (l *layer) apply(x [][]float32, heads int) {
	asked := quantise(x)
	attended := attend(l.query.times(asked), l.key.times(asked), l.value.times(asked), heads)
	add(x, l.output.times(quantise(attended)), &l.attended)
	inner := l.in.times(quantise(x))
	table := geluTable()
	for _, v := range inner {
		for i, n := range v {
			v[i] = table.at(n)
		}
	}
	add(x, l.out.times(quantise(inner)), &l.done)
}

// add adds y to x, and normalises.
//
//go:norace
func add(x, y [][]float32, n *layerNorm) {
	for i := range x {
		for j := range x[i] {
			x[i][j] += y[i][j]
		}
		n.apply(x[i])
	}
}

//go:norace
func (n *layerNorm) apply(v []float32) {
	mean, squares := 0.0, 0.0
	for _, x := range v {
		mean += float64(x)
	}
	mean /= float64(len(v))
	for _, x := range v {
		squares += (float64(x) - mean) * (float64(x) - mean)
	}
	by := 1 / math.Sqrt(squares/float64(len(v))+epsilon)
	for i, x := range v {
		v[i] = float32((float64(x)-mean)*by)*n.weight[i] + n.bias[i]
	}
}

// attend is attention by scaled dot products, with every head over its part of the vectors.
//
//go:norace
func attend(q, k, v [][]float32, heads int) [][]float32 {
	width := len(q[0]) / heads
	out, weights := rows(len(q), len(q[0])), make([]float64, len(q))
	root := 1 / math.Sqrt(float64(width))
	for from := 0; from < len(q[0]); from += width {
		to := from + width
		for i := range q {
			for j := range k {
				weights[j] = dotFloat(q[i][from:to], k[j][from:to]) * root
			}
			soften(weights)
			for j, w := range weights {
				addTimes(out[i][from:to], v[j][from:to], float32(w))
			}
		}
	}
	return out
}

// addTimes adds v times by to sum.
//
//go:norace
func addTimes(sum, v []float32, by float32) {
	v = v[:len(sum)]
	for i := range sum {
		sum[i] += by * v[i]
	}
}

// soften replaces scores by their softmax.
//
//go:norace
func soften(scores []float64) {
	top, sum := math.Inf(-1), 0.0
	for _, s := range scores {
		top = max(top, s)
	}
	for i, s := range scores {
		scores[i] = math.Exp(s - top)
		sum += scores[i]
	}
	for i := range scores {
		scores[i] /= sum
	}
}

// dotFloat has four sums, so that none waits for the one before.
//
//go:norace
func dotFloat(a, b []float32) float64 {
	var s0, s1, s2, s3 float32
	b = b[:len(a)]
	i := 0
	for ; i+3 < len(a) && i+3 < len(b); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return float64(s0 + s1 + s2 + s3)
}

const (
	geluEnd   = 6   // beyond it Φ is 0 or 1 to nine digits
	geluSteps = 256 // of 1 in the table
)

// A gelu holds x Φ(x), where Φ is the distribution of normal numbers (Hendrycks and Gimpel 2016), from -geluEnd to geluEnd.
type gelu [2*geluEnd*geluSteps + 2]float32

var geluTable = sync.OnceValue(func() *gelu {
	var table gelu
	for i := range table {
		x := float64(i)/geluSteps - geluEnd
		table[i] = float32(x * 0.5 * (1 + math.Erf(x*math.Sqrt2/2)))
	}
	return &table
})

// at returns x Φ(x) within 1e-5.
func (g *gelu) at(x float32) float32 {
	if x <= -geluEnd {
		return 0
	}
	if x >= geluEnd {
		return x
	}
	place := (x + geluEnd) * geluSteps
	i := int(place)
	return g[i] + (g[i+1]-g[i])*(place-float32(i))
}
