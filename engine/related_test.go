package engine

import (
	"context"
	"errors"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/snippet"
)

func (w *testWorkspace) related(r RelatedRequest) *RelatedResult {
	w.Helper()
	result, err := w.engine.Code().Related(context.Background(), r)
	if err != nil {
		w.Fatalf("related: %v", err)
	}
	return result
}

func edges(r *RelatedResult) []string {
	var out []string
	for _, e := range r.Edges {
		out = append(out, e.Kind+" "+e.To.Path+":"+snippet.Qualified(e.To))
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
		_, err := w.engine.Code().Related(context.Background(), r)
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

// TestRelatedKinds: types, tests and importers of one workspace, each edge with how sure it is and why.
func TestRelatedKinds(t *testing.T) {
	files := maps.Clone(shop)
	files["cart/gift.go"] = "package cart\n\n// A Gift is a Cart with a card.\ntype Gift struct {\n\tCart\n\tCard string\n}\n"
	files["stock/stock.go"] = "package stock\n\n// TotalPrice is a namesake.\nfunc TotalPrice() int { return 0 }\n\nfunc Sum() int { return TotalPrice() }\n"
	w := openWorkspace(t, files)
	tests := []struct {
		place     Place
		direction string
		want      []string
	}{
		{w.offset("cart/gift.go", "type Gi|ft"), "supertypes", []string{"supertype cart/cart.go:Cart"}},
		{w.offset("cart/cart.go", "type Ca|rt"), "subtypes", []string{"subtype cart/gift.go:Gift"}},
		{w.offset("cart/cart.go", "func (c *Cart) Total|Price"), "tests", []string{"test cart/cart_test.go:TestTotalPrice"}},
		{w.offset("cart/cart_test.go", "func Test|TotalPrice"), "tests", []string{
			"tested cart/cart.go:Cart.TotalPrice", "tested cart/cart.go:Cart.AddItem",
		}},
		{w.offset("price/tax.go", "func With|Tax"), "importers", []string{"importer cart/cart.go:cart.go:1"}},
		{w.offset("cart/cart.go", "func (c *Cart) Total|Price"), "callers", []string{
			"caller cart/cart.go:Describe", "caller cart/cart_test.go:TestTotalPrice",
		}},
		// On a call, what is called there counts, not the first of that name.
		{w.offset("stock/stock.go", "return Total|Price"), "callers", []string{"caller stock/stock.go:Sum"}},
	}
	for _, tt := range tests {
		r := w.related(RelatedRequest{Place: tt.place, Direction: tt.direction})
		if got := edges(r); !slices.Equal(got, tt.want) {
			t.Errorf("%s of %s: %q, want %q (notes %q)", tt.direction, r.From, got, tt.want, r.Notes)
		}
		for _, e := range r.Edges {
			if e.Confidence <= 0 || e.Confidence > 1 || e.Weight <= 0 || e.Weight > 1 || e.Why == "" || e.From == "" {
				t.Errorf("edge %+v", e)
			}
		}
	}
}

// TestRelatedDepth: neighbours of neighbours name whose neighbours they are, and are less sure.
func TestRelatedDepth(t *testing.T) {
	w := openWorkspace(t, shop)
	r := w.related(RelatedRequest{Symbol: "WithTax", Depth: 3})
	want := []string{"caller cart/cart.go:Cart.TotalPrice", "caller cart/cart.go:Describe", "caller cart/cart_test.go:TestTotalPrice"}
	if got := edges(r); !slices.Equal(got, want) {
		t.Fatalf("%q, want %q", got, want)
	}
	first, second := r.Edges[0], r.Edges[1]
	if first.From != r.From || second.From != first.To.ID || second.Confidence >= first.Confidence || second.Weight >= first.Weight {
		t.Errorf("edges %+v, %+v", first, second)
	}
	var e *Error
	if _, err := w.engine.Code().Related(context.Background(), RelatedRequest{Symbol: "WithTax", Depth: 4}); !errors.As(err, &e) || e.Kind != Invalid {
		t.Errorf("depth 4: %v", err)
	}
}

// TestRelatedFollowsChanges: links are those of the text on screen, and go with their file.
func TestRelatedFollowsChanges(t *testing.T) {
	w := openWorkspace(t, shop)
	callers := func() []string { return edges(w.related(RelatedRequest{Symbol: "WithTax"})) }
	if got := callers(); len(got) != 1 {
		t.Fatalf("callers %q", got)
	}
	path := w.path("report/sum.go")
	text := "package report\n\nimport \"example.com/shop/price\"\n\nfunc Sum() int { return price.WithTax(1) }\n"
	w.write("report/sum.go", "package report\n")
	w.index.Open(path, "go", 1, []byte(text))
	w.wait()
	if got := callers(); !slices.Contains(got, "caller report/sum.go:Sum") {
		t.Errorf("an unsaved caller is missing: %q", got)
	}
	w.index.Change(path, 2, []byte(strings.ReplaceAll(text, "price.WithTax(1)", "1")), nil)
	w.wait()
	if got := callers(); len(got) != 1 {
		t.Errorf("after the call was deleted: %q", got)
	}
	w.index.Close(path)
	w.write("report/sum.go", text)
	w.refresh()
	if got := callers(); len(got) != 2 {
		t.Errorf("after the file was written: %q", got)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	w.refresh()
	if got := callers(); len(got) != 1 {
		t.Errorf("after the file was removed: %q", got)
	}
}
