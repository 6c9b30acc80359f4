package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
)

func (w *testWorkspace) related(r RelatedRequest) *RelatedResult {
	w.Helper()
	result, err := w.engine.Related(context.Background(), r)
	if err != nil {
		w.Fatalf("related: %v", err)
	}
	return result
}

func edges(r *RelatedResult) []string {
	var out []string
	for _, e := range r.Edges {
		out = append(out, e.Kind+" "+e.To.Path+":"+qualified(e.To))
	}
	return out
}

func TestRelated(t *testing.T) {
	w := openWorkspace(t, shop)
	at := w.offset("cart/cart.go", "func (c *Cart) Total|Price")
	tests := []struct {
		direction string
		want      []string
	}{
		{"", []string{"caller cart/cart.go:Describe", "caller cart/cart_test.go:TestTotalPrice"}},
		{"callers", []string{"caller cart/cart.go:Describe", "caller cart/cart_test.go:TestTotalPrice"}},
		{"callees", []string{"callee price/tax.go:WithTax"}},
	}
	for _, tt := range tests {
		r := w.related(RelatedRequest{Place: at, Direction: tt.direction})
		if got := edges(r); !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q, want %q (notes %q)", tt.direction, got, tt.want, r.Notes)
		}
		if r.From != "code:cart/cart.go:Cart.TotalPrice" {
			t.Errorf("%q: from %q", tt.direction, r.From)
		}
	}
	r := w.related(RelatedRequest{Place: at, Direction: "imports"})
	if got := edges(r); len(got) != 1 || !strings.HasPrefix(got[0], "import price/tax.go") {
		t.Errorf("imports: %q", got)
	}
	if !strings.Contains(strings.Join(r.Notes, "\n"), "fmt") {
		t.Errorf("an import from outside is not named: %q", r.Notes)
	}
	r = w.related(RelatedRequest{Place: w.offset("web/client.ts", "impo|rt {"), Direction: "imports"})
	if got := edges(r); len(got) != 1 || !strings.HasPrefix(got[0], "import web/retry.ts") {
		t.Errorf("imports of a TypeScript file: %q", got)
	}
	r = w.related(RelatedRequest{Place: at, Direction: "all", Limit: 1})
	if kinds := strings.Join(edges(r), " "); !strings.Contains(kinds, "caller") || !strings.Contains(kinds, "callee") ||
		!strings.Contains(kinds, "import") || !strings.Contains(kinds, "similar") {
		t.Errorf("all: %q", kinds)
	}
}

func TestRelatedByChanges(t *testing.T) {
	w := openWorkspace(t, shop)
	at := w.offset("cart/cart.go", "func (c *Cart) Total|Price")
	if r := w.related(RelatedRequest{Place: at, Direction: "cochanged"}); len(r.Edges) != 0 || len(r.Notes) == 0 {
		t.Errorf("after one commit: %q, notes %q", edges(r), r.Notes)
	}
	for _, text := range []string{"// once\n", "// twice\n"} {
		for _, name := range []string{"cart/cart.go", "price/tax.go"} {
			w.write(name, shop[name]+text)
		}
		w.git("commit", "-q", "-a", "-m", "Change both")
	}
	w.wait()
	r := w.related(RelatedRequest{Place: at, Direction: "cochanged"})
	if got := edges(r); len(got) != 1 || !strings.HasPrefix(got[0], "cochanged price/tax.go") {
		t.Fatalf("cochanged: %q, notes %q", got, r.Notes)
	}
	if e := r.Edges[0]; e.Weight != 1 || !strings.Contains(e.To.Explanation, "in 3 of 3 commits") {
		t.Errorf("edge %+v", e)
	}
}

func TestRelatedBadInput(t *testing.T) {
	w := openWorkspace(t, shop)
	at := w.offset("cart/cart.go", "Total|Price")
	for kind, r := range map[Kind]RelatedRequest{
		Invalid:    {Place: at, Direction: "sideways"},
		NotIndexed: {Place: Place{Path: "/etc/hostname"}},
	} {
		_, err := w.engine.Related(context.Background(), r)
		var e *Error
		if !errors.As(err, &e) || e.Kind != kind || e.Remedy == "" {
			t.Errorf("%s: %#v", kind, err)
		}
	}
	r := w.related(RelatedRequest{Place: w.offset("docs/pricing.md", "# Pri|cing")})
	if len(r.Edges) != 0 || len(r.Notes) == 0 {
		t.Errorf("a place without a symbol: %+v", r)
	}
}
