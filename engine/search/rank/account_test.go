package rank

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/search/querytext"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/memory"
)

// randomCandidates are chunks of a few files of all kinds, and records, with random figures.
func randomCandidates(random *rand.Rand, terms []string) []*Candidate {
	paths := []string{"a.go", "net/parcel.go", "parcel_test.go", "vendor/x/y.go", "api/x.pb.go", "examples/a.go", "docs/a.md", "lib/weight.h"}
	types := []chunk.Type{chunk.Function, chunk.Method, chunk.Class, chunk.Code}
	names := []string{"parcelWeight", "weigh", "Parcel", "compute", "run", ""}
	var list []*Candidate
	for _, path := range paths[:1+random.IntN(len(paths))] {
		file := &index.File{Path: path, Abs: "/w/" + path, File: &chunk.File{}}
		for i := range 1 + random.IntN(5) {
			start := random.IntN(900)
			file.Chunks = append(file.Chunks, chunk.Chunk{
				Type: types[random.IntN(len(types))], Name: names[random.IntN(len(names))],
				LineRange: chunk.LineRange{StartLine: start, EndLine: start + random.IntN(200)},
			})
			c := &Candidate{Ref: index.Ref{File: file, Index: i}, wordMatch: wordMatch{BM25: 20 * random.Float64()}}
			c.Cosine = random.Float64()
			if random.IntN(4) == 0 {
				c.Raise(Tier(random.IntN(4)), c.Ref.Chunk().Name)
				c.Closeness = random.Float64()
			}
			if random.IntN(10) == 0 {
				c.Paste("a line of it", random.Float64())
			}
			if random.IntN(6) == 0 {
				c.ProviderScore = random.Float64()
			}
			if random.IntN(6) == 0 {
				c.prototype = rules.Declared
			}
			list = append(list, c)
		}
	}
	for range random.IntN(4) {
		record := recordCandidate("about parcels")
		record.BM25, record.Closeness, record.SemanticOnly = 9*random.Float64(), random.Float64(), random.IntN(3) == 0
		record.Record.Activation = 4*random.Float64() - 2
		if random.IntN(3) == 0 {
			record.Record.Tags = []string{memory.Incorrect}
		}
		if random.IntN(3) == 0 {
			record.Record.Citations = []memory.Citation{{State: memory.Changed}}
		}
		list = append(list, record)
	}
	for _, c := range list {
		for _, term := range terms {
			if random.IntN(2) == 0 {
				c.Matched = append(c.Matched, term)
			}
		}
		c.Propose([]string{"full_text", "semantic"}[random.IntN(2)], random.Float64())
	}
	return list
}

// TestAccountSums holds that what features give sums to the figure that is shown, and that this figure is the one that orders: where
// nothing comes after it, it has the score; of files and in files, it falls as the score does.
func TestAccountSums(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	queries := []string{
		"how is the parcel weight computed from a list", "parcel weight", "parcel weight of somebody", "compute the weight of a parcel", "parcelWeight", "Parcel",
	}
	seen := map[string]int{}
	for range 3000 {
		query := queries[random.IntN(len(queries))]
		options := Options{Deep: random.IntN(3) == 0, Narrow: random.IntN(4) == 0}
		if random.IntN(4) > 0 {
			options.Nearness = func(f *index.File) float64 { return float64(len(f.Path)%7) / 7 }
		}
		r := New(querytext.Parse(query), options)
		list := randomCandidates(random, r.Terms)
		fusion := append(Fusions, ByRules, ByRules, ByRules)[random.IntN(7)]
		if fusion == ByRules {
			r.Rank(list)
		} else {
			r.Fuse(fusion, list, []Weighted{{"full_text", 0.5}, {"semantic", 0.6}})
		}
		files, chunks := map[*group]float64{}, map[*group][]step{}
		for _, c := range list {
			for _, s := range steps(&r, c) {
				seen[s.by]++
				if sum := s.parts.sum(); !(math.Abs(sum-s.figure) < 1e-9) {
					t.Fatalf("%q, %s: the parts sum to %v, the figure is %v: %+v", query, c.path(), sum, s.figure, s.parts)
				}
				switch {
				case s.by == "as a file":
					files[c.group] = s.figure
				case s.by == "within its file":
					chunks[c.group] = append(chunks[c.group], s)
				case c.group == nil && c.further == 0 && !strings.HasPrefix(s.by, "as a"):
					if want := tierFloor[c.Tier] + tierSpan[c.Tier]*s.figure; math.Abs(c.Final-want) > 1e-9 {
						t.Fatalf("%q, %s %s: final %v, by its figure %v", query, s.by, c.path(), c.Final, want)
					}
				case s.by == "as a function that does this" && c.further == 0:
					m := actions()
					if want := tierFloor[c.Tier] + tierSpan[c.Tier]/(1+math.Exp((m.middle-s.figure)/m.width)); math.Abs(c.Final-want) > 1e-9 {
						t.Fatalf("%q, %s: final %v, by its figure %v", query, c.path(), c.Final, want)
					}
				}
			}
		}
		ranked := make([]*group, 0, len(files))
		for g := range files {
			ranked = append(ranked, g)
		}
		best := func(g *group) float64 { // no hit of a file comes before its first in the list
			return g.list[0].Final
		}
		slices.SortFunc(ranked, func(a, b *group) int { return cmp.Compare(files[b], files[a]) })
		for i, g := range ranked {
			if i > 0 && best(g) > best(ranked[i-1])+1e-12 && g.list[0].further == 0 && ranked[i-1].list[0].further == 0 {
				t.Fatalf("%q: a file with %v comes before one with %v", query, files[g], files[ranked[i-1]])
			}
		}
		for g, list := range chunks {
			if !slices.IsSortedFunc(list, func(a, b step) int { return cmp.Compare(b.figure+1e-9, a.figure) }) && distinct(g) {
				t.Fatalf("%q: the hits of a file come in another order than their figures", query)
			}
		}
	}
	for _, by := range []string{
		"as a function that does this", "as a file", "within its file", "by the rules", "by the rules as a file", "by the rules of memory", "by the fusion rrf",
	} {
		if seen[by] == 0 {
			t.Errorf("no candidate was ordered %s", by)
		}
	}
}

// distinct reports whether the scores of a file's hits differ, so that they alone order them.
func distinct(g *group) bool {
	finals := map[string]bool{}
	for _, c := range g.list {
		finals[fmt.Sprintf("%.9f", c.Final)] = true
	}
	return len(finals) == len(g.list)
}

// TestAccount holds how an account reads.
func TestAccount(t *testing.T) {
	s := step{"as a file", 2.5, parts{{"meaning", -0.5}, {"name asked for", 1}, {"length", 0.001}, {"keyword score", 2}}}
	if got, want := s.text(), "as a file 2.50 = keyword score 2.00 + name asked for 1.00 - meaning 0.50"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	s = step{"as a file", -3.5, parts{{"test code", -3}, {"meaning", -0.5}}}
	if got, want := s.text(), "as a file -3.50 = - meaning 0.50 - test code 3.00"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}

	r := New(querytext.Parse("parcel weight"), Options{})
	first, further := testCandidate("a.go", "f", 9, "parcel", "weight"), testCandidate("a.go", "g", 8, "parcel")
	further.Ref.File = first.Ref.File
	r.Rank([]*Candidate{first, further})
	r.PreferRecent([]*Candidate{first, further}, 1, func(*index.File) (float64, bool) { return 0.5, true })
	got := r.Account(further)
	if !strings.HasPrefix(got, "ordered by the rules as a file 0.") || !strings.Contains(got, "; within its file ") ||
		!strings.HasSuffix(got, "; a further hit of its file × 0.65; its age × 0.75") {
		t.Errorf("got %q", got)
	}
}
