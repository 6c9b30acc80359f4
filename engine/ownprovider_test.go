package engine

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// A pointing provider proposes what a test says.
type pointing struct {
	id string
	at func(query string) ([]Proposal, error)
}

func (p pointing) ID() string { return p.id }
func (p pointing) Propose(_ context.Context, query string) ([]Proposal, error) {
	return p.at(query)
}

// addOwn gives the engine providers of the program's own.
func (w *testWorkspace) addOwn(providers ...ContextProvider) {
	w.rewire(func(o *Options) { o.Context = providers })
}

func TestOwnProvidersAreHeard(t *testing.T) {
	w := openWorkspace(t, shop)
	var asked string
	w.addOwn(
		pointing{"incidents", func(query string) ([]Proposal, error) {
			asked = query
			return []Proposal{
				{Path: w.path("price/tax.go"), Score: 0.9}, {Path: w.path("no/such.go"), Score: 1}, {Path: "/etc/passwd", Score: 1},
				{Path: w.path("cart/cart.go"), Line: -3, Score: math.NaN()},
			}, nil
		}},
		pointing{"broken", func(string) ([]Proposal, error) { return nil, errors.New("the line is dead") }},
		pointing{"loud", func(string) ([]Proposal, error) { panic("oh") }},
	)
	result := w.search(SearchRequest{Query: "pager woke everybody"})
	if len(result.Hits) != 1 || result.Hits[0].Path != "price/tax.go" {
		t.Fatalf("hits %q, notes %q: what the provider proposed and nothing outside the index", names(result.Hits), result.Notes)
	}
	if asked != "pager woke everybody" {
		t.Errorf("asked for %q", asked)
	}
	notes := strings.Join(result.Notes, "\n")
	for _, want := range []string{"broken failed: the line is dead", "loud failed: panic: oh", "incidents failed: the score of " + w.path("cart/cart.go")} {
		if !strings.Contains(notes, want) {
			t.Errorf("no %q in %q", want, notes)
		}
	}
	if exact := w.search(SearchRequest{Query: "TotalPrice"}); exact.Hits[0].Name != "Cart.TotalPrice" && exact.Hits[0].Name != "TotalPrice" {
		t.Errorf("an exact name is not first: %q", names(exact.Hits))
	}
	if p := w.provider("incidents"); p.Type != OwnProvider || p.Calls != 2 || p.Proposed != 2 {
		t.Errorf("%+v", p)
	}
	// Filters hold for them, too.
	if python := w.search(SearchRequest{Query: "pager woke everybody lang:python"}); len(python.Hits) != 0 {
		t.Errorf("lang:python gave %q", names(python.Hits))
	}
}

func TestOwnProvidersNeedNamesOfTheirOwn(t *testing.T) {
	w := openWorkspace(t, shop)
	before := len(w.engine.Providers())
	none := func(string) ([]Proposal, error) { return nil, nil }
	w.addOwn(nil, pointing{"", none}, pointing{"semantic", none}, pointing{"My Own", none}, pointing{"mine", none}, pointing{"mine", none})
	if list := w.engine.Providers(); len(list) != before+1 || list[before].ID != "mine" || !list[before].Enabled {
		t.Errorf("%+v", list[before:])
	}
}

func (w *testWorkspace) provider(id string) ProviderStatus {
	list := w.engine.Providers()
	i := slices.IndexFunc(list, func(p ProviderStatus) bool { return p.ID == id })
	if i < 0 {
		w.Fatalf("no provider %s", id)
	}
	return list[i]
}
