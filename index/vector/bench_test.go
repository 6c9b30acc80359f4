package vector

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// BenchmarkSearch reports how long the best hundred of many vectors take to find, and what 100,000 of them occupy.
func BenchmarkSearch(b *testing.B) {
	for _, docs := range []int{10_000, 100_000, 1_000_000} {
		if testing.Short() && docs > 100_000 {
			continue
		}
		b.Run(fmt.Sprint(docs), func(b *testing.B) {
			vectors := clustered(min(docs, 50_000), 256, 9)
			builder, err := NewBuilder(space, 256)
			if err != nil {
				b.Fatal(err)
			}
			for doc := range docs {
				if err := builder.Add(doc, vectors[doc%len(vectors)]); err != nil {
					b.Fatal(err)
				}
			}
			seg := builder.Build()
			views := []View{{Seg: seg}}
			r := rand.New(rand.NewPCG(1, 1))
			var took []time.Duration
			for b.Loop() {
				q := Query{Vector: vectors[r.IntN(len(vectors))], Space: space, Limit: 100}
				begin := time.Now()
				Search(views, q)
				took = append(took, time.Since(begin))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
			b.ReportMetric(float64(len(seg.Bytes()))/float64(docs)*100_000/1e6, "MB/100k")
		})
	}
}
