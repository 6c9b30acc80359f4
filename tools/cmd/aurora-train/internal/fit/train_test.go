package fit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/aurora-sidecar/aurora/index/embed"
	"github.com/aurora-sidecar/aurora/tools/cmd/aurora-train/internal/corpus"
)

func bag(words ...string) corpus.Bag {
	var b corpus.Bag
	for _, w := range words {
		b = append(b, corpus.Term{Hash: embed.HashToken([]byte(w)), Count: 1})
	}
	slices.SortFunc(b, func(x, y corpus.Term) int {
		if x.Hash < y.Hash {
			return -1
		}
		return 1
	})
	return b
}

// language makes repositories in which "say n" means "code n", among noise.
func language(repositories, pairs, words int) []corpus.Repository {
	r := rand.New(rand.NewPCG(3, 4))
	var all []corpus.Repository
	for i := range repositories {
		repo := corpus.Repository{Name: fmt.Sprint(i)}
		for range pairs {
			a, b := r.IntN(words), r.IntN(words)
			repo.Pairs = append(repo.Pairs, corpus.Pair{
				Query: bag(fmt.Sprint("say", a), fmt.Sprint("say", b), fmt.Sprint("noise", r.IntN(30))),
				Code:  bag(fmt.Sprint("code", a), fmt.Sprint("code", b), fmt.Sprint("clutter", r.IntN(30))),
			})
		}
		all = append(all, repo)
	}
	return all
}

func TestTrainLearnsWhatWordsMean(t *testing.T) {
	repositories := language(3, 500, 40)
	v := NewVocabulary(repositories, 1000)
	set := Settings{Dimensions: 32, Batch: 128, Epochs: 8, Rate: .02, Sharpness: 10, Seed: 5, Workers: 1}
	var losses []float64
	rows, err := Train(repositories, v, set, func(s Step) { losses = append(losses, s.Loss) })
	if err != nil {
		t.Fatal(err)
	}
	if first, last := losses[0], losses[len(losses)-1]; last > first/2 {
		t.Errorf("the loss went from %.2f to %.2f only", first, last)
	}
	data, err := embed.Encode(set.Dimensions, Quantise(v, rows))
	if err != nil {
		t.Fatal(err)
	}
	model, err := embed.OpenStatic(data)
	if err != nil {
		t.Fatal(err)
	}
	right := 0
	for i := range 40 {
		best, found := math.MinInt, -1
		query := model.Vector(fmt.Appendf(nil, "say%d", i))
		for j := range 40 {
			product := 0
			for d, x := range model.Vector(fmt.Appendf(nil, "code%d", j)) {
				product += int(x) * int(query[d])
			}
			if product > best {
				best, found = product, j
			}
		}
		if found == i {
			right++
		}
	}
	if right < 38 {
		t.Errorf("%d of 40 words found their meaning", right)
	}

	set.Workers = 3
	again, err := Train(repositories, v, set, func(Step) {})
	if err != nil || !reflect.DeepEqual(again, rows) {
		t.Errorf("other numbers of workers give other rows (%v)", err)
	}
	set.Seed++
	if other, _ := Train(repositories, v, set, func(Step) {}); reflect.DeepEqual(other, rows) {
		t.Error("the seed changes nothing")
	}
}

// TestGradient compares the gradient of one batch with the differences of its loss.
func TestGradient(t *testing.T) {
	repositories := language(2, 64, 10)
	v := NewVocabulary(repositories, 1000)
	set := Settings{Dimensions: 16, Batch: 32, Epochs: 1, Sharpness: 5, Seed: 1, Workers: 1}
	data := newSamples(repositories, v)
	random := rand.New(rand.NewPCG(1, 2))
	trainer := newTrainer(data, v, set, random)
	batch := data.batches(set.Batch, random)[0]

	n, d := trainer.batch, trainer.dims
	loss := func() float64 {
		trainer.embed(batch)
		transpose(trainer.transposed, trainer.unit[n*d:], n, d, 1)
		multiply(trainer.scores, trainer.unit[:n*d], trainer.transposed[:n*d], n, d, n, 1)
		return trainer.contrast(batch)
	}
	before := slices.Clone(trainer.table)
	trainer.step(batch, 0)
	if !slices.Equal(before, trainer.table) {
		t.Fatal("a rate of 0 moved the rows")
	}
	// The gradient of a row is what update would sum.
	gradients := map[uint32][]float64{}
	for i := range 2 * n {
		rows, counts := data.side(trainer.side(batch, i))
		for j, row := range rows {
			if gradients[row] == nil {
				gradients[row] = make([]float64, d)
			}
			for k := range d {
				gradients[row][k] += float64(trainer.gradient[i*d+k]) * float64(roots[counts[j]])
			}
		}
	}
	for _, row := range []uint32{0, 3, 11} {
		for _, k := range []int{0, 9} {
			if gradients[row] == nil {
				continue
			}
			x := &trainer.table[int(row)*d+k]
			const step = 1e-4
			old := *x
			*x = old + step
			up := loss()
			*x = old - step
			down := loss()
			*x = old
			numeric := (up - down) / (2 * step)
			if got := gradients[row][k]; math.Abs(got-numeric) > .01*math.Abs(numeric)+.001 {
				t.Errorf("row %d, dimension %d: gradient %.4f, want %.4f", row, k, got, numeric)
			}
		}
	}
}

func TestVocabulary(t *testing.T) {
	repositories := []corpus.Repository{
		{Name: "a", Pairs: []corpus.Pair{{Query: bag("often", "shared"), Code: bag("often")}, {Query: bag("often"), Code: bag("often", "alone")}}},
		{Name: "b", Pairs: []corpus.Pair{{Query: bag("shared"), Code: bag("often")}}},
	}
	v := NewVocabulary(repositories, 10)
	if want := []uint64{embed.HashToken([]byte("often")), embed.HashToken([]byte("shared"))}; !slices.Equal(v.Hashes, want) {
		t.Errorf("%d tokens, want often, then shared; alone is of one repository", len(v.Hashes))
	}
	if want := 7. / 8; v.Coverage != want {
		t.Errorf("coverage %v, want %v", v.Coverage, want)
	}
	if limited := NewVocabulary(repositories, 1); len(limited.Hashes) != 1 {
		t.Errorf("limited to 1: %d", len(limited.Hashes))
	}
}

func TestBatchesAreHalfOfOneRepository(t *testing.T) {
	repositories := language(4, 100, 10)
	data := newSamples(repositories, NewVocabulary(repositories, 1000))
	repository := map[int]int{}
	for r, pairs := range data.repos {
		for _, p := range pairs {
			repository[p] = r
		}
	}
	seen := map[int]bool{}
	batches := data.batches(64, rand.New(rand.NewPCG(1, 1)))
	if len(batches) != 6 { // 3 halves of each repository, no half left over of the 16 that remain
		t.Fatalf("%d batches", len(batches))
	}
	for _, b := range batches {
		for i, p := range b {
			if seen[p] {
				t.Fatalf("pair %d came twice", p)
			}
			seen[p] = true
			if half := b[i/32*32]; len(b) != 64 || repository[p] != repository[half] && len(seen) < 300 {
				t.Fatalf("pair %d of repository %d in a half of repository %d", p, repository[p], repository[half])
			}
		}
	}
}

func TestSchedule(t *testing.T) {
	for done, want := range map[float64]float64{.01: .5, .02: 1, 1: finalRate, .51: 1 - .95/2} {
		if got := schedule(done); math.Abs(got-want) > 1e-9 {
			t.Errorf("at %v: %v, want %v", done, got, want)
		}
	}
}
