package lexical

import (
	"math"
	"slices"
	"testing"
)

// docsOf returns the documents found, best first.
func docsOf(results []Result) []uint32 {
	var docs []uint32
	for _, r := range results {
		docs = append(docs, r.Doc)
	}
	return docs
}

func TestFormsCountAsOneTerm(t *testing.T) {
	views := viewOf(body("handle it"), body("handles it"), body("handle handles it"), body("nothing of it"))
	found := Search(views, Query{Terms: []QueryTerm{{Token: "handle", Forms: []Form{{"handle", 1}, {"handles", 1}}}}}, flat)
	if found.Total != 3 || len(found.Results) != 3 || found.Results[0].Doc != 2 {
		t.Fatalf("found %+v", found)
	}
	for _, r := range found.Results {
		if !slices.Equal(r.Matched, []string{"handle"}) {
			t.Errorf("matched %q", r.Matched)
		}
	}
	// Two forms once each weigh as much as one form twice, had all documents said so.
	twice := viewOf(body("handle it"), body("handle it"), body("handle handle it"), body("nothing of it"))
	plain := Search(twice, Query{Terms: termsOf([]string{"handle"})}, flat)
	idf, want := found.IDF["handle"], plain.IDF["handle"]
	if got := found.Results[0].Score / idf; math.Abs(got-plain.Results[0].Score/want) > 1e-9 {
		t.Errorf("saturated frequency %v, want %v", got, plain.Results[0].Score/want)
	}
}

func TestFormsWeighTheirShare(t *testing.T) {
	views := viewOf(body("handle"), body("handles"))
	got := resultsOf(views, Query{Terms: []QueryTerm{{Token: "handle", Forms: []Form{{"handle", 1}, {"handles", 0.5}}}}}, flat)
	if !slices.Equal(docsOf(got), []uint32{0, 1}) || got[1].Score <= 0 || got[1].Score >= got[0].Score {
		t.Errorf("got %+v", got)
	}
}

func TestRequiredAndUnwantedTerms(t *testing.T) {
	views := viewOf(body("alpha beta"), body("alpha"), body("beta"), body("alpha beta gamma"))
	for _, tt := range []struct {
		name  string
		terms []QueryTerm
		want  []uint32
		total int
	}{
		{"required", []QueryTerm{{Token: "alpha", Required: true}, {Token: "beta"}}, []uint32{0, 3, 1}, 3},
		{"both required", []QueryTerm{{Token: "alpha", Required: true}, {Token: "beta", Required: true}}, []uint32{0, 3}, 2},
		{"required and nowhere", []QueryTerm{{Token: "alpha"}, {Token: "delta", Required: true}}, nil, 0},
		{"unwanted", []QueryTerm{{Token: "alpha"}, {Token: "gamma", Unwanted: true}}, []uint32{1, 0}, 2},
		{"unwanted alone finds nothing", []QueryTerm{{Token: "gamma", Unwanted: true}}, nil, 0},
	} {
		found := Search(views, Query{Terms: tt.terms}, flat)
		if !slices.Equal(docsOf(found.Results), tt.want) || found.Total != tt.total {
			t.Errorf("%s: %v of %d, want %v of %d", tt.name, docsOf(found.Results), found.Total, tt.want, tt.total)
		}
	}
	// The filter works before the cut: the best two documents fail it, the third is found.
	cut := resultsOf(views, Query{Terms: []QueryTerm{{Token: "alpha"}, {Token: "beta", Unwanted: true}}, Limit: 1}, flat)
	if !slices.Equal(docsOf(cut), []uint32{1}) {
		t.Errorf("with a limit of 1: %v", docsOf(cut))
	}
}

func TestUnknownTerms(t *testing.T) {
	found := Search(viewOf(body("alpha"), body("beta")), Query{Terms: termsOf([]string{"alpha", "delta"})}, flat)
	if !slices.Equal(found.Unknown, []string{"delta"}) || found.IDF["delta"] <= found.IDF["alpha"] {
		t.Errorf("unknown %q, idf %v", found.Unknown, found.IDF)
	}
}

func TestWeightOfATerm(t *testing.T) {
	views := viewOf(body("alpha"), body("beta"))
	got := resultsOf(views, Query{Terms: []QueryTerm{{Token: "alpha", Weight: 0.5}, {Token: "beta"}}}, flat)
	if len(got) != 2 || got[0].Doc != 1 || math.Abs(got[0].Score-2*got[1].Score) > 1e-9 {
		t.Errorf("got %+v", got)
	}
}
