package store

import (
	"fmt"
	"testing"
)

// BenchmarkApply stores batches of 500 files.
func BenchmarkApply(b *testing.B) {
	s := open(b, b.TempDir(), Options{})
	const files = 500
	n := 0
	for b.Loop() {
		apply(b, s, batchOf("/w", fmt.Sprint(n), files))
		n += files
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "rows/s")
}

func BenchmarkLoadFiles(b *testing.B) {
	s := open(b, b.TempDir(), Options{})
	apply(b, s, batchOf("/w", "some/folder/of/the/tree", 100_000))
	for b.Loop() {
		files, err := s.LoadFiles(b.Context(), "/w")
		if err != nil || len(files) != 100_000 {
			b.Fatal(len(files), err)
		}
	}
}

// BenchmarkCacheStore stores batches of 500 contents of 2 KB each.
func BenchmarkCacheStore(b *testing.B) {
	c := openCache(b, b.TempDir(), Options{})
	const contents = 500
	n := 0
	for b.Loop() {
		batch := map[Key][]byte{}
		for i := range contents {
			batch[numbered(n+i)] = make([]byte, 2048)
		}
		store(b, c, batch)
		n += contents
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "contents/s")
}

func BenchmarkCacheLoad(b *testing.B) {
	c := openCache(b, b.TempDir(), Options{})
	batch := map[Key][]byte{}
	for i := range 20_000 {
		batch[numbered(i)] = make([]byte, 2048)
	}
	store(b, c, batch)
	i := 0
	for b.Loop() {
		if _, ok, err := c.Load(b.Context(), numbered(i%20_000)); !ok || err != nil {
			b.Fatal(ok, err)
		}
		i++
	}
}
