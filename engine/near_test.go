package engine

import (
	"context"
	"slices"
	"strings"
	"testing"
)

func TestSearchFindsNearNames(t *testing.T) {
	files := map[string]string{"pages.go": "package pages\n\n// getPageCount counts.\nfunc getPageCount() int { return 1 }\n\nfunc render() {}\n"}
	for name, text := range shop {
		files[name] = text
	}
	w := openWorkspace(t, files)
	for _, tt := range []struct{ query, first, why string }{
		{"gpc", "getPageCount", "the name getPageCount is abbreviated as gpc"},
		{"getPageC", "getPageCount", "the name getPageCount begins with getPageC"},
		{"getPagCount", "getPageCount", "the name getPageCount is misspelled as getPagCount"},
		{"TotalPrise", "TotalPrice", "the name TotalPrice is misspelled as TotalPrise"},
		{"retryReqeust", "retryRequest", "the name retryRequest is misspelled as retryReqeust"},
		{"describe_cert", "describe_cart", "the name describe_cart is misspelled as describe_cert"},
	} {
		result := w.search(SearchRequest{Query: tt.query})
		if len(result.Hits) == 0 || result.Hits[0].Name != tt.first || result.Hits[0].Explanation != tt.why {
			t.Errorf("%q: %q, notes %q", tt.query, names(result.Hits), result.Notes)
			continue
		}
		if h := result.Hits[0]; h.Score < 0.75 || h.Score >= 0.85 || result.Confidence >= 0.9 {
			t.Errorf("%q: score %v, confidence %v", tt.query, h.Score, result.Confidence)
		}
	}
	for _, query := range []string{"rx", "zzgpc", "getPgXCoXnt"} {
		if hits := w.search(SearchRequest{Query: query}).Hits; len(hits) > 0 {
			t.Errorf("%q: %q", query, names(hits))
		}
	}
}

func TestSearchCorrectsWordsOfAQuestion(t *testing.T) {
	w := openWorkspace(t, shop)
	result := w.search(SearchRequest{Query: "exponental backof after failure"})
	if len(result.Hits) == 0 || result.Hits[0].Name != "retryRequest" {
		t.Errorf("%q", names(result.Hits))
	}
	if want := `no text holds "exponental"; searched for "exponential", too`; !slices.Contains(result.Notes, want) {
		t.Errorf("notes %q, want %q", result.Notes, want)
	}
	many := w.search(SearchRequest{Query: "exponental backof rquest valu serverr failur"})
	corrected := 0
	for _, note := range many.Notes {
		if strings.Contains(note, "searched for") {
			corrected++
		}
	}
	if corrected == 0 || corrected > 3 {
		t.Errorf("%d words corrected: %q", corrected, many.Notes)
	}
}

func TestSearchFindsPlaces(t *testing.T) {
	w := openWorkspace(t, shop)
	for _, tt := range []struct{ query, path, name string }{
		{"cart/cart.go", "cart/cart.go", "Cart"},
		{"cart.go", "cart/cart.go", "Cart"},
		{`cart\cart.go`, "cart/cart.go", "Cart"},
		{"CART/CART.GO", "cart/cart.go", "Cart"},
		{"cart/cart.go:32", "cart/cart.go", "TotalPrice"},
		{"web/retry.ts", "web/retry.ts", "retryRequest"},
		{"cart/cart_test.go", "cart/cart_test.go", "TestTotalPrice"},
		{"./docs/pricing.md", "docs/pricing.md", "Pricing"},
	} {
		hits := w.search(SearchRequest{Query: tt.query}).Hits
		if len(hits) == 0 || hits[0].Path != tt.path || hits[0].Name != tt.name {
			t.Errorf("%q: %q", tt.query, names(hits))
		}
	}
}

func TestSearchLeavesOutWhatIsUnwanted(t *testing.T) {
	w := openWorkspace(t, shop)
	for _, tt := range []struct {
		query    string
		unwanted string // no hit may hold it
	}{
		{"cart -TotalPrice", "TotalPrice"},
		{`cart -"puts an item"`, "puts an item"},
		{"cart -describe_cart", "describe_cart"},
		{"cart -path:report", "report"},
		{"cart -path:*_test.go", "_test.go"},
	} {
		all := w.search(SearchRequest{Query: "cart", Limit: 100}).Hits
		hits := w.search(SearchRequest{Query: tt.query, Limit: 100}).Hits
		holds := func(h Hit) bool { return strings.Contains(h.Path+" "+h.Name+" "+h.Text, tt.unwanted) }
		if len(hits) == 0 || len(hits) >= len(all) || !slices.ContainsFunc(all, holds) || slices.ContainsFunc(hits, holds) {
			t.Errorf("%q: %q of %q", tt.query, names(hits), names(all))
		}
	}
	if hits := w.search(SearchRequest{Query: "-TotalPrice"}).Hits; len(hits) == 0 || hits[0].Name != "TotalPrice" {
		t.Errorf("an unwanted word alone is a word: %q", names(hits))
	}
}

func TestSearchPhrases(t *testing.T) {
	w := openWorkspace(t, shop)
	// The phrase's words are all over the workspace; only one text has them in this order.
	if got := names(w.search(SearchRequest{Query: `"the prices of all items"`}).Hits); len(got) == 0 || !strings.HasSuffix(got[0], "TotalPrice") {
		t.Errorf("phrase: %q", got)
	}
	if result := w.search(SearchRequest{Query: `"items all of prices"`}); len(result.Hits) != 0 {
		t.Errorf("a phrase in another order: %q", names(result.Hits))
	}
	result := w.search(SearchRequest{Query: `where is the "value tax added" to a price`})
	if len(result.Hits) == 0 || result.Hits[0].Name != "WithTax" ||
		!slices.Contains(result.Notes, `no text holds the exact phrase "value tax added"; its words were searched`) {
		t.Errorf("a longer question with a wrong phrase: %q, notes %q", names(result.Hits), result.Notes)
	}
}

func TestSearchIsSilentWhenNothingAnswers(t *testing.T) {
	w := openWorkspace(t, shop)
	for _, query := range []string{
		"how do penguins migrate across antarctica", "zzqqxxyy", "frobnicate the zanzibar after lunch", "symptoms of influenza in toddlers",
		"chocolate cake with strawberries and one item",
	} {
		result := w.search(SearchRequest{Query: query})
		if len(result.Hits) != 0 || result.Confidence != 0 || result.Total != 0 || len(result.Notes) == 0 {
			t.Errorf("%q: %q, confidence %v, total %d, notes %q", query, names(result.Hits), result.Confidence, result.Total, result.Notes)
		}
	}
	notes := strings.Join(w.search(SearchRequest{Query: "chocolate cake with strawberries and one item"}).Notes, "\n")
	for _, want := range []string{"nothing here answers that", `no text holds "chocolate", "cake"`, `the best match holds only "`} {
		if !strings.Contains(notes, want) {
			t.Errorf("notes %q lack %q", notes, want)
		}
	}
	if hits := w.search(SearchRequest{Query: `"item" chocolate cake`}).Hits; len(hits) == 0 {
		t.Error("a word in double quotes does not break the silence")
	}
}

func TestSearchOfStopWordsAlone(t *testing.T) {
	w := openWorkspace(t, shop)
	for _, query := range []string{"the", "what is the", "how do I", "to be or not to be"} {
		result := w.search(SearchRequest{Query: query})
		if len(result.Hits) == 0 && len(result.Notes) == 0 {
			t.Errorf("%q: no hits and no reason", query)
		}
	}
}

func TestSearchLimits(t *testing.T) {
	w := openWorkspace(t, shop)
	for _, tt := range []struct {
		limit int
		most  int
	}{{0, 10}, {1, 1}, {3, 3}, {1000, 1000}, {1_000_000_000, 1000}} {
		result := w.search(SearchRequest{Query: "cart", Limit: tt.limit})
		if len(result.Hits) == 0 || len(result.Hits) > tt.most {
			t.Errorf("limit %d: %d hits", tt.limit, len(result.Hits))
		}
	}
	_, err := w.engine.Search(context.Background(), SearchRequest{Query: "cart", Limit: -1})
	if err == nil || !strings.Contains(err.Error(), "limit must not be negative, got -1") {
		t.Errorf("limit -1: %v", err)
	}
}

// TestRankingIsTotal asks the same twice: nothing may depend on the order of maps.
func TestRankingIsTotal(t *testing.T) {
	w := openWorkspace(t, shop)
	for _, query := range []string{"cart price", "request", "items", "how is a cart described"} {
		first := names(w.search(SearchRequest{Query: query}).Hits)
		for range 5 {
			if again := names(w.search(SearchRequest{Query: query}).Hits); !slices.Equal(first, again) {
				t.Fatalf("%q: %q, then %q", query, first, again)
			}
		}
	}
}
