package measure

import (
	"math"
	"slices"

	"github.com/aurora-sidecar/aurora/index/embed"
)

// A Candidate is a function that may be found.
type Candidate struct {
	Path               string
	StartLine, EndLine int // one-based, inclusive
	Name               string
	Code               string // without documentation
	Text               []byte // twice its name, and its code
	Placed             []byte // by which the product embeds it: the same with the names of the file and its folder
}

// A Query has the functions, by index, that answer it.
type Query struct {
	Language string
	Text     string
	Answers  []int
}

// A Repository is what one search ranks.
type Repository struct {
	Name       string
	Candidates []Candidate
	Queries    []Query
}

// The methods that are compared.
const (
	BM25 = iota
	Static
	Fused
	Placed      // Static, by the text of the product
	PlacedFused // and fused
	NumMethods
)

// Methods are the names of the methods.
var Methods = [NumMethods]string{"BM25 tuned", "static alone", "fused at .5", "the same with file names, alone", "fused at .5"}

const (
	pool       = 100 // candidates of each retriever that are fused
	semantic   = .5  // weight of the cosine
	firstRanks = 10
)

// A Result is the figures of one language.
type Result struct {
	Queries int
	MRR     [NumMethods]float64
}

// Run ranks all queries and returns the figures by language, and their mean under "".
func Run(model *embed.Static, repositories []Repository) map[string]*Result {
	results := map[string]*Result{}
	for _, r := range repositories {
		run(model, r, results)
	}
	mean := &Result{}
	for _, r := range results {
		mean.Queries += r.Queries
		for m := range r.MRR {
			r.MRR[m] /= float64(r.Queries)
			mean.MRR[m] += r.MRR[m] / float64(len(results))
		}
	}
	results[""] = mean
	return results
}

func run(model *embed.Static, r Repository, results map[string]*Result) {
	texts, placedTexts := make([][]byte, len(r.Candidates)), make([][]byte, len(r.Candidates))
	for i, c := range r.Candidates {
		texts[i], placedTexts[i] = c.Text, c.Placed
	}
	words, plain, placed := newBM25(r.Candidates), vectors(model, texts), vectors(model, placedTexts)
	for _, q := range r.Queries {
		result := results[q.Language]
		if result == nil {
			result = &Result{}
			results[q.Language] = result
		}
		result.Queries++
		lexical := words.scores(q.Text)
		asked := model.Vector([]byte(q.Text))
		cosines, inPlace := similarities(asked, plain), similarities(asked, placed)
		for m, scores := range [NumMethods][]float64{
			BM25: lexical, Static: cosines, Fused: fuse(lexical, cosines),
			Placed: inPlace, PlacedFused: fuse(lexical, inPlace),
		} {
			result.MRR[m] += reciprocal(scores, q.Answers)
		}
	}
}

func vectors(model *embed.Static, texts [][]byte) []embed.Vector {
	all := make([]embed.Vector, len(texts))
	for i, t := range texts {
		all[i] = model.Vector(t)
	}
	return all
}

// similarities returns the cosines of a query and every vector.
func similarities(query embed.Vector, all []embed.Vector) []float64 {
	cosines := make([]float64, len(all))
	for i, v := range all {
		cosines[i] = cosine(query, v)
	}
	return cosines
}

func cosine(a, b embed.Vector) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	var dot, aa, bb int
	for i := range a {
		dot += int(a[i]) * int(b[i])
		aa += int(a[i]) * int(a[i])
		bb += int(b[i]) * int(b[i])
	}
	return float64(dot) / math.Sqrt(float64(aa)*float64(bb))
}

// fuse returns the weighted sum of both scores, each scaled to between 0 and 1 over the best of both retrievers; what is in
// neither retriever's best comes last.
func fuse(lexical, cosines []float64) []float64 {
	chosen := map[int]bool{}
	for _, scores := range [][]float64{lexical, cosines} {
		for _, i := range best(scores, pool) {
			chosen[i] = true
		}
	}
	fused := make([]float64, len(lexical))
	scaledLexical, scaledCosines := scale(lexical, chosen), scale(cosines, chosen)
	for i := range fused {
		fused[i] = -1
		if chosen[i] {
			fused[i] = (1-semantic)*scaledLexical(i) + semantic*scaledCosines(i)
		}
	}
	return fused
}

// scale returns the scores of the chosen, scaled to between 0 and 1.
func scale(scores []float64, chosen map[int]bool) func(int) float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for i := range chosen {
		low, high = min(low, scores[i]), max(high, scores[i])
	}
	return func(i int) float64 {
		if high <= low {
			return 0
		}
		return (scores[i] - low) / (high - low)
	}
}

// best returns the n documents with the highest scores.
func best(scores []float64, n int) []int {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case scores[a] > scores[b]:
			return -1
		case scores[a] < scores[b]:
			return 1
		}
		return 0
	})
	return order[:min(n, len(order))]
}

// reciprocal returns one over the rank of the first answer, 0 when it is not among the first ten. Of equal scores an
// answer comes last, so that a method which says nothing gains nothing.
func reciprocal(scores []float64, answers []int) float64 {
	if len(answers) == 0 {
		return 0 // no candidate is what the query asks for
	}
	top := math.Inf(-1)
	for _, a := range answers {
		top = max(top, scores[a])
	}
	rank := 1
	for i, s := range scores {
		if s >= top && !slices.Contains(answers, i) {
			rank++
		}
	}
	if rank > firstRanks {
		return 0
	}
	return 1 / float64(rank)
}
