package eval

import (
	"context"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/engine"
)

func TestContexts(t *testing.T) {
	dir := writeFiles(t, map[string]string{
		"shop/cart.go":  "package shop\n\n// AddItem puts one thing into the cart.\nfunc AddItem(name string) {}\n",
		"shop/price.go": "package shop\n\n// Total is the price of all items.\nfunc Total() int {\n" + strings.Repeat("\tprintln(1)\n", 400) + "\treturn 0\n}\n",
	})
	queries := []Query{
		{ID: "found", Query: "put a thing into the cart", Repo: "shop", Relevant: []Target{{Path: "cart.go", Name: "AddItem"}}},
		{ID: "half", Query: "AddItem", Repo: "shop", Relevant: []Target{{Path: "cart.go"}, {Path: "nowhere.go"}}},
		{ID: "beyond", Query: "price of all items", Repo: "shop", Relevant: []Target{{Path: "price.go", StartLine: 390, EndLine: 391}}},
		{ID: "none", Query: "penguins", Repo: "shop"},
		{ID: "absent", Query: "x", Repo: "gone", Relevant: []Target{{Path: "a.go"}}},
	}
	run, err := Contexts(context.Background(), queries, engine.ContextRequest{BudgetTokens: 300}, Options{Repos: dir})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, a := range run.Answers {
		got[a.ID] = a.Recall
		if a.Tokens > 300 || a.Opened > a.Recall {
			t.Errorf("%+v", a)
		}
	}
	want := map[string]float64{"found": 1, "half": 0.5, "beyond": 0} // lines that were cut off do not count
	for id, recall := range want {
		if got[id] != recall {
			t.Errorf("%s: recall %v, want %v", id, got[id], recall)
		}
	}
	r := run.Report()
	if len(got) != len(want) || len(run.Missing) != 1 || !near(r.All.Recall, 0.5) || r.Budget != 300 || r.All.MaxTokens > 300 {
		t.Errorf("%v, missing %q, report %+v", got, run.Missing, r.All)
	}
}
