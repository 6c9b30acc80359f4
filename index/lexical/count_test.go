package lexical

import "testing"

func TestSearch(t *testing.T) {
	views := viewOf(body("alpha"), body("beta"), body("alpha beta"), body("gamma"), body("alpha"))
	for _, c := range []struct {
		query       string
		limit, want int
		accept      func(int, uint32) bool
	}{
		{"alpha", 1, 3, nil},
		{"alpha beta", 2, 4, nil},
		{"alpha", 10, 2, func(_ int, doc uint32) bool { return doc != 0 }},
		{"nothing", 10, 0, nil},
	} {
		found := Search(views, Query{Text: c.query, Limit: c.limit, Accept: c.accept}, flat)
		if found.Total != c.want || len(found.Results) != min(c.limit, c.want) {
			t.Errorf("%q: %d of %d, want %d", c.query, len(found.Results), found.Total, c.want)
		}
	}
	dead := []View{NewView(views[0].Seg, []uint64{1})}
	if found := Search(dead, Query{Text: "alpha", Limit: 1}, flat); found.Total != 2 {
		t.Errorf("with a dead document: %d", found.Total)
	}
}
