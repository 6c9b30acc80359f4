package index

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/index/lexical"
	"github.com/aurora-sidecar/aurora/index/vector"
)

// A made-up corpus: as many words as a large repository has, as unevenly used (Zipf), in chunks of usual length.
const (
	madeWords   = 400_000
	madeLength  = 45 // words of a body, on average
	madeSpace   = "made"
	madeDims    = 256
	wordsFromIt = 1.07 // Zipf's exponent of identifiers' parts in source code
)

// madeUp are the two retrievers over n made-up chunks, and a function that draws queries of so many words from them.
type madeUp struct {
	words   []lexical.View
	vectors []vector.View
	zipf    *rand.Zipf
	rng     *rand.Rand
}

var madeUps sync.Map // by number of chunks

func makeUp(b *testing.B, n int) *madeUp {
	if m, ok := madeUps.Load(n); ok {
		return m.(*madeUp)
	}
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	m := &madeUp{rng: rng, zipf: rand.NewZipf(rng, wordsFromIt, 3, madeWords-1)}
	lex := lexical.NewBuilder()
	vecs, err := vector.NewBuilder(madeSpace, madeDims)
	if err != nil {
		b.Fatal(err)
	}
	var body []byte
	for i := range n {
		body = body[:0]
		for range int(madeLength * math.Exp(rng.NormFloat64()*0.8-0.32)) {
			body = append(append(body, m.word()...), ' ')
		}
		var d lexical.Document
		name := m.word() + strings.ToUpper(m.word()[:1]) + m.word()[1:]
		d.Fields[lexical.Name] = [][]byte{[]byte(name)}
		d.Fields[lexical.Path] = [][]byte{fmt.Appendf(nil, "pkg%d/%s/file%d.go", i/2000, m.word(), i/12)}
		d.Fields[lexical.Signature] = [][]byte{[]byte("func " + name + " " + m.word())}
		d.Fields[lexical.Body] = [][]byte{body}
		lex.Add(d)
		if err := vecs.Add(i, m.vector()); err != nil {
			b.Fatal(err)
		}
	}
	m.words = []lexical.View{lexical.NewView(lex.Build(), nil)}
	m.vectors = []vector.View{{Seg: vecs.Build()}}
	madeUps.Store(n, m)
	return m
}

// word draws one; its letters are its number.
func (m *madeUp) word() string {
	n := m.zipf.Uint64()
	w := []byte{'w'}
	for n += 26; n > 0; n /= 26 {
		w = append(w, byte('a'+n%26))
	}
	return string(w)
}

// vector draws one near one of a few hundred directions.
func (m *madeUp) vector() []int8 {
	centre := rand.New(rand.NewPCG(2, m.rng.Uint64N(300)))
	vec := make([]int8, madeDims)
	for d := range vec {
		vec[d] = int8(max(-127, min(127, 30*(centre.NormFloat64()+m.rng.NormFloat64()))))
	}
	return vec
}

// BenchmarkRetrievers asks both retrievers one after the other, as a search does, for chunks of a made-up corpus. What a search does
// beside, ranking some two hundred candidates and reading the files of ten, does not depend on the size.
func BenchmarkRetrievers(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		if testing.Short() && n > 10_000 {
			continue
		}
		for _, words := range []int{1, 3, 8} {
			b.Run(fmt.Sprintf("chunks=%d/words=%d", n, words), func(b *testing.B) {
				m := makeUp(b, n)
				var took []time.Duration
				used := processorTime()
				for b.Loop() {
					tokens := make([]string, words)
					for i := range tokens {
						tokens[i] = m.word()
					}
					near := m.vector()
					begin := time.Now()
					lexical.Search(m.words, lexical.Query{Text: strings.Join(tokens, " "), Limit: 200}, lexical.DefaultParams)
					vector.Search(m.vectors, vector.Query{Vector: near, Space: madeSpace, Limit: 100})
					took = append(took, time.Since(begin))
				}
				b.ReportMetric(float64((processorTime()-used).Microseconds())/1000/float64(len(took)), "cpu-ms/op")
				slices.Sort(took)
				b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
				b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
			})
		}
	}
}
