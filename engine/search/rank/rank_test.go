package rank

import (
	"testing"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/search/querytext"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/memory"
)

func testCandidate(path, name string, bm25 float64, matched ...string) *Candidate {
	c := chunk.Chunk{Type: chunk.Function, Kind: chunk.KindFunction, Name: name}
	if name == "" {
		c.Type, c.Kind = chunk.Code, chunk.KindBlock
	}
	file := &index.File{Path: path, Abs: "/w/" + path, File: &chunk.File{Chunks: []chunk.Chunk{c}}}
	return &Candidate{Ref: index.Ref{File: file}, wordMatch: wordMatch{BM25: bm25, Matched: matched}}
}

func TestRankTiersNeverOverlap(t *testing.T) {
	best := testCandidate("a.go", "parse", 40, "parse", "config")
	fold := testCandidate("b.go", "Config", 0)
	fold.Tier, fold.name = Folded, "Config"
	hidden := testCandidate("vendor/x/c_test.go", "config", 0)
	hidden.Tier, hidden.name = Exact, "config"
	list := []*Candidate{best, fold, hidden}
	(&Ranking{Terms: []string{"parse", "config"}, lower: "parse config"}).Rank(list)
	if list[0] != hidden || list[1] != fold || list[2] != best {
		t.Fatalf("order %s, %s, %s", list[0].path(), list[1].path(), list[2].path())
	}
	for _, c := range list {
		if c.Final < 0 || c.Final > 1 {
			t.Errorf("%s: final %v", c.path(), c.Final)
		}
	}
}

func TestRankDemotesUnlessAskedFor(t *testing.T) {
	source, test := testCandidate("a.go", "run", 10, "run"), testCandidate("a_test.go", "TestRun", 11, "run")
	list := []*Candidate{test, source}
	(&Ranking{Terms: []string{"run"}, lower: "run"}).Rank(list)
	if list[0] != source || test.demoted == "" {
		t.Errorf("the test comes first; demoted %q", test.demoted)
	}
	test.demoted = ""
	(&Ranking{Terms: []string{"run"}, lower: "test run"}).Rank(list)
	if list[0] != test || test.demoted != "" {
		t.Errorf("a query for tests does not put them first; demoted %q", test.demoted)
	}
}

// TestGeneratedCode holds that generated code comes later only as far as ordinary code has what was asked for, too.
func TestGeneratedCode(t *testing.T) {
	final := func(ordinary float64) float64 {
		generated := testCandidate("h2_bundle.gen.go", "flow", 10, "flow")
		r := Ranking{Terms: []string{"flow"}, lower: "flow"}
		r.Rank([]*Candidate{generated, testCandidate("a.go", "run", ordinary, "flow")})
		if generated.demoted == "" {
			t.Error("generated code is not marked")
		}
		return generated.Final
	}
	if alone, beside, behind := final(1), final(9), final(10); alone <= beside || beside <= behind {
		t.Errorf("a tenth elsewhere %v, nearly as much %v, as much %v", alone, beside, behind)
	}
}

func TestRankSaturatesPerFile(t *testing.T) {
	var list []*Candidate
	file := testCandidate("a.go", "f", 0).Ref.File
	for i := range 5 {
		c := testCandidate("a.go", "f", 10-float64(i)/10, "x")
		c.Ref.File = file
		list = append(list, c)
	}
	other := testCandidate("b.go", "g", 8, "x")
	list = append(list, other)
	(&Ranking{Terms: []string{"x"}, lower: "x"}).Rank(list)
	if list[0].Ref.File != file || list[1] != other {
		t.Error("the other file's hit does not come after the first hit of the better file")
	}
	for i := 1; i < len(list); i++ {
		if list[i].Final > list[i-1].Final {
			t.Errorf("scores rise at %d", i)
		}
	}
}

func TestRankMergesMemory(t *testing.T) {
	record := &Candidate{Record: &memory.Hit{Record: memory.Record{Content: "x y"}}, wordMatch: wordMatch{BM25: 3, Matched: []string{"x", "y"}}}
	half := testCandidate("a.go", "f", 90, "x")
	list := []*Candidate{half, record}
	(&Ranking{Terms: []string{"x", "y"}, lower: "x y"}).Rank(list)
	if list[0] != record {
		t.Errorf("a record with every word (%.3f) comes after code with half of them (%.3f)", record.Final, half.Final)
	}
}

func TestExplanation(t *testing.T) {
	r := &Ranking{Terms: []string{"a", "b", "c"}}
	strong, weak := testCandidate("a.go", "f", 1, "a", "b"), testCandidate("a.go", "f", 1, "a")
	named := testCandidate("a.go", "f", 1)
	named.Tier, named.name = Exact, "f"
	r.Rank([]*Candidate{strong, weak, named})
	for c, want := range map[*Candidate]string{
		strong: "strong term overlap (a, b)", weak: "partial match (a)", named: "exact keyword match on f",
	} {
		if got := r.Explanation(c); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestSortOfFile(t *testing.T) {
	for path, want := range map[string]string{
		"engine/search.go": "", "engine/search_test.go": "test code", "tests/test_x.py": "test code", "a.spec.ts": "test code",
		"vendor/x/y.go": "vendored code", "api/x.pb.go": "generated code", "examples/a.go": "example code",
		"latest/contest.go": "", "web/app.min.js": "generated code",
		"dist/app.js": "generated code", "packages/a/dist/types/a.d.ts": "generated code", "dist/main.go": "",
		"t/unit/app.py": "test code", "src/t/app.py": "",
	} {
		if got := codebase.FileKind(path); got != want {
			t.Errorf("sortOfFile(%q) = %q, want %q", path, got, want)
		}
	}
}

func TestMeaningRaisesAScore(t *testing.T) {
	chunk := func(similarity float64) float64 {
		r := New(querytext.Parse("how is the tax added to prices"), Options{})
		c := testCandidate("a.go", "tax", 1)
		c.Normalised, c.Similarity = 0.2, similarity
		return r.scoreChunk(c)
	}
	if none, half, whole := chunk(0), chunk(0.5), chunk(1); !(none < half && half < whole) {
		t.Errorf("scores by likeness of meaning: %v, %v, %v", none, half, whole)
	}
}
