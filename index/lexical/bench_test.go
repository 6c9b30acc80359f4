package lexical

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/internal/text"
)

// goSource returns at most n paragraphs of the Go distribution's source as documents, and their size in bytes. A
// paragraph is what stands between blank lines, which is about a chunk.
var goSource = sync.OnceValues(func() ([]Document, int) {
	const n = 100_000
	var docs []Document
	size := 0
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, 0
	}
	root := filepath.Join(strings.TrimSpace(string(goroot)), "src")
	_ = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || len(docs) >= n || filepath.Ext(path) != ".go" {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return nil
		}
		rel, _ := filepath.Rel(root, path)
		for p := range bytes.SplitSeq(data, []byte("\n\n")) {
			if len(p) < 100 || len(docs) == n {
				continue
			}
			first, _, _ := bytes.Cut(p, []byte("\n"))
			d := Document{}
			d.Fields[Path] = [][]byte{[]byte(rel)}
			d.Fields[Signature] = [][]byte{first}
			d.Fields[Body] = [][]byte{p}
			docs = append(docs, d)
			size += len(p)
		}
		return nil
	})
	return docs, size
})

func BenchmarkBuild(b *testing.B) {
	docs, size := goSource()
	b.SetBytes(int64(size))
	builder := NewBuilder()
	for b.Loop() {
		for _, d := range docs {
			builder.Add(d)
		}
		seg := builder.Build()
		b.ReportMetric(float64(len(seg.Bytes()))/float64(seg.Docs()), "B/doc")
		b.ReportMetric(float64(seg.Docs()), "docs")
		b.ReportMetric(float64(seg.Terms()), "terms")
	}
}

// benchSegment is the segment of goSource.
var benchSegment = sync.OnceValue(func() *Segment {
	docs, _ := goSource()
	return segmentOf(docs...)
})

// benchQueries draws queries of n distinct tokens from the documents, so that common tokens come often.
func benchQueries(n int) [][]string {
	docs, _ := goSource()
	r := rand.New(rand.NewPCG(1, uint64(n)))
	queries := make([][]string, 500)
	for i := range queries {
		var q []string
		for len(q) < n {
			tokens := text.Tokenize(string(docs[r.IntN(len(docs))].Fields[Body][0]))
			if tok := tokens[r.IntN(len(tokens))]; !slices.Contains(q, tok) {
				q = append(q, tok)
			}
		}
		queries[i] = q
	}
	return queries
}

func BenchmarkSearch(b *testing.B) {
	views := []View{NewView(benchSegment(), nil)}
	var dead []uint32
	for doc := 0; doc < benchSegment().Docs(); doc += 20 {
		dead = append(dead, uint32(doc))
	}
	for _, n := range []int{1, 3, 8} {
		queries := benchQueries(n)
		b.Run(fmt.Sprintf("terms=%d", n), func(b *testing.B) { benchSearch(b, views, queries) })
	}
	b.Run("terms=8/dead=5%", func(b *testing.B) {
		benchSearch(b, []View{views[0].without(dead...)}, benchQueries(8))
	})
	byDocs := map[string]int{}
	views[0].Seg.EachTerm("", func(term []byte, docs int) bool { byDocs[string(term)] = docs; return true })
	tokens := slices.SortedFunc(maps.Keys(byDocs), func(a, b string) int { return byDocs[b] - byDocs[a] })[:8]
	b.Run("terms=8/commonest", func(b *testing.B) { benchSearch(b, views, [][]string{tokens}) })
}

func benchSearch(b *testing.B, views []View, queries [][]string) {
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		start := time.Now()
		resultsOf(views, Query{Terms: termsOf(queries[i%len(queries)])}, DefaultParams)
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
}

func BenchmarkOpen(b *testing.B) {
	data := benchSegment().Bytes()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := openChecked(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLookup(b *testing.B) {
	views := []View{NewView(benchSegment(), nil)}
	for b.Loop() {
		Lookup(views, Signature, "func", func(int, uint32) bool { return true })
	}
}

func BenchmarkMerge(b *testing.B) {
	docs, size := goSource()
	builder := NewBuilder()
	var views []View
	for part := range slices.Chunk(docs, len(docs)/20+1) {
		for _, d := range part {
			builder.Add(d)
		}
		views = append(views, NewView(builder.Build(), nil))
	}
	b.SetBytes(int64(size))
	for b.Loop() {
		Merge(views)
	}
}
