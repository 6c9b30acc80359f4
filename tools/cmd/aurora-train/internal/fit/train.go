package fit

import (
	"errors"
	"math"
	"math/rand/v2"

	"github.com/aurora-sidecar/aurora/tools/cmd/aurora-train/internal/corpus"
)

// Settings are what a run of training depends on besides the pairs.
type Settings struct {
	Dimensions int
	Batch      int     // pairs, a multiple of 32
	Epochs     int     // times that each pair is seen
	Rate       float64 // of learning, at its highest
	Sharpness  float64 // what a cosine is multiplied by before the softmax
	Seed       uint64
	Workers    int // does not change the result
}

// DefaultSettings are those of the published model.
var DefaultSettings = Settings{Dimensions: 256, Batch: 1024, Epochs: 3, Rate: .005, Sharpness: 20, Seed: 1, Workers: 1}

// Shares of the steps in which the rate grows, and of the rate at the end.
const (
	warmUp    = .02
	finalRate = .05
)

// A Step is what is reported of the training.
type Step struct {
	Number, Steps int
	Loss          float64 // mean over the steps since the last report
}

// Train returns one row for each token of the vocabulary. report is told of the loss every hundredth of the steps.
func Train(repositories []corpus.Repository, v *Vocabulary, set Settings, report func(Step)) ([][]float32, error) {
	data := newSamples(repositories, v)
	if data.pairs() < set.Batch {
		return nil, errors.New("train: fewer pairs than a batch holds: extract more repositories")
	}
	random := rand.New(rand.NewPCG(set.Seed, 0x6175726f7261))
	t := newTrainer(data, v, set, random)
	var batches [][]int
	for range set.Epochs {
		batches = append(batches, data.batches(set.Batch, random)...)
	}
	loss, every := 0.0, max(1, len(batches)/100)
	for i, batch := range batches {
		loss += t.step(batch, set.Rate*schedule(float64(i+1)/float64(len(batches))))
		if (i+1)%every == 0 {
			report(Step{Number: i + 1, Steps: len(batches), Loss: loss / float64(every)})
			loss = 0
		}
	}
	rows := make([][]float32, len(v.Hashes))
	for i := range rows {
		rows[i] = t.table[i*t.dims : (i+1)*t.dims]
	}
	return rows, nil
}

// schedule returns the share of the highest rate at a point of the training between 0 and 1.
func schedule(done float64) float64 {
	if done < warmUp {
		return done / warmUp
	}
	return 1 - (1-finalRate)*(done-warmUp)/(1-warmUp)
}

// A trainer holds the table and what one step needs.
type trainer struct {
	data    *samples
	dims    int
	batch   int
	sharp   float64
	workers int

	table     []float32 // row by row
	optimiser *adam

	raw, unit  []float32 // of the sides of a batch: sum of rows, the same at length 1; queries first, then code
	norms      []float32
	transposed []float32 // of the code's units, then of the gradient of the scores
	scores     []float32 // query × code, then their gradient
	gradient   []float32 // of the sides
	rowSums    []float64 // softmax denominators by query and by code
	colSums    []float64
	touched    *touched
}

func newTrainer(data *samples, v *Vocabulary, set Settings, random *rand.Rand) *trainer {
	n, d := set.Batch, set.Dimensions
	t := &trainer{
		data: data, dims: d, batch: n, sharp: set.Sharpness, workers: set.Workers,
		table: make([]float32, len(v.Hashes)*d), optimiser: newAdam(len(v.Hashes), d),
		raw: make([]float32, 2*n*d), unit: make([]float32, 2*n*d), gradient: make([]float32, 2*n*d), norms: make([]float32, 2*n),
		transposed: make([]float32, max(n*d, n*n)), scores: make([]float32, n*n), rowSums: make([]float64, n), colSums: make([]float64, n),
		touched: newTouched(len(v.Hashes)),
	}
	for row, idf := range v.IDF {
		deviation := .02 * 16 / math.Sqrt(float64(d)) * idf / 5
		for i := range d {
			t.table[row*d+i] = float32(random.NormFloat64() * deviation)
		}
	}
	return t
}

// side returns the number of the i-th side of a batch among the samples.
func (t *trainer) side(batch []int, i int) int {
	if i < t.batch {
		return 2 * batch[i]
	}
	return 2*batch[i-t.batch] + 1
}

// step learns from one batch and returns its loss.
func (t *trainer) step(batch []int, rate float64) float64 {
	n, d := t.batch, t.dims
	t.embed(batch)
	queries, code := t.unit[:n*d], t.unit[n*d:]
	transpose(t.transposed, code, n, d, t.workers)
	multiply(t.scores, queries, t.transposed[:n*d], n, d, n, t.workers)
	loss := t.contrast(batch)
	multiply(t.gradient[:n*d], t.scores, code, n, n, d, t.workers)
	transpose(t.transposed, t.scores, n, n, t.workers)
	multiply(t.gradient[n*d:], t.transposed[:n*n], queries, n, n, d, t.workers)
	t.throughNormalisation()
	t.update(batch, rate)
	return loss
}

// embed sums the rows of every side and scales the sums to length 1.
func (t *trainer) embed(batch []int) {
	d := t.dims
	share(2*t.batch, t.workers, func(from, to int) {
		for i := from; i < to; i++ {
			raw, unit := t.raw[i*d:(i+1)*d], t.unit[i*d:(i+1)*d]
			clear(raw)
			rows, counts := t.data.side(t.side(batch, i))
			for j, row := range rows {
				addScaled(raw, t.table[int(row)*d:int(row+1)*d], roots[counts[j]])
			}
			squares := 0.0
			for _, x := range raw {
				squares += float64(float64(x) * float64(x))
			}
			t.norms[i] = float32(math.Sqrt(squares) + 1e-12)
			clear(unit)
			addScaled(unit, raw, 1/t.norms[i])
		}
	})
}

// contrast turns the cosines in scores into the gradient of the loss: for each query, the cross-entropy of its code among
// all code of the batch, and for each code that of its query, over two. Others with the same query or the same code are
// no negatives.
func (t *trainer) contrast(batch []int) float64 {
	n := t.batch
	share(n, t.workers, func(from, to int) {
		for i := from; i < to; i++ {
			row := t.scores[i*n : (i+1)*n]
			sum := 0.0
			for j, cosine := range row {
				e := float32(0)
				if i == j || !t.same(batch[i], batch[j]) {
					e = float32(math.Exp(t.sharp * (float64(cosine) - 1))) // at most 1, so no overflow
				}
				row[j] = e
				sum += float64(e)
			}
			t.rowSums[i] = sum
		}
	})
	clear(t.colSums)
	for i := range n {
		for j, e := range t.scores[i*n : (i+1)*n] {
			t.colSums[j] += float64(e)
		}
	}
	loss := 0.0
	for i := range n {
		e := float64(t.scores[i*n+i]) + 1e-30
		loss -= (math.Log(e/t.rowSums[i]) + math.Log(e/t.colSums[i])) / 2
	}
	factor := t.sharp / float64(n)
	inverse := make([]float32, n)
	for j, sum := range t.colSums {
		inverse[j] = float32(factor / 2 / sum)
	}
	share(n, t.workers, func(from, to int) {
		for i := from; i < to; i++ {
			row := t.scores[i*n : (i+1)*n]
			own := float32(factor / 2 / t.rowSums[i])
			for j, e := range row {
				row[j] = e * (own + inverse[j])
			}
			row[i] -= float32(factor)
		}
	})
	return loss / float64(n)
}

// same reports whether two pairs have the same query or the same code.
func (t *trainer) same(a, b int) bool {
	s := t.data.sums
	return s[2*a] == s[2*b] || s[2*a+1] == s[2*b+1]
}

// throughNormalisation turns the gradient of the units into that of the sums.
func (t *trainer) throughNormalisation() {
	d := t.dims
	share(2*t.batch, t.workers, func(from, to int) {
		for i := from; i < to; i++ {
			g, u := t.gradient[i*d:(i+1)*d], t.unit[i*d:(i+1)*d]
			dot := float32(0)
			for j := range g {
				dot += float32(g[j] * u[j])
			}
			inverse := 1 / t.norms[i]
			for j := range g {
				g[j] = float32(g[j]-float32(u[j]*dot)) * inverse
			}
		}
	})
}

// update moves the rows of the batch's tokens against their gradients.
func (t *trainer) update(batch []int, rate float64) {
	d := t.dims
	t.touched.gather(2*t.batch, func(i int) ([]uint32, []uint8) { return t.data.side(t.side(batch, i)) })
	share(len(t.touched.rows), t.workers, func(from, to int) {
		g := make([]float32, d)
		for i := from; i < to; i++ {
			row := t.touched.rows[i]
			clear(g)
			for _, use := range t.touched.uses[t.touched.starts[i]:t.touched.starts[i+1]] {
				side := int(use.side)
				addScaled(g, t.gradient[side*d:(side+1)*d], roots[use.count])
			}
			t.optimiser.move(t.table[int(row)*d:int(row+1)*d], int(row), g, rate)
		}
	})
}
