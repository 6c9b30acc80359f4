package lexical

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/text"
)

// okapi is the formula as it stands in the books: one score per text.
func okapi(texts []string, query []string, k1, b float64) []float64 {
	docs := make([][]string, len(texts))
	total := 0.0
	for i, t := range texts {
		docs[i] = text.Tokenize(t)
		total += float64(len(docs[i]))
	}
	scores := make([]float64, len(docs))
	for _, q := range query {
		n := 0.0
		for _, d := range docs {
			if slices.Contains(d, q) {
				n++
			}
		}
		idf := math.Log((float64(len(docs))-n+0.5)/(n+0.5) + 1)
		for i, d := range docs {
			f := 0.0
			for _, token := range d {
				if token == q {
					f++
				}
			}
			scores[i] += idf * (f * (k1 + 1)) / (f + k1*(1-b+b*float64(len(d))/(total/float64(len(docs)))))
		}
	}
	return scores
}

func TestSearchIsOkapiOverConcatenatedFields(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		docs := randomDocs(r, 1+r.IntN(40))
		texts := make([]string, len(docs))
		for i, d := range docs {
			for f := range scored {
				texts[i] += string(d.Fields[f][0])
			}
		}
		p := flat
		p.K1, p.B = 2*r.Float64(), r.Float64()
		query := slices.Compact(slices.Sorted(slices.Values(strings.Fields(randomWords(r, 6)))))
		want := okapi(texts, query, p.K1, p.B)

		got := make([]float64, len(docs))
		for _, res := range resultsOf(viewOf(docs...), Query{Terms: termsOf(query)}, p) {
			got[res.Doc] = res.Score
		}
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-9 {
				t.Fatalf("seed %d, document %d: score %v, Okapi says %v", seed, i, got[i], want[i])
			}
		}
	}
}

func TestWeightsAreOfFrequencyAndLength(t *testing.T) {
	p := flat
	p.Weights = [NumFields]float64{Name: 3, Body: 1}
	got := resultsOf(viewOf(fields("alpha", "", "", "", "beta"), body("gamma")), Query{Text: "alpha"}, p)
	want := resultsOf(viewOf(body("alpha alpha alpha beta"), body("gamma")), Query{Text: "alpha"}, flat)
	if len(got) != 1 || got[0].Score != want[0].Score {
		t.Errorf("a name of weight 3: %v, three times in the body: %v", got, want)
	}
}

// UT-BM25-08, conflict C-101: the raw weight is log 0.6; the score uses log(1 + e^raw).
func TestIDF(t *testing.T) {
	got := IDF(3, 2)
	if raw := math.Log(math.Expm1(got)); math.Abs(raw-math.Log(0.6)) > 1e-12 {
		t.Errorf("raw idf %v, want log 0.6", raw)
	}
	for _, c := range []struct{ docs, df int }{{1, 1}, {1000, 1000}, {0, 0}, {1, 5}} {
		if got := IDF(c.docs, c.df); !(got > 0) {
			t.Errorf("IDF(%d, %d) = %v, want > 0", c.docs, c.df, got)
		}
	}
}

// UT-BM25-09 and UT-BM25-10.
func TestMatchIsPositiveAndNoMatchIsNothing(t *testing.T) {
	one := viewOf(body("auth token"))
	if got := resultsOf(one, Query{Text: "auth"}, flat); len(got) != 1 || !(got[0].Score > 0) {
		t.Errorf("one document that matches: %v", got)
	}
	for _, q := range []Query{{Text: "nothing"}, {Text: ""}, {Terms: termsOf([]string{})}, {Terms: termsOf([]string{"AUTH"})}} {
		if got := resultsOf(one, q, flat); len(got) != 0 {
			t.Errorf("%+v: %v, want nothing", q, got)
		}
	}
	with := resultsOf(one, Query{Text: "auth unheardof"}, flat)
	if without := resultsOf(one, Query{Text: "auth"}, flat); with[0].Score != without[0].Score {
		t.Errorf("an unknown token changed the score from %v to %v", without, with)
	}
}

// UT-BM25-11.
func TestShorterDocumentScoresHigher(t *testing.T) {
	got := resultsOf(viewOf(body("auth "+strings.Repeat("word ", 100)), body("auth")), Query{Text: "auth"}, flat)
	if len(got) != 2 || got[0].Doc != 1 || !(got[0].Score > got[1].Score) {
		t.Errorf("got %v, want the short document first", got)
	}
}

// UT-BM25-12.
func TestFrequencySaturates(t *testing.T) {
	p := flat
	p.B = 0
	got := resultsOf(viewOf(body(strings.Repeat("auth ", 100)), body("auth")), Query{Text: "auth"}, p)
	if len(got) != 2 || !(got[0].Score < 10*got[1].Score) {
		t.Errorf("got %v, want 100 occurrences below 10 times one", got)
	}
}

func TestParamsOutOfRange(t *testing.T) {
	views := viewOf(fields("alpha", "", "", "", "alpha beta"), body("alpha"), body("beta beta"))
	nan := math.NaN()
	for _, p := range []Params{
		{K1: -1, B: 2, Weights: flat.Weights}, {K1: nan, B: nan, Weights: flat.Weights},
		{K1: math.Inf(1), B: 1, Weights: flat.Weights}, {K1: 1, B: 1},
		{K1: 1, Weights: [NumFields]float64{nan, -1, math.Inf(1), math.Inf(-1), 1}},
	} {
		for _, res := range resultsOf(views, Query{Text: "alpha beta"}, p) {
			if !(res.Score > 0) || math.IsInf(res.Score, 0) {
				t.Errorf("%+v: score %v", p, res.Score)
			}
		}
	}
	byZero := resultsOf(views, Query{Text: "alpha"}, Params{})
	if byDefault := resultsOf(views, Query{Text: "alpha"}, DefaultParams); !slices.EqualFunc(byZero, byDefault, sameResult) {
		t.Errorf("zero Params: %v, want the defaults' %v", byZero, byDefault)
	}
}

// sameResult compares results bit by bit.
func sameResult(a, b Result) bool {
	return a.View == b.View && a.Doc == b.Doc && a.Score == b.Score && slices.Equal(a.Matched, b.Matched)
}
