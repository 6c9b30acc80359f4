package measure

import (
	"math"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/text"
)

// The constants of the tuned BM25 that models are compared with.
const (
	k1         = 1.5
	b          = .85
	nameWeight = 3
)

// A bm25 is an inverted index over the functions of one repository, tuned for prose: common words of English are left out,
// since they are rare in code and would weigh most, and words are stemmed a little.
type bm25 struct {
	postings map[string][]posting
	lengths  []float64
	average  float64
}

type posting struct {
	doc       int
	frequency float64
}

func newBM25(docs []Candidate) *bm25 {
	x := &bm25{postings: map[string][]posting{}, lengths: make([]float64, len(docs))}
	for i, d := range docs {
		counts := map[string]float64{}
		for _, w := range words(d.Name) {
			counts[w] += nameWeight
		}
		for _, w := range words(d.Code) {
			counts[w]++
		}
		for w, n := range counts {
			x.postings[w] = append(x.postings[w], posting{i, n})
			x.lengths[i] += n
		}
		x.average += x.lengths[i] / float64(len(docs))
	}
	return x
}

// scores returns the score of every document.
func (x *bm25) scores(query string) []float64 {
	scores := make([]float64, len(x.lengths))
	seen := map[string]bool{}
	for _, w := range words(query) {
		if seen[w] {
			continue
		}
		seen[w] = true
		list := x.postings[w]
		n := float64(len(list))
		idf := math.Log1p((float64(len(x.lengths)) - n + .5) / (n + .5))
		for _, p := range list {
			scores[p.doc] += idf * p.frequency * (k1 + 1) / (p.frequency + k1*(1-b+b*x.lengths[p.doc]/x.average))
		}
	}
	return scores
}

// words returns the stemmed sub-tokens of s that are not stop words.
func words(s string) []string {
	var list []string
	var t text.Subtokenizer
	t.Each([]byte(s), func(token []byte) bool {
		if w := string(token); !stopWords[w] {
			list = append(list, stem(w))
		}
		return true
	})
	return list
}

// stem removes the endings that nouns and verbs take most.
func stem(w string) string {
	for _, ending := range []string{"ings", "ing", "ies", "ied", "es", "ed", "s"} {
		if base, ok := strings.CutSuffix(w, ending); ok && len(base) >= 3 && !strings.HasSuffix(w, "ss") {
			if ending[0] == 'i' && ending[1] == 'e' {
				return base + "y"
			}
			return strings.TrimSuffix(base, "e")
		}
	}
	if len(w) > 4 {
		return strings.TrimSuffix(w, "e")
	}
	return w
}

var stopWords = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`the of to and is in it an or be as by on at if for that this with from are was were will not but its
		which can has have had may should would could must any all each when where then than so such also into only other one two
		used use uses using does do did been being they them their there these those we you your our his her he she what how who
		whether between because while after before over under about given specified`) {
		m[w] = true
	}
	return m
}()
