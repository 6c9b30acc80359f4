package fit

import (
	"errors"
	"math"
	"math/rand/v2"

	"github.com/aurora-sidecar/aurora/tools/cmd/aurora-train/internal/corpus"
)

// DistilSettings are those of the published model of prose.
var DistilSettings = Settings{Dimensions: 256, Batch: 1024, Epochs: 6, Rate: .003, Seed: 1, Workers: 1}

// Distil returns one row for each token of the vocabulary, such that the sum of a text's rows points where a teacher's
// vector of the text does. The texts are the queries of the pairs; the targets, in the same order, have length 1 and
// set.Dimensions numbers. report is told of the mean distance, 1 minus the cosine, every hundredth of the steps.
func Distil(repositories []corpus.Repository, targets [][]float32, v *Vocabulary, set Settings, report func(Step)) ([][]float32, error) {
	d := newDistiller(repositories, targets, v, set)
	if len(d.texts) < set.Batch {
		return nil, errors.New("distil: fewer texts than a batch holds: read more repositories")
	}
	random := rand.New(rand.NewPCG(set.Seed, 0x70726f7365))
	for i := range d.table {
		d.table[i] = float32(random.NormFloat64() * .01)
	}
	perEpoch := len(d.texts) / set.Batch
	steps, loss, every := set.Epochs*perEpoch, 0.0, max(1, set.Epochs*perEpoch/100)
	for i := range steps {
		at := i % perEpoch
		if at == 0 {
			random.Shuffle(len(d.texts), func(i, j int) { d.texts[i], d.texts[j] = d.texts[j], d.texts[i] })
		}
		loss += d.step(d.texts[at*set.Batch:(at+1)*set.Batch], set.Rate*schedule(float64(i+1)/float64(steps)))
		if (i+1)%every == 0 {
			report(Step{Number: i + 1, Steps: steps, Loss: loss / float64(every)})
			loss = 0
		}
	}
	rows := make([][]float32, len(v.Hashes))
	for i := range rows {
		rows[i] = d.table[i*d.dims : (i+1)*d.dims]
	}
	return rows, nil
}

// A distiller holds the table and what one step needs.
type distiller struct {
	data      *samples
	texts     []int // those that have rows, in the order in which they are learned
	targets   [][]float32
	dims      int
	workers   int
	table     []float32 // row by row
	optimiser *adam
	gradient  []float32 // of the sums of a batch's texts
	distances []float64
	touched   *touched
}

func newDistiller(repositories []corpus.Repository, targets [][]float32, v *Vocabulary, set Settings) *distiller {
	d := &distiller{
		data: &samples{starts: []int{0}}, targets: targets, dims: set.Dimensions, workers: set.Workers,
		table: make([]float32, len(v.Hashes)*set.Dimensions), optimiser: newAdam(len(v.Hashes), set.Dimensions),
		gradient: make([]float32, set.Batch*set.Dimensions), distances: make([]float64, set.Batch), touched: newTouched(len(v.Hashes)),
	}
	text := 0
	for _, r := range repositories {
		for _, p := range r.Pairs {
			if d.data.addSide(p.Query, v) && targets[text] != nil {
				d.texts = append(d.texts, text)
			}
			text++
		}
	}
	return d
}

// step learns from one batch and returns its mean distance.
func (d *distiller) step(batch []int, rate float64) float64 {
	share(len(batch), d.workers, func(from, to int) {
		for i := from; i < to; i++ {
			d.distances[i] = d.differ(batch[i], d.gradient[i*d.dims:(i+1)*d.dims], float32(len(batch)))
		}
	})
	d.touched.gather(len(batch), func(i int) ([]uint32, []uint8) { return d.data.side(batch[i]) })
	share(len(d.touched.rows), d.workers, func(from, to int) {
		g := make([]float32, d.dims)
		for i := from; i < to; i++ {
			row := int(d.touched.rows[i])
			clear(g)
			for _, use := range d.touched.uses[d.touched.starts[i]:d.touched.starts[i+1]] {
				at := int(use.side) * d.dims
				addScaled(g, d.gradient[at:at+d.dims], roots[use.count])
			}
			d.optimiser.move(d.table[row*d.dims:(row+1)*d.dims], row, g, rate)
		}
	})
	sum := 0.0
	for _, x := range d.distances[:len(batch)] {
		sum += x
	}
	return sum / float64(len(batch))
}

// differ returns the distance of a text's vector from its target, and writes the gradient of its share of the batch's
// mean by the sum of rows.
func (d *distiller) differ(text int, gradient []float32, batch float32) float64 {
	rows, counts := d.data.side(text)
	sum := make([]float32, d.dims)
	for j, row := range rows {
		addScaled(sum, d.table[int(row)*d.dims:int(row+1)*d.dims], roots[counts[j]])
	}
	squares, dot := 0.0, 0.0
	for j, x := range sum {
		squares += float64(x) * float64(x)
		dot += float64(x) * float64(d.targets[text][j])
	}
	norm := math.Sqrt(squares) + 1e-12
	cosine := dot / norm
	for j, x := range sum {
		gradient[j] = (float32(cosine/norm)*x - d.targets[text][j]) / float32(norm) / batch
	}
	return 1 - cosine
}
