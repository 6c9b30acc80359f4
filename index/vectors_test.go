package index

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/aurora-sidecar/aurora/index/embed"
)

func model(t testing.TB) *embed.Static {
	t.Helper()
	m, err := embed.Default()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// vectorsOf is what the snapshot has of every chunk, by its id.
func vectorsOf(s *Snapshot) map[string]string {
	out := map[string]string{}
	for f := range s.Files() {
		for i := range f.Chunks {
			ref := Ref{File: f, Index: i}
			out[ref.ID()] = fmt.Sprint(s.Vector(ref))
		}
	}
	return out
}

var meanings = map[string]string{
	"net/dial.go":  "package net\n\n// Dial opens a connection to a server.\nfunc Dial(addr string) error { return connect(addr) }\n",
	"text/wrap.go": "package text\n\n// Wrap breaks long lines at spaces.\nfunc Wrap(s string, width int) string { return s }\n",
	"calc/sum.go":  "package calc\n\n// Sum adds numbers.\nfunc Sum(list []int) (total int) {\n\tfor _, n := range list {\n\t\ttotal += n\n\t}\n\treturn\n}\n",
}

func nearest(t *testing.T, s *Snapshot, q Query) ([]Hit, error) {
	t.Helper()
	d, err := s.Direction(t.Context(), q.Text)
	hits := d.Nearest(q)
	for _, h := range hits {
		if math.Abs(h.Cosine-d.Cosine(h.Ref)) > 1e-6 {
			t.Errorf("%s: cosine %g by search, %g by itself", h.ID(), h.Cosine, d.Cosine(h.Ref))
		}
	}
	return hits, err
}

func TestSimilarFindsByMeaning(t *testing.T) {
	x := open(t, Options{Folders: []string{workspace(t, meanings)}, NoWatch: true, Embedder: model(t)})
	s := x.Snapshot()
	for query, want := range map[string]string{
		"establish network link to a host": "code:net/dial.go:Dial",
		"limit the width of a text":        "code:text/wrap.go:Wrap",
		"accumulate integers":              "code:calc/sum.go:Sum",
	} {
		hits, err := nearest(t, s, Query{Text: query, Limit: 3})
		if err != nil || len(hits) == 0 || hits[0].ID() != want || hits[0].Cosine <= hits[len(hits)-1].Cosine {
			t.Errorf("%q: %v, %v, want %s first", query, hits, err, want)
		}
	}
	only := Query{Text: "network", Accept: func(f *File) bool { return f.Path == "calc/sum.go" }}
	if hits, err := nearest(t, s, only); err != nil || len(hits) == 0 || slices.ContainsFunc(hits, func(h Hit) bool { return h.File.Path != "calc/sum.go" }) {
		t.Errorf("a filter lets %v through, %v", hits, err)
	}
	dial := s.Named("Dial", false)[0]
	if hits := s.DirectionOf(dial).Nearest(Query{Limit: 1}); len(hits) != 1 || hits[0].Ref != dial || hits[0].Cosine < 0.999 {
		t.Errorf("most similar to Dial: %v", hits)
	}
	if hits, err := nearest(t, s, Query{Text: "\x00 ??? 、。"}); err != nil || len(hits) != 0 {
		t.Errorf("a query without words: %v, %v", hits, err)
	}
}

func TestWithoutModelNothingIsSimilar(t *testing.T) {
	s := open(t, Options{Folders: []string{workspace(t, meanings)}, NoWatch: true}).Snapshot()
	if hits, err := nearest(t, s, Query{Text: "network"}); hits != nil || err != nil || s.Embedder() != "" {
		t.Errorf("hits %v, %v, embedder %q", hits, err, s.Embedder())
	}
}

// TestVectorsAreSaved: a second start has the same ones; one with another model, or none, makes its own, without parsing.
func TestVectorsAreSaved(t *testing.T) {
	dir, store := workspace(t, meanings), t.TempDir()
	run := func(m *embed.Static) (map[string]string, int64) {
		t.Helper()
		x, err := Open(context.Background(), Options{Folders: []string{dir}, StoreDir: store, NoWatch: true, Embedder: m})
		if err != nil {
			t.Fatal(err)
		}
		s := flush(t, x)
		vectors := vectorsOf(s)
		if err := x.Shutdown(); err != nil {
			t.Fatal(err)
		}
		return vectors, x.queue.parses.Load()
	}
	want, _ := run(model(t))
	if got, parses := run(model(t)); !maps.Equal(got, want) || parses != 0 {
		t.Errorf("after a second start: %v, %d parsed", got, parses)
	}
	if got, parses := run(nil); parses != 0 || got["code:calc/sum.go:Sum"] != "[]" {
		t.Errorf("without a model: %v, %d parsed", got, parses)
	}
	table, err := embed.Encode(2, []embed.Row{
		{Hash: embed.HashToken([]byte("sum")), Scale: 1 << 10, Values: []int8{1, 2}},
		{Hash: embed.HashToken([]byte("net")), Scale: 1 << 10, Values: []int8{-3, 1}},
	})
	if err != nil {
		t.Fatal(err)
	}
	other, err := embed.OpenStatic(table)
	if err != nil {
		t.Fatal(err)
	}
	if got, parses := run(other); parses != 0 || len(got) != len(want) {
		t.Errorf("with another model: %v, %d parsed", got, parses)
	}
	if got, parses := run(model(t)); !maps.Equal(got, want) || parses != 0 {
		t.Errorf("back again: %v, %d parsed", got, parses)
	}
}
