package complexity

import (
	_ "embed"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"sync"
)

// Classes is how many classes there are: simple, medium, complex and critical, in this order.
const Classes = 4

// A Guess is how likely each class is; they add up to one.
type Guess [Classes]float64

// Best is the likeliest class.
func (g Guess) Best() (class int, probability float64) {
	for c, p := range g {
		if p > probability {
			class, probability = c, p
		}
	}
	return class, probability
}

//go:embed weights.json
var weightsFile []byte

// weights are those of each feature for each class, and those that hold for any question under "".
var weights = sync.OnceValues(func() (map[string]Guess, error) {
	var w map[string]Guess
	err := json.Unmarshal(weightsFile, &w)
	return w, err
})

// Of guesses the class of a question, and names what in it tells; nothing when there is no guess.
func Of(query string) (g Guess, found []string) {
	w, err := weights()
	if found = featuresOf(query); err != nil || len(found) == 0 {
		return Guess{}, nil
	}
	return guess(w, found), found
}

// guess is the softmax of the weights of features.
func guess(w map[string]Guess, found []string) Guess {
	var g Guess
	sum, most := 0.0, math.Inf(-1)
	for c := range g {
		g[c] = w[""][c]
		for _, f := range found {
			g[c] += w[f][c]
		}
		most = max(most, g[c])
	}
	for c := range g {
		g[c] = math.Exp(g[c] - most)
		sum += g[c]
	}
	for c := range g {
		g[c] /= sum
	}
	return g
}

// featuresOf names the features that a question has. How long it is says nothing by itself, so it is no reason to guess.
func featuresOf(query string) []string {
	line := strings.Join(strings.Fields(strings.ToLower(query)), " ")
	var found []string
	for _, f := range features {
		if f.pattern.MatchString(line) {
			found = append(found, f.name)
		}
	}
	if len(found) == 0 {
		return nil
	}
	for _, both := range together {
		if slices.Contains(found, both[0]) && slices.Contains(found, both[1]) {
			found = append(found, both[0]+" and "+both[1])
		}
	}
	switch words := strings.Count(line, " ") + 1; {
	case words <= 7:
		found = append(found, "few words")
	case words > 14:
		found = append(found, "many words")
	}
	if strings.HasSuffix(line, "?") {
		found = append(found, "asks")
	}
	return found
}
