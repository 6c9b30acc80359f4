package engine

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/usage"
)

// Each hit names who proposed it, and a context groups its snippets by them.
func TestHitsNameTheirProviders(t *testing.T) {
	w := openWorkspace(t, shop)
	result, err := w.engine.Search(context.Background(), SearchRequest{Query: "WithTax"})
	if err != nil || len(result.Hits) == 0 {
		t.Fatalf("%v, %v", result, err)
	}
	if got := result.Hits[0].Providers; !slices.Contains(got, "full_text") || !slices.Contains(got, "symbol") {
		t.Errorf("WithTax was proposed by %q", got)
	}
	own := w.selection("cart/cart.go", "sum := 0")
	c := w.context(ContextRequest{Query: "add the tax to a price", Select: &own, Task: &Task{ID: "SHOP-12"}})
	if c.TaskID != "SHOP-12" || c.BudgetTokens != 4000 {
		t.Errorf("of task %q, with %d tokens", c.TaskID, c.BudgetTokens)
	}
	named := 0
	for _, h := range c.Snippets {
		if len(h.Providers) == 0 {
			t.Errorf("%s names no provider", h.ID)
		}
		for _, p := range h.Providers {
			if !slices.Contains(c.Providers[p], h.ID) {
				t.Errorf("%s is not among those of %s: %q", h.ID, p, c.Providers[p])
			}
			named++
		}
	}
	listed := 0
	for _, ids := range c.Providers {
		listed += len(ids)
	}
	if listed != named || len(c.Providers["selection"]) == 0 || len(c.Providers["dependency"]) == 0 {
		t.Errorf("%d listed, %d named: %v", listed, named, c.Providers)
	}
	if c := w.context(ContextRequest{Query: "add the tax to a price"}); slices.ContainsFunc(c.Snippets, func(h Hit) bool { return len(h.Providers) == 0 }) {
		t.Errorf("of a bare task some name no provider: %v", c.Providers)
	}
	if _, err := w.engine.Context(context.Background(), ContextRequest{Query: "x", Task: &Task{ID: strings.Repeat("x", 201)}}); err == nil {
		t.Error("an id of 201 bytes was taken")
	}
}

func (w *testWorkspace) usage() usage.Summary {
	w.Helper()
	st, err := w.engine.Status(context.Background())
	if err != nil {
		w.Fatal(err)
	}
	return st.Usage
}

// The status sums up what was asked.
func TestStatusSumsUpUse(t *testing.T) {
	w := openWorkspace(t, shop)
	if u := w.usage(); u != (usage.Summary{}) {
		t.Errorf("before anything was asked: %+v", u)
	}
	result, err := w.engine.Search(context.Background(), SearchRequest{Query: "WithTax"})
	if err != nil {
		t.Fatal(err)
	}
	c := w.context(ContextRequest{Query: "WithTax"})
	tokens := c.Tokens.Total
	for _, h := range result.Hits {
		tokens += h.Tokens
	}
	if u := w.usage(); u.Queries != 2 || u.TokensPerQuery != float64(tokens)/2 || u.CacheHitRate != 0 {
		t.Errorf("%+v, want %d tokens in two", u, tokens)
	}
}
