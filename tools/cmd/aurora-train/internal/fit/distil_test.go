package fit

import (
	"math/rand/v2"
	"testing"

	"github.com/aurora-sidecar/aurora/tools/cmd/aurora-train/internal/corpus"
)

// TestDistilImitatesATeacher has a teacher that sums secret rows of 24 numbers, of which 16 directions say anything.
func TestDistilImitatesATeacher(t *testing.T) {
	const tokens, width, directions = 60, 24, 16
	random := rand.New(rand.NewPCG(1, 2))
	secret := make([][]float32, tokens)
	for i := range secret {
		secret[i] = make([]float32, width)
		for j := range directions {
			secret[i][j] = float32(random.NormFloat64())
		}
	}
	repositories := []corpus.Repository{{Name: "a"}, {Name: "b"}}
	var targets [][]float32
	for r := range repositories {
		for range 2000 {
			sum, bag := make([]float32, width), corpus.Bag{}
			for token := range tokens {
				if random.IntN(10) == 0 {
					bag = append(bag, corpus.Term{Hash: uint64(token + 1), Count: 1})
					addScaled(sum, secret[token], 1)
				}
			}
			repositories[r].Pairs = append(repositories[r].Pairs, corpus.Pair{Query: bag})
			targets = append(targets, Unit(sum))
		}
	}
	v := NewVocabulary(repositories, 1000)
	set := Settings{Dimensions: 16, Batch: 128, Epochs: 6, Rate: .02, Seed: 1, Workers: 2}
	var steps []Step
	rows, err := Distil(repositories, Project(targets, set.Dimensions, set.Workers), v, set, func(s Step) { steps = append(steps, s) })
	if err != nil || len(rows) != tokens {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	first, last := steps[0].Loss, steps[len(steps)-1].Loss
	if first < .5 || last > .05 {
		t.Errorf("mean distance went from %.3f to %.3f, want from near 1 to below .05", first, last)
	}
	set.Workers = 1
	again, err := Distil(repositories, Project(targets, set.Dimensions, 1), v, set, func(Step) {})
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		for j := range rows[i] {
			if rows[i][j] != again[i][j] {
				t.Fatalf("row %d differs with another number of workers", i)
			}
		}
	}
}
