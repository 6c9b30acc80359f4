package index

import (
	"bytes"
	"context"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

var (
	sharedTree = flag.String("shared-tree", "", "a work tree of git that BenchmarkSharedCache indexes")
	sharedRate = flag.Int("shared-rate", 100, "MB/s that its server sends")
)

// pacedWriter sends no faster than a line of a certain rate.
type pacedWriter struct {
	http.ResponseWriter
	perSecond int
	moved     *int64
}

// Write implements io.Writer.
func (w pacedWriter) Write(p []byte) (int, error) {
	<-time.After(time.Duration(len(p)) * time.Second / time.Duration(w.perSecond))
	*w.moved += int64(len(p))
	return w.ResponseWriter.Write(p)
}

// BenchmarkSharedCache indexes a tree from nothing by turns: parsed, and from a pack that comes over a line of a certain rate.
func BenchmarkSharedCache(b *testing.B) {
	if *sharedTree == "" {
		b.Skip("-shared-tree names no work tree")
	}
	k, moved := &keeper{values: map[string][]byte{}}, int64(0)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		k.mu.Lock()
		value, ok := k.values[r.URL.Path]
		k.mu.Unlock()
		if r.Method == http.MethodGet && ok {
			_, _ = io.Copy(pacedWriter{w, *sharedRate << 20, &moved}, struct{ io.Reader }{bytes.NewReader(value)})
			return
		}
		k.ServeHTTP(w, r)
	}))
	defer server.Close()
	run := func(then func(*Index), opts Options) (cpu, wall time.Duration) {
		start, used := time.Now(), processorTime()
		opts.Folders, opts.NoWatch, opts.StoreDir, opts.Embedder = []string{*sharedTree}, true, b.TempDir(), model(b)
		x, err := Open(context.Background(), opts)
		if err == nil {
			err = x.Flush(context.Background())
		}
		if err != nil {
			b.Fatal(err)
		}
		cpu, wall = processorTime()-used, time.Since(start)
		if then != nil {
			then(x)
		}
		if err := x.Shutdown(); err != nil {
			b.Fatal(err)
		}
		return cpu, wall
	}
	var source, lines int64
	var pushed []Pushed
	var parseCPU, parseWall, fetchCPU, fetchWall time.Duration
	rounds := 0
	for b.Loop() {
		rounds++
		source, lines, moved = 0, 0, 0
		cpu, wall := run(func(x *Index) {
			k.mu.Lock()
			clear(k.values)
			k.mu.Unlock()
			for f := range x.Snapshot().Files() {
				source += f.Size
				lines += int64(f.Lines)
			}
			var err error
			if pushed, err = Push(context.Background(), x, writerAt(b, server.URL, teamKey)); err != nil {
				b.Fatal(err)
			}
		}, Options{})
		parseCPU, parseWall = parseCPU+cpu, parseWall+wall
		moved = 0
		cpu, wall = run(func(x *Index) { b.Log(x.Status().SharedCache.Detail) }, Options{Remote: remoteAt(b, server.URL, teamKey)})
		fetchCPU, fetchWall = fetchCPU+cpu, fetchWall+wall
	}
	n := float64(rounds)
	b.ReportMetric(parseCPU.Seconds()/n, "parse-cpu-s")
	b.ReportMetric(parseWall.Seconds()/n, "parse-s")
	b.ReportMetric(fetchCPU.Seconds()/n, "fetch-cpu-s")
	b.ReportMetric(fetchWall.Seconds()/n, "fetch-s")
	b.ReportMetric(float64(fetchCPU)/float64(parseCPU), "fetch/parse-cpu")
	b.ReportMetric(float64(moved)/1e6, "MB-moved")
	b.ReportMetric(float64(moved)/float64(source), "moved/source")
	b.ReportMetric(float64(pushed[0].Files), "files")
	b.ReportMetric(float64(lines), "lines")
}
