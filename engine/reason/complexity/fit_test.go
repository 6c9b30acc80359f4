package complexity

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"os"
	"slices"
	"testing"
)

var fit = flag.Bool("fit", false, "fit the weights to the questions that they are chosen on")

// A labelled question is one of a file of testdata.
type labelled struct {
	found []string
	class int
}

var levels = []string{"SIMPLE", "MEDIUM", "COMPLEX", "CRITICAL"}

func load(t *testing.T, name string) (list []labelled) {
	t.Helper()
	file, err := os.ReadFile("testdata/" + name + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(file) {
		var q struct{ Question, Level string }
		if err := json.Unmarshal(line, &q); err != nil || !slices.Contains(levels, q.Level) {
			t.Fatalf("%s: %v", line, err)
		}
		list = append(list, labelled{featuresOf(q.Question), slices.Index(levels, q.Level)})
	}
	return list
}

// fitted finds weights by gradient descent on the cross entropy with a penalty on their squares.
func fitted(list []labelled, penalty float64) map[string]Guess {
	w := map[string]Guess{"": {}}
	for range 1500 {
		slope := map[string]Guess{}
		for _, q := range list {
			g := guess(w, q.found)
			g[q.class]--
			for _, f := range append([]string{""}, q.found...) {
				s := slope[f]
				for c := range s {
					s[c] += g[c] / float64(len(list))
				}
				slope[f] = s
			}
		}
		for f, s := range slope {
			old := w[f]
			for c := range old {
				keep := penalty * old[c]
				if f == "" {
					keep = 0
				}
				old[c] -= 1.0 * (s[c] + keep)
			}
			w[f] = old
		}
	}
	return w
}

func rightOf(w map[string]Guess, list []labelled) (right int) {
	for _, q := range list {
		if class, _ := guess(w, q.found).Best(); class == q.class {
			right++
		}
	}
	return right
}

// TestFit fits the weights with -fit: to the half of an independent set that they were chosen on, and to earlier questions. It
// prints how often they are right on what they were not fitted to, in five folds. What was measured is never read here.
func TestFit(t *testing.T) {
	if !*fit {
		t.Skip("weights are fitted with -fit")
	}
	chosen := load(t, "chosen")
	earlier := append(load(t, "questions"), load(t, "heldout")...)
	const penalty = 0.003
	right := 0
	for fold := range 5 {
		var train, test []labelled
		for i, q := range chosen {
			if i%5 == fold {
				test = append(test, q)
			} else {
				train = append(train, q)
			}
		}
		right += rightOf(fitted(append(train, earlier...), penalty), test)
	}
	t.Logf("%d of %d in five folds", right, len(chosen))
	w := fitted(append(slices.Clone(chosen), earlier...), penalty)
	for f, g := range w {
		for c := range g {
			g[c] = math.Round(g[c]*100) / 100
		}
		w[f] = g
	}
	text, err := json.MarshalIndent(w, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("weights.json", append(text, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestGuess holds what a guess is: shares that add up to one, and none where nothing tells.
func TestGuess(t *testing.T) {
	for _, query := range []string{"", "zzz", "Größe \x00"} {
		if g, found := Of(query); found != nil || g != (Guess{}) {
			t.Errorf("%q: %v %v", query, g, found)
		}
	}
	for query, want := range map[string]int{
		"in which file is the retry limit declared?":                      0,
		"add a flag that prints the version, with a test":                 1,
		"rewrite the storage backend, all services use it, plan it first": 2,
		"anyone can read other users' password reset tokens in the logs":  3,
	} {
		g, found := Of(query)
		sum := 0.0
		for _, p := range g {
			sum += p
		}
		if class, p := g.Best(); class != want || math.Abs(sum-1) > 1e-9 {
			t.Errorf("%s: class %d (%.2f), want %d, by %v; sum %v", query, class, p, want, found, sum)
		}
	}
}

// TestWeightsAreOfFeatures finds weights of features that there are no more, and features that were never fitted.
func TestWeightsAreOfFeatures(t *testing.T) {
	w, err := weights()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{"": true, "few words": true, "many words": true, "asks": true}
	for _, f := range features {
		known[f.name] = true
	}
	for _, both := range together {
		known[both[0]+" and "+both[1]] = true
	}
	for name := range w {
		if !known[name] {
			t.Errorf("there is no feature %q", name)
		}
		delete(known, name)
	}
	for name := range known {
		t.Errorf("%q has no weights: run go test ./engine/reason/complexity -run Fit -fit", name)
	}
}
