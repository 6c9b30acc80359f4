package store

import (
	"fmt"
	"testing"
)

// BenchmarkApply stores batches of 500 files with 2 KB of content each.
func BenchmarkApply(b *testing.B) {
	s := open(b, b.TempDir(), Options{})
	const files = 500
	data := make([]byte, 2048)
	n := 0
	for b.Loop() {
		batch := batchOf("/w", fmt.Sprint(n), files)
		for key := range batch.Contents {
			batch.Contents[key] = data
		}
		apply(b, s, batch)
		n += files
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "rows/s")
}

// stored fills a store with n files.
func stored(b *testing.B, n int) (*Store, []Key) {
	s := open(b, b.TempDir(), Options{})
	batch := batchOf("/w", "some/folder/of/the/tree", n)
	apply(b, s, batch)
	var keys []Key
	for _, f := range batch.Upserts {
		keys = append(keys, f.Content)
	}
	return s, keys
}

func BenchmarkLoadFiles(b *testing.B) {
	s, keys := stored(b, 100_000)
	for b.Loop() {
		files, err := s.LoadFiles(b.Context(), "/w")
		if err != nil || len(files) != len(keys) {
			b.Fatal(len(files), err)
		}
	}
}

func BenchmarkEachContent(b *testing.B) {
	s, keys := stored(b, 100_000)
	for b.Loop() {
		n := 0
		err := s.EachContent(b.Context(), keys, func(Key, []byte) error { n++; return nil })
		if err != nil || n != len(keys) {
			b.Fatal(n, err)
		}
	}
}
