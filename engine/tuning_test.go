package engine

import (
	"context"
	"testing"
)

// TestTune makes settings effective while the engine is in use.
func TestTune(t *testing.T) {
	w := openWorkspace(t, shop)
	found := func(r SearchRequest) []Hit {
		t.Helper()
		result, err := w.engine.Search(context.Background(), r)
		if err != nil {
			t.Fatal(err)
		}
		return result.Hits
	}
	request := SearchRequest{Query: "what adds the tax to the price"}
	all := found(request)
	if len(all) < 2 {
		t.Fatalf("%d hits", len(all))
	}
	w.engine.Tune(Tuning{Limit: 1})
	if got := found(request); len(got) != 1 {
		t.Errorf("limit: %d hits", len(got))
	}
	least := all[0].Score - 0.001
	w.engine.Tune(Tuning{MinScore: least})
	for _, h := range found(request) {
		if h.Score < least {
			t.Errorf("%s has %v, less than %v", h.Name, h.Score, least)
		}
	}
	w.engine.Tune(Tuning{})
	if got := found(request); len(got) != len(all) || got[0].Score != all[0].Score {
		t.Error("the defaults are not what they were")
	}
	w.engine.Tune(Tuning{ContextTokens: 120})
	c, err := w.engine.Context(context.Background(), ContextRequest{Query: "TotalPrice"})
	if err != nil || c.Tokens.Total > 120 {
		t.Errorf("context %+v, %v", c, err)
	}
}
