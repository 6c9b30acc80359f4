package engine

import (
	"testing"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/memory"
)

func testCandidate(path, name string, bm25 float64, matched ...string) *candidate {
	c := chunk.Chunk{Type: chunk.Function, Kind: chunk.KindFunction, Name: name}
	if name == "" {
		c.Type, c.Kind = chunk.Code, chunk.KindBlock
	}
	file := &index.File{Path: path, Abs: "/w/" + path, File: &chunk.File{Chunks: []chunk.Chunk{c}}}
	return &candidate{ref: index.Ref{File: file}, bm25: bm25, matched: matched}
}

func TestRankTiersNeverOverlap(t *testing.T) {
	best := testCandidate("a.go", "parse", 40, "parse", "config")
	fold := testCandidate("b.go", "Config", 0)
	fold.tier, fold.name = folded, "Config"
	hidden := testCandidate("vendor/x/c_test.go", "config", 0)
	hidden.tier, hidden.name = exact, "config"
	list := []*candidate{best, fold, hidden}
	(&ranking{terms: []string{"parse", "config"}, lower: "parse config"}).rank(list)
	if list[0] != hidden || list[1] != fold || list[2] != best {
		t.Fatalf("order %s, %s, %s", list[0].path(), list[1].path(), list[2].path())
	}
	for _, c := range list {
		if c.final < 0 || c.final > 1 {
			t.Errorf("%s: final %v", c.path(), c.final)
		}
	}
}

func TestRankDemotesUnlessAskedFor(t *testing.T) {
	source, test := testCandidate("a.go", "run", 10, "run"), testCandidate("a_test.go", "TestRun", 11, "run")
	list := []*candidate{test, source}
	(&ranking{terms: []string{"run"}, lower: "run"}).rank(list)
	if list[0] != source || test.demoted == "" {
		t.Errorf("the test comes first; demoted %q", test.demoted)
	}
	test.demoted = ""
	(&ranking{terms: []string{"run"}, lower: "test run"}).rank(list)
	if list[0] != test || test.demoted != "" {
		t.Errorf("a query for tests does not put them first; demoted %q", test.demoted)
	}
}

func TestRankSaturatesPerFile(t *testing.T) {
	var list []*candidate
	file := testCandidate("a.go", "f", 0).ref.File
	for i := range 5 {
		c := testCandidate("a.go", "f", 10-float64(i)/10, "x")
		c.ref.File = file
		list = append(list, c)
	}
	other := testCandidate("b.go", "g", 8, "x")
	list = append(list, other)
	(&ranking{terms: []string{"x"}, lower: "x"}).rank(list)
	if list[0].ref.File != file || list[1] != other {
		t.Error("the other file's hit does not come after the first hit of the better file")
	}
	for i := 1; i < len(list); i++ {
		if list[i].final > list[i-1].final {
			t.Errorf("scores rise at %d", i)
		}
	}
}

func TestRankMergesMemory(t *testing.T) {
	record := &candidate{record: &memory.Hit{Record: memory.Record{Content: "x y"}}, bm25: 3, matched: []string{"x", "y"}}
	half := testCandidate("a.go", "f", 90, "x")
	list := []*candidate{half, record}
	(&ranking{terms: []string{"x", "y"}, lower: "x y"}).rank(list)
	if list[0] != record {
		t.Errorf("a record with every word (%.3f) comes after code with half of them (%.3f)", record.final, half.final)
	}
}

func TestExplanation(t *testing.T) {
	r := &ranking{terms: []string{"a", "b", "c"}}
	strong, weak := testCandidate("a.go", "f", 1, "a", "b"), testCandidate("a.go", "f", 1, "a")
	named := testCandidate("a.go", "f", 1)
	named.tier, named.name = exact, "f"
	r.rank([]*candidate{strong, weak, named})
	for c, want := range map[*candidate]string{
		strong: "strong term overlap (a, b)", weak: "partial match (a)", named: "exact keyword match on f",
	} {
		if got := r.explanation(c); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestSortOfFile(t *testing.T) {
	for path, want := range map[string]string{
		"engine/search.go": "", "engine/search_test.go": "test code", "tests/test_x.py": "test code", "a.spec.ts": "test code",
		"vendor/x/y.go": "vendored code", "api/x.pb.go": "generated code", "examples/a.go": "example code",
		"latest/contest.go": "", "web/app.min.js": "generated code",
	} {
		if got := codebase.FileKind(path); got != want {
			t.Errorf("sortOfFile(%q) = %q, want %q", path, got, want)
		}
	}
}
