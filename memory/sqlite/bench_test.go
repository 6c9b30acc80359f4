package sqlite

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/aurora-sidecar/aurora/memory"
)

// filled is a store in a file with n records, each used a few times.
func filled(b *testing.B, n int) (*Store, []string) {
	b.Helper()
	s := openAt(b, filepath.Join(b.TempDir(), "memory.db"), Options{})
	var ids []string
	err := s.write(b.Context(), func(tx tx) error {
		for i := range n {
			r, err := memory.Prepare(memory.Record{
				Content:   fmt.Sprintf("Decision %d: handler%d retries the %dth request with backoff because of timeout%d", i, i%97, i%13, i%7),
				SourceRef: fmt.Sprintf("pkg%d/file%d.go:%d", i%20, i%300, i),
			})
			if err != nil {
				return err
			}
			r, _, err = remember(b.Context(), tx, r)
			if err != nil {
				return err
			}
			ids = append(ids, r.ID)
			for range i % 5 {
				if err := recordUse(b.Context(), tx, pendingUse{r.ID, memory.Opened, 0.5, tx.now}); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return s, ids
}

func BenchmarkSearch(b *testing.B) {
	s, _ := filled(b, 10_000)
	for name, q := range map[string]memory.Query{
		"words":      {Text: "handler42 timeout"},
		"everything": {Text: "decision request"},
		"refs":       {Refs: []string{"pkg1/file1.go", "code:pkg1/file1.go:F"}},
		"active":     {},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if hits, err := s.Search(b.Context(), q); err != nil || len(hits) == 0 {
					b.Fatal(len(hits), err)
				}
			}
		})
	}
}

func BenchmarkActivation(b *testing.B) {
	s, ids := filled(b, 1000)
	for b.Loop() {
		if _, err := s.Activation(b.Context(), ids); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRemember(b *testing.B) {
	s, _ := filled(b, 1000)
	i := 0
	for b.Loop() {
		mustRemember(b, s, fmt.Sprintf("new record number %d", i))
		i++
	}
}

func BenchmarkOpen(b *testing.B) {
	s, _ := filled(b, 10_000)
	path := s.path
	s.Close()
	for b.Loop() {
		openAt(b, path, Options{}).Close()
	}
}
