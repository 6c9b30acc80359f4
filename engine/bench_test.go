package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/memory/sqlite"
)

// goroot is an engine over Go's own source, about 11,000 files, or over AURORA_BENCH_DIR. It is indexed once for all
// benchmarks.
var goroot struct {
	once   sync.Once
	engine *Engine
	index  *index.Index
	err    error
}

func openGoroot(b *testing.B) *Engine {
	b.Helper()
	goroot.once.Do(func() {
		ctx := context.Background()
		src := os.Getenv("AURORA_BENCH_DIR")
		if src == "" {
			root, err := exec.Command("go", "env", "GOROOT").Output()
			if goroot.err = err; err != nil {
				return
			}
			src = filepath.Join(strings.TrimSpace(string(root)), "src")
		}
		if goroot.index, goroot.err = index.Open(ctx, index.Options{Folders: []string{src}, NoWatch: true}); goroot.err != nil {
			return
		}
		if goroot.err = goroot.index.WaitReady(ctx); goroot.err != nil {
			return
		}
		store, err := sqlite.OpenMemory(ctx, sqlite.Options{})
		goroot.err = err
		goroot.engine = New(Options{Index: goroot.index, Memory: store})
	})
	if goroot.err != nil {
		b.Skip(goroot.err)
	}
	files, chunks := goroot.index.Snapshot().Counts()
	b.Logf("%d files, %d chunks", files, chunks)
	return goroot.engine
}

// benchQueries mix names, words, filters and nothing found.
var benchQueries = []string{
	"ServeHTTP", "http.Handler", "parse url query string", "read all bytes from a reader until end of file", "String",
	"goroutine scheduler work stealing", "type:method lang:go close connection", "path:net/http retry request", "newBufioReader",
	"tls handshake certificate verify", "xyzabc123 nothing", "sort a slice", "error", "context cancel deadline exceeded",
}

// measure runs do b.N times and reports the 95th percentile in milliseconds.
func measure(b *testing.B, do func(i int)) {
	b.Helper()
	times := make([]time.Duration, 0, b.N)
	b.ResetTimer()
	for i := range b.N {
		start := time.Now()
		do(i)
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[(len(times)-1)*95/100])/1e6, "p95-ms")
}

func BenchmarkSearch(b *testing.B) {
	e := openGoroot(b)
	measure(b, func(i int) {
		if _, err := e.Search(context.Background(), SearchRequest{Query: benchQueries[i%len(benchQueries)]}); err != nil {
			b.Fatal(err)
		}
	})
}

// BenchmarkSearchOpenFile is BenchmarkSearch with a file open by turns, over AURORA_BENCH_DIR with its history.
func BenchmarkSearchOpenFile(b *testing.B) {
	e := openGoroot(b)
	var files []string
	for f := range goroot.index.Snapshot().Listed() {
		files = append(files, f.Abs)
	}
	slices.Sort(files)
	ask := func(i int) {
		if _, err := e.Search(context.Background(), SearchRequest{Query: benchQueries[i%len(benchQueries)], Open: files[i*7919%len(files)]}); err != nil {
			b.Fatal(err)
		}
	}
	ask(0) // reads the history
	measure(b, ask)
}

func BenchmarkSearchEach(b *testing.B) {
	e := openGoroot(b)
	for _, q := range benchQueries {
		b.Run(q, func(b *testing.B) {
			measure(b, func(int) {
				if _, err := e.Search(context.Background(), SearchRequest{Query: q}); err != nil {
					b.Fatal(err)
				}
			})
		})
	}
}

func BenchmarkSymbols(b *testing.B) {
	e := openGoroot(b)
	measure(b, func(i int) {
		if _, err := e.Symbols(context.Background(), benchQueries[i%len(benchQueries)], 100); err != nil {
			b.Fatal(err)
		}
	})
}

// places are the first name of every hundredth definition.
func places(e *Engine) []Place {
	var list []Place
	n := 0
	for f := range e.opts.Index.Snapshot().Files() {
		for i := range f.Chunks {
			if c := &f.Chunks[i]; c.Name != "" && !c.NameSpan.Empty() {
				if n++; n%100 == 0 {
					list = append(list, Place{Path: f.Abs, Offset: c.NameSpan.Start})
				}
			}
		}
	}
	return list
}

func BenchmarkHover(b *testing.B) {
	e := openGoroot(b)
	at := places(e)
	measure(b, func(i int) {
		if _, err := e.Code().Hover(context.Background(), at[i%len(at)]); err != nil {
			b.Fatal(err)
		}
	})
}

// anywhere are random places of random files: most are no definition, and some are no name.
func anywhere(e *Engine, n int) (list []Place) {
	files := slices.SortedFunc(e.opts.Index.Snapshot().Files(), func(a, b *index.File) int { return strings.Compare(a.Abs, b.Abs) })
	random := rand.New(rand.NewPCG(1, 1))
	for len(list) < n {
		f := files[random.IntN(len(files))]
		if f.Language == "go" && f.Size > 0 {
			list = append(list, Place{Path: f.Abs, Offset: random.IntN(int(f.Size))})
		}
	}
	return list
}

// BenchmarkHoverAnywhere reports percentiles of the processor time, that of collecting garbage included.
func BenchmarkHoverAnywhere(b *testing.B) {
	e := openGoroot(b)
	at := anywhere(e, 5000)
	times := make([]time.Duration, 0, b.N)
	b.ResetTimer()
	for i := range b.N {
		begin := cpuTime()
		if _, err := e.Code().Hover(context.Background(), at[i%len(at)]); err != nil {
			b.Fatal(err)
		}
		times = append(times, cpuTime()-begin)
	}
	slices.Sort(times)
	for _, p := range []int{50, 95, 99} {
		b.ReportMetric(float64(times[(len(times)-1)*p/100])/1e6, fmt.Sprintf("cpu-p%d-ms", p))
	}
}

func BenchmarkActions(b *testing.B) {
	e := openGoroot(b)
	at := places(e)
	measure(b, func(i int) {
		p := at[i%len(at)]
		if _, err := e.Code().Actions(context.Background(), Selection{Path: p.Path, Start: p.Offset, End: p.Offset}); err != nil {
			b.Fatal(err)
		}
	})
}

func BenchmarkContext(b *testing.B) {
	e := openGoroot(b)
	at := places(e)
	measure(b, func(i int) {
		p := at[i%len(at)]
		s := Selection{Path: p.Path, Start: p.Offset, End: p.Offset}
		if _, err := e.Context(context.Background(), ContextRequest{Select: &s, Query: benchQueries[i%len(benchQueries)]}); err != nil {
			b.Fatal(err)
		}
	})
}

func BenchmarkQuery(b *testing.B) {
	e := openGoroot(b)
	for _, q := range []string{"what is %s?", "who calls %s?", "what is related to %s?", "how does %s handle errors in practice"} {
		b.Run(q, func(b *testing.B) {
			measure(b, func(int) {
				if _, err := e.Query(context.Background(), QueryRequest{Query: fmt.Sprintf(q, "ServeHTTP")}, nil); err != nil {
					b.Fatal(err)
				}
			})
		})
	}
}

// benchSymbols are asked for their neighbours: rare names, common ones, types with many heirs, packages that everyone
// imports.
var benchSymbols = []string{
	"Server.ListenAndServe", "Reader", "String", "Buffer.Write", "Close", "Sprintf", "Handler", "newBufioReader", "Error",
	"Mutex.Lock", "TestServeMuxHandler", "Conn", "Marshal", "Name", "File.Read",
}

func BenchmarkRelated(b *testing.B) {
	e := openGoroot(b)
	for _, direction := range Directions {
		if direction == "cochanged" {
			continue // asks git, not the index
		}
		b.Run(direction, func(b *testing.B) {
			measure(b, func(i int) {
				symbol := benchSymbols[i%len(benchSymbols)]
				if _, err := e.Code().Related(context.Background(), RelatedRequest{Symbol: symbol, Direction: direction}); err != nil {
					b.Fatal(symbol, err)
				}
			})
		})
	}
}
