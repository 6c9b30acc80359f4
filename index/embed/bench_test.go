package embed

import (
	"go/build"
	"os"
	"path/filepath"
	"testing"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/syntax"
)

// BenchmarkStatic embeds the chunks of Go's standard library on one core.
func BenchmarkStatic(b *testing.B) {
	s, err := Default()
	if err != nil {
		b.Fatal(err)
	}
	texts := standardLibrary(b, 5000)
	bytes := 0
	for _, t := range texts {
		bytes += len(t)
	}
	dst := make([]int8, 0, 256)
	b.SetBytes(int64(bytes))
	for b.Loop() {
		for _, t := range texts {
			s.AppendVector(dst, t)
		}
	}
	b.ReportMetric(float64(b.N*len(texts))/b.Elapsed().Seconds(), "chunks/s")
	b.ReportMetric(float64(bytes)/float64(len(texts)), "B/chunk")
}

// standardLibrary returns the texts of about limit chunks.
func standardLibrary(b *testing.B, limit int) (texts [][]byte) {
	b.Helper()
	files, err := filepath.Glob(filepath.Join(build.Default.GOROOT, "src", "net", "*", "*.go"))
	if err != nil || len(files) == 0 {
		b.Skip("the sources of Go's standard library are not installed")
	}
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		f, err := chunk.Analyze(syntax.ByName("go"), src)
		if err != nil {
			b.Fatal(err)
		}
		for i := range f.Chunks {
			if texts = append(texts, Text("net/"+filepath.Base(name), f, i, src)); len(texts) == limit {
				return texts
			}
		}
	}
	return texts
}

func BenchmarkOpen(b *testing.B) {
	for b.Loop() {
		if _, err := OpenStatic(modelBytes); err != nil {
			b.Fatal(err)
		}
	}
}
