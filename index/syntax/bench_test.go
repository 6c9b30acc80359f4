package syntax

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// goSources returns the Go files of one package of the standard library, tests included.
func goSources(b *testing.B, pkg string) [][]byte {
	b.Helper()
	files, _ := filepath.Glob(filepath.Join(runtime.GOROOT(), "src", pkg, "*.go"))
	var sources [][]byte
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		sources = append(sources, src)
	}
	if len(sources) == 0 {
		b.Skip("no Go sources here")
	}
	return sources
}

// BenchmarkParse measures parse and outline of net/http.
func BenchmarkParse(b *testing.B) {
	sources := goSources(b, "net/http")
	size, lines := 0, 0
	for _, src := range sources {
		size += len(src)
		lines += bytes.Count(src, newline)
	}
	lang := ByName("go")
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, src := range sources {
			if _, err := Parse(lang, src); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(lines)*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}
