package rank

import (
	"slices"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/search/querytext"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
)

// TestOrderWithinFiles holds that the chunk of a file that a question about functions would mean is its first, and that no file comes
// earlier or later by that.
func TestOrderWithinFiles(t *testing.T) {
	r := New(querytext.Parse("how is the parcel weight computed"), Options{})
	types := chunk.Chunk{Type: chunk.Class, Kind: chunk.KindClass, Name: "Table"}
	function := chunk.Chunk{Type: chunk.Function, Kind: chunk.KindFunction, Name: "parcelWeight"}
	file := &index.File{Path: "a.go", Abs: "/w/a.go", File: &chunk.File{Chunks: []chunk.Chunk{types, function}}}
	table := &Candidate{Ref: index.Ref{File: file, Index: 0}, Final: 0.5}
	weight := &Candidate{Ref: index.Ref{File: file, Index: 1}, Final: 0.3, asked: 1}
	other, named := testCandidate("b.go", "f", 0), testCandidate("a.go", "parcel", 0)
	other.Final, named.Final, named.Tier = 0.4, 0.86, Folded
	named.Ref.File = file
	record := recordCandidate("about parcels")
	record.Final = 0.45
	r.orderWithinFiles(gather([]*Candidate{table, weight, other, named, record}))
	if weight.Final != 0.5 || table.Final != 0.3 || other.Final != 0.4 || named.Final != 0.86 || record.Final != 0.45 {
		t.Errorf("the function %v, the type %v, another file %v, a name %v, a record %v", weight.Final, table.Final, other.Final, named.Final, record.Final)
	}

	list := []*Candidate{table, weight, other}
	table.wordMatch, weight.wordMatch, other.wordMatch = wordMatch{BM25: 9}, wordMatch{BM25: 7}, wordMatch{BM25: 8}
	r.Rank(list)
	if slices.Index(list, weight) > slices.Index(list, table) {
		t.Errorf("a question has the type before the function: %s", paths(list))
	}
}

// TestOrderWithinFilesHow holds that a question for how something is done has the function that does it before one of a line that has
// one of its words in its name, which a description of a function has first.
func TestOrderWithinFilesHow(t *testing.T) {
	short := chunk.Chunk{Type: chunk.Function, Kind: chunk.KindFunction, Name: "parcel", LineRange: chunk.LineRange{StartLine: 3, EndLine: 3}}
	long := chunk.Chunk{Type: chunk.Function, Kind: chunk.KindFunction, Name: "weigh", LineRange: chunk.LineRange{StartLine: 10, EndLine: 40}}
	for words, first := range map[string]string{"how is the parcel computed": "weigh", "computed parcel of somebody": "parcel"} {
		file := &index.File{Path: "a.go", Abs: "/w/a.go", File: &chunk.File{Chunks: []chunk.Chunk{short, long}}}
		a := &Candidate{Ref: index.Ref{File: file, Index: 0}, Final: 0.5, asked: 0.5, wordMatch: wordMatch{Normalised: 1, Coverage: 0.5}}
		b := &Candidate{Ref: index.Ref{File: file, Index: 1}, Final: 0.4, wordMatch: wordMatch{Normalised: 0.7, Coverage: 0.5}}
		r := New(querytext.Parse(words), Options{})
		groups := gather([]*Candidate{a, b})
		r.orderWithinFiles(groups)
		if got := groups[0].list[0].Ref.Chunk().Name; got != first {
			t.Errorf("%q: %s comes first", words, got)
		}
	}
}
