package engine

import (
	"context"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/codebase"
)

func TestSearchPutsExactNamesFirst(t *testing.T) {
	w := openWorkspace(t, shop)
	tests := []struct{ query, first string }{
		{"TotalPrice", "cart/cart.go:Cart.TotalPrice"},
		{"totalprice", "cart/cart.go:Cart.TotalPrice"},
		{"Cart.TotalPrice", "cart/cart.go:Cart.TotalPrice"},
		{"(*Cart).TotalPrice()", "cart/cart.go:Cart.TotalPrice"},
		{"price.WithTax", "price/tax.go:WithTax"},
		{"where is fetchCart used", "web/client.ts:fetchCart"},
		{"total price", "cart/cart.go:Cart.TotalPrice"},
		{"describe cart", "report/report.py:describe_cart"},
		{"exponential backoff after failure", "web/retry.ts:retryRequest"},
		{"discounts", "docs/pricing.md:Discounts"},
		{"TestTotalPrice", "cart/cart_test.go:TestTotalPrice"},
	}
	for _, tt := range tests {
		got := names(w.search(SearchRequest{Query: tt.query}).Hits)
		if len(got) == 0 || got[0] != tt.first && !strings.HasSuffix(got[0], "."+strings.Split(tt.first, ":")[1]) {
			t.Errorf("%q: %q, want %s first", tt.query, got, tt.first)
		}
	}
}

func TestSearchHit(t *testing.T) {
	w := openWorkspace(t, shop)
	result := w.search(SearchRequest{Query: "WithTax", Git: true, Explain: true})
	if len(result.Hits) == 0 {
		t.Fatalf("no hits; notes %q", result.Notes)
	}
	h := result.Hits[0]
	if h.ID != "code:price/tax.go:WithTax" || h.Type != "function" || h.Kind != "CODE_FUNCTION" || h.Language != "go" ||
		h.Path != "price/tax.go" || h.Abs != w.path("price/tax.go") || h.Source != "disk" {
		t.Errorf("hit %+v", h)
	}
	if h.Signature != "func WithTax(cents int) int" {
		t.Errorf("signature %q", h.Signature)
	}
	if h.Doc != "WithTax adds the value added tax to a price. 🙂 größe" {
		t.Errorf("doc %q", h.Doc)
	}
	if h.NameRange == nil || h.NameRange.Start.Line != 3 || h.NameRange.Start.UTF16 != 5 || h.NameRange.End.Byte != 12 {
		t.Errorf("name range %+v", h.NameRange)
	}
	if want := "[Source: price/tax.go:4 | Score: "; !strings.HasPrefix(h.Provenance, want) {
		t.Errorf("provenance %q", h.Provenance)
	}
	if h.Score < 0.9 || h.Score > 1 || h.Scores.Final != h.Score || h.Scores.BM25 == nil || *h.Scores.BM25 <= 0 {
		t.Errorf("score %v, scores %+v", h.Score, h.Scores)
	}
	if want := "exact keyword match on WithTax: ordered by the rules 0.78 = file name asked for 0.16 + "; !strings.HasPrefix(h.Explanation, want) {
		t.Errorf("explanation %q", h.Explanation)
	}
	if n := h.Scores.Normalised; n == nil || *n != 1 {
		t.Errorf("normalised score %v", n)
	}
	if h.Git == nil || h.Git.State != "tracked" || h.Git.Commits != 1 || h.Git.Author != "Ada" || h.Git.Subject != "Open the shop" {
		t.Errorf("git %+v", h.Git)
	}
	if result.Mode != "keyword" || !slices.Contains(result.Notes, "keyword only: search.semantic is off") || result.Confidence < 0.9 {
		t.Errorf("mode %q, notes %q, confidence %v", result.Mode, result.Notes, result.Confidence)
	}
}

func TestSearchBadInput(t *testing.T) {
	w := openWorkspace(t, shop)
	const types = "Invalid chunk type 'functon'. Valid types: function, method, class, code, reasoning, knowledge"
	for _, tt := range []struct {
		name   string
		r      SearchRequest
		detail string
		says   string
	}{
		{"negative limit", SearchRequest{Query: "x", Limit: -1}, "limit", "limit must not be negative, got -1"},
		{"bad type in scope", SearchRequest{Query: "x", Scope: Scope{Types: []string{"functon"}}}, "scope.types", types},
		{"bad type typed", SearchRequest{Query: "type:functon x"}, "scope.types", types},
		{"bad score", SearchRequest{Query: "x", MinScore: 2}, "minScore", "between 0 and 1"},
		{"no score", SearchRequest{Query: "x", MinScore: math.NaN()}, "minScore", "between 0 and 1"},
		{"unknown provider", SearchRequest{Query: "x", Providers: []string{"oracle"}}, "providers", `unknown provider "oracle"`},
		{"unknown fusion", SearchRequest{Query: "x", Fusion: "cold"}, "fusion", `unknown fusion "cold"`},
	} {
		_, err := w.engine.Search(context.Background(), tt.r)
		var e *Error
		if !errors.As(err, &e) || e.Kind != Invalid || e.Detail != tt.detail || !strings.Contains(e.Message, tt.says) {
			t.Errorf("%s: %#v", tt.name, err)
		}
	}
	for _, query := range []string{
		"", "   ", "\x00\x01", strings.Repeat("a b c ", 1700), strings.Repeat("x", 10_000), "🙂🙂", "עגלה سلة", "' OR 1=1; --",
		"(.*)+[", "\"", "\xff\xfe", "type:", "path:**", "lang:nonsense x", "tag:none x", "how is the", "the the the", "\x1b[31mred\x1b[0m", "a\x00b", "NEAR(a b) AND * OR", "a:b:c",
	} {
		result := w.search(SearchRequest{Query: query})
		if len(result.Hits) == 0 && len(result.Notes) == 0 {
			t.Errorf("%.20q: no hits and no reason", query)
		}
	}
	for _, limit := range []int{5000, 1_000_000_000} {
		if r := w.search(SearchRequest{Query: "cart", Limit: limit}); len(r.Hits) == 0 || !strings.Contains(strings.Join(r.Notes, "\n"), "1000") {
			t.Errorf("limit %d is not mentioned: %q", limit, r.Notes)
		}
	}
	if all, ten := w.search(SearchRequest{Query: "cart"}), w.search(SearchRequest{Query: "cart", Limit: 10}); len(all.Hits) != len(ten.Hits) {
		t.Errorf("a limit of 0 gives %d hits, of 10 %d", len(all.Hits), len(ten.Hits))
	}
}

func TestSearchFilters(t *testing.T) {
	w := openWorkspace(t, shop)
	tests := []struct {
		query string
		ok    func(Hit) bool
	}{
		{"type:class cart", func(h Hit) bool { return h.Type == "class" }},
		{"type:function,method cart", func(h Hit) bool { return h.Type == "function" || h.Type == "method" }},
		{"lang:py cart", func(h Hit) bool { return h.Language == "python" }},
		{"path:web/ cart", func(h Hit) bool { return strings.HasPrefix(h.Path, "web/") }},
		{"path:*_test.go cart", func(h Hit) bool { return strings.HasSuffix(h.Path, "_test.go") }},
		{"type:method", func(h Hit) bool { return h.Type == "method" }},
		{`"value added tax"`, func(h Hit) bool { return strings.Contains(h.Text, "value added tax") }},
	}
	for _, tt := range tests {
		result := w.search(SearchRequest{Query: tt.query})
		if len(result.Hits) == 0 {
			t.Errorf("%q: no hits, notes %q", tt.query, result.Notes)
		}
		for _, h := range result.Hits {
			if !tt.ok(h) {
				t.Errorf("%q: %s does not pass", tt.query, h.ID)
			}
		}
	}
	scoped := w.search(SearchRequest{Query: "cart", Scope: Scope{Paths: []string{"cart/**"}, Exclude: []string{"*_test.go"}, Kinds: []string{"code_function"}}})
	for _, h := range scoped.Hits {
		if codebase.DirName(h.Path) != "cart" || strings.HasSuffix(h.Path, "_test.go") || h.Kind != "CODE_FUNCTION" {
			t.Errorf("scope: %s (%s)", h.ID, h.Kind)
		}
	}
	if len(scoped.Hits) == 0 {
		t.Error("scope: no hits")
	}
}

func TestSearchSaysWhyItIsEmpty(t *testing.T) {
	w := openWorkspace(t, shop)
	for query, want := range map[string]string{
		"zzyzx":                `nothing matches "zzyzx"`,
		"type:class zzyzx":     "with type class",
		`"no such phrase"`:     `no text holds the exact phrase "no such phrase"`,
		"type:class lang:text": "nothing passes the filters",
	} {
		if notes := strings.Join(w.search(SearchRequest{Query: query}).Notes, "\n"); !strings.Contains(notes, want) {
			t.Errorf("%q: notes %q", query, notes)
		}
	}
	empty := newWorkspace(t, nil)
	empty.open()
	if notes := strings.Join(empty.search(SearchRequest{Query: "x"}).Notes, "\n"); !strings.Contains(notes, "no file") {
		t.Errorf("notes of an empty workspace: %q", notes)
	}
}

func TestSearchSeesWhatIsOnScreen(t *testing.T) {
	w := openWorkspace(t, shop)
	text := strings.ReplaceAll(shop["price/tax.go"], "WithTax", "WithoutTax")
	w.index.Open(w.path("price/tax.go"), "go", 1, []byte("// moved down\r\n\r\n"+text))
	w.wait()
	hits := w.search(SearchRequest{Query: "WithoutTax"}).Hits
	if len(hits) == 0 || hits[0].Source != "overlay" || hits[0].NameRange.Start.Line != 5 {
		t.Fatalf("hits %+v", hits)
	}
	for _, h := range w.search(SearchRequest{Query: "WithTax"}).Hits {
		if h.Path == "price/tax.go" && strings.Contains(h.Text, "WithTax(") {
			t.Errorf("a hit shows text that is no longer on screen: %s", h.ID)
		}
	}
	w.index.Close(w.path("price/tax.go"))
	w.wait()
	if hits := w.search(SearchRequest{Query: "WithTax"}).Hits; len(hits) == 0 || hits[0].Source != "disk" {
		t.Errorf("after closing the buffer: %q", names(hits))
	}
}

// TestSearchNeverShowsStaleText changes files behind the index's back: nothing watches them here.
func TestSearchNeverShowsStaleText(t *testing.T) {
	w := openWorkspace(t, shop)
	w.write("price/tax.go", "\n\n\n"+shop["price/tax.go"])
	hits := w.search(SearchRequest{Query: "WithTax"}).Hits
	if len(hits) == 0 || hits[0].Path != "price/tax.go" || hits[0].NameRange.Start.Line != 6 {
		t.Fatalf("the span was not read again: %q", names(hits))
	}
	if err := os.Remove(w.path("price/tax.go")); err != nil {
		t.Fatal(err)
	}
	result := w.search(SearchRequest{Query: "WithTax"})
	for _, h := range result.Hits {
		if h.Path == "price/tax.go" {
			t.Errorf("a deleted file is a hit: %s", h.ID)
		}
	}
	if !strings.Contains(strings.Join(result.Notes, "\n"), "no longer there") {
		t.Errorf("notes %q", result.Notes)
	}
}

func TestSearchLeavesCopiesOut(t *testing.T) {
	files := map[string]string{}
	for _, dir := range []string{"a", "b", "c"} {
		files[dir+"/x.go"] = "package x\n\n// Twin is the same everywhere.\nfunc Twin() int { return 42 }\n"
	}
	w := openWorkspace(t, files)
	result := w.search(SearchRequest{Query: "Twin"})
	if got := names(result.Hits); len(got) != 1 && !slices.Contains(result.Notes, "2 identical copies left out") {
		t.Errorf("hits %q, notes %q", got, result.Notes)
	}
}

func TestSearchFindsMemory(t *testing.T) {
	w := openWorkspace(t, shop)
	ctx := context.Background()
	id, created, err := w.engine.Memory().Remember(ctx, RememberRequest{
		Content: "We round taxes down because the tax office demands it.", Tags: []string{"decision"},
	})
	if err != nil || !created {
		t.Fatalf("remember: %v, created %v", err, created)
	}
	for _, query := range []string{"tax office", "type:knowledge taxes", "type:reasoning,knowledge taxes", "tag:decision", "type:knowledge"} {
		result := w.search(SearchRequest{Query: query})
		i := slices.IndexFunc(result.Hits, func(h Hit) bool { return h.ID == id })
		if i < 0 {
			t.Errorf("%q does not find the record: %q %q", query, names(result.Hits), result.Notes)
			continue
		}
		if h := result.Hits[i]; h.Source != "memory" || h.Type != "knowledge" || h.Range != nil || h.Provenance == "" {
			t.Errorf("%q: %+v", query, h)
		}
	}
	if hits := w.search(SearchRequest{Query: "type:function tax"}).Hits; slices.ContainsFunc(hits, func(h Hit) bool { return h.ID == id }) {
		t.Error("a record passes type:function")
	}
	removed, err := w.engine.Memory().Forget(ctx, []string{id, "know:none"})
	if err != nil || !slices.Equal(removed.IDs, []string{id}) {
		t.Fatalf("forget: %+v, %v", removed, err)
	}
	if hits := w.search(SearchRequest{Query: "tax office"}).Hits; slices.ContainsFunc(hits, func(h Hit) bool { return h.ID == id }) {
		t.Error("a forgotten record is a hit")
	}
}

func TestSearchEndsWithItsContext(t *testing.T) {
	w := openWorkspace(t, shop)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := w.engine.Search(ctx, SearchRequest{Query: "cart"}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestSymbols(t *testing.T) {
	w := openWorkspace(t, shop)
	tests := []struct {
		query string
		first string
	}{
		{"AddItem", "AddItem"}, {"addit", "AddItem"}, {"tp", "TotalPrice"}, {"fetchcrt", "fetchCart"}, {"retry request", "retryRequest"},
		{"lang:py describe", "describe_cart"}, {"type:class Cart", "Cart"},
	}
	for _, tt := range tests {
		result, err := w.engine.Symbols(context.Background(), tt.query, 20)
		if err != nil || len(result.Hits) == 0 || result.Hits[0].Name != tt.first {
			t.Errorf("%q: %q, %v", tt.query, names(result.Hits), err)
		}
		seen := map[string]bool{}
		for _, h := range result.Hits {
			if seen[h.ID] {
				t.Errorf("%q: %s twice", tt.query, h.ID)
			}
			seen[h.ID] = true
		}
	}
	if result, err := w.engine.Symbols(context.Background(), "", 5); err != nil || len(result.Hits) != 0 {
		t.Errorf("empty query: %v, %v", result, err)
	}
}

func TestStatus(t *testing.T) {
	w := openWorkspace(t, shop)
	w.search(SearchRequest{Query: "cart"})
	st, err := w.engine.Status(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if st.Index.Indexed != len(shop) || st.Index.Chunks == 0 || st.QueryP50Ms <= 0 || st.QueryP95Ms < st.QueryP50Ms ||
		st.Version != "test" || st.LLM.Configured || st.Memory.Path == "" {
		t.Errorf("status %+v", st)
	}
}
