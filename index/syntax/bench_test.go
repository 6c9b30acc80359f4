package syntax

import (
	"bytes"
	"fmt"
	"go/build"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// goSources returns the Go files of one package of the standard library, tests included.
func goSources(b *testing.B, pkg string) [][]byte {
	b.Helper()
	files, _ := filepath.Glob(filepath.Join(build.Default.GOROOT, "src", pkg, "*.go"))
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

// BenchmarkKeystroke types into a generated Go file of 10,000 lines and reports the time from an edit to its outline:
// where the text stays whole, and where every other edit breaks it.
func BenchmarkKeystroke(b *testing.B) {
	var src []byte
	for i := 0; bytes.Count(src, newline) < 10_000; i++ {
		src = fmt.Appendf(src, "// F%d does one thing.\nfunc F%d(a, b int) (int, error) {\n", i, i)
		src = append(src, "\tif a > b {\n\t\treturn compute(a), nil\n\t}\n\tfmt.Println(a, b)\n\treturn a, nil\n}\n\n"...)
	}
	src = append([]byte("package p\n\nimport \"fmt\"\n\n"), src...)
	middle := len(src)/2 + bytes.Index(src[len(src)/2:], []byte("compute"))
	for _, kind := range []struct{ name, typed string }{{"letter", "x"}, {"quote", "\""}, {"brace", "{"}} {
		b.Run(kind.name, func(b *testing.B) {
			d := NewDocument(ByName("go"), src)
			defer d.Close()
			typed := Edit{middle, middle, []byte(kind.typed)}
			after := append(append(append([]byte{}, src[:middle]...), kind.typed...), src[middle:]...)
			undo := Edit{middle, middle + len(kind.typed), nil}
			var took []time.Duration
			for i := 0; b.Loop(); i++ {
				start := time.Now()
				if i%2 == 0 {
					d.Edit(after, []Edit{typed})
				} else {
					d.Edit(src, []Edit{undo})
				}
				if _, err := d.Outline(); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
		})
	}
}

// BenchmarkLanguages measures parse and outline of every file of the test data, repeated to 32 KB.
func BenchmarkLanguages(b *testing.B) {
	for file, src := range corpus(b) {
		lang := ByPath(file)
		src = bytes.Repeat(src, 1+32<<10/len(src))
		b.Run(lang.Name+"/"+filepath.Base(file), func(b *testing.B) {
			if _, err := lang.compiled(); err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				if _, err := Parse(lang, src); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
