package engine

import (
	"context"
	"strings"
	"testing"
)

func (w *testWorkspace) hover(name, marked string) *HoverResult {
	w.Helper()
	result, err := w.engine.Code().Hover(context.Background(), w.offset(name, marked))
	if err != nil {
		w.Fatalf("hover %s %q: %v", name, marked, err)
	}
	return result
}

func TestHoverCard(t *testing.T) {
	w := openWorkspace(t, shop)
	if _, _, err := w.engine.Memory().Remember(context.Background(), RememberRequest{
		Content: "WithTax rounds down on [purpose](x)", SourceRef: "price/tax.go:4",
	}); err != nil {
		t.Fatal(err)
	}
	w.search(SearchRequest{Query: "WithTax", Git: true}) // the blame is known from here on
	h := w.hover("cart/cart.go", "price.With|Tax(")
	if h == nil {
		t.Fatal("no card")
	}
	text, _ := w.index.Text(w.path("cart/cart.go"))
	if got := string(text[h.Start:h.End]); got != "WithTax" {
		t.Errorf("range covers %q", got)
	}
	for _, want := range []string{
		"```go\nfunc WithTax(cents int) int\n```",
		"WithTax adds the value added tax to a price. 🙂 größe",
		"Defined in [price/tax.go:4](file://" + w.dir + "/price/tax.go#L4)",
		"Called by name in 1: [Cart.TotalPrice](file://",
		" minutes ago by Ada in `Open the shop` (1 commit)",
		`- Remembered just now: WithTax rounds down on \[purpose\](x)`,
	} {
		if !strings.Contains(h.Markdown, want) {
			t.Errorf("the card lacks %q:\n%s", want, h.Markdown)
		}
	}
	if n := strings.Count(h.Markdown, "\n") + 1; n > 25 {
		t.Errorf("%d lines", n)
	}
}

func TestHoverTreatsDocAsData(t *testing.T) {
	w := openWorkspace(t, shop)
	h := w.hover("cart/cart.go", "type Ca|rt struct")
	if h == nil {
		t.Fatal("no card")
	}
	if strings.Contains(h.Markdown, "<b>") || strings.Contains(h.Markdown, "[cents](") {
		t.Errorf("markup of a comment is live:\n%s", h.Markdown)
	}
}

func TestHoverOnNothingKnown(t *testing.T) {
	w := openWorkspace(t, shop)
	for _, at := range []string{"|func Describe", "sum| := 0", "re|turn sum", "for _, item := |range", "fm|t.Sprintf", "{\n|\tsum"} {
		if h := w.hover("cart/cart.go", at); h != nil {
			t.Errorf("%q: %s", at, h.Markdown)
		}
	}
	for _, p := range []Place{{}, {Path: "/nowhere/x.go"}, {Path: w.path("cart/cart.go"), Offset: -1}, {Path: w.path("cart/cart.go"), Offset: 1 << 30}} {
		if h, err := w.engine.Code().Hover(context.Background(), p); h != nil || err != nil {
			t.Errorf("%+v: %v, %v", p, h, err)
		}
	}
}

func TestHoverPrefersTheSamePackage(t *testing.T) {
	w := openWorkspace(t, map[string]string{
		"a/a.go":      "package a\n\nfunc Run() {}\n\nfunc main() { Run() }\n",
		"b/b.go":      "package b\n\nfunc Run(x int) {}\n",
		"c/c.py":      "def Run():\n    pass\n",
		"d/d.go":      "package d\n\nimport \"x/b\"\n\nfunc use() { b.Run(1); Run() }\n",
		"e/unrelated": "Run\n",
	})
	for _, tt := range []struct{ file, marked, want string }{
		{"a/a.go", "{ R|un()", "a/a.go:3"},
		{"d/d.go", "b.R|un(1)", "b/b.go:3"},
	} {
		h := w.hover(tt.file, tt.marked)
		if h == nil || !strings.Contains(h.Markdown, "Defined in ["+tt.want+"]") {
			t.Errorf("%s: %+v", tt.marked, h)
		}
	}
	h := w.hover("d/d.go", "; R|un()")
	if h == nil || !strings.Contains(h.Markdown, "has 2 definitions") || strings.Contains(h.Markdown, "c/c.py") {
		t.Errorf("several definitions: %+v", h)
	}
}

func TestHoverSeesTheBuffer(t *testing.T) {
	w := openWorkspace(t, shop)
	w.index.Open(w.path("web/client.ts"), "typescript", 1, []byte("// 🙂🙂\r\n\r\nretryRequest(x)\r\n"))
	h := w.hover("web/client.ts", "retry|Request(x)")
	if h == nil || !strings.Contains(h.Markdown, "web/retry.ts:2") {
		t.Fatalf("card %+v", h)
	}
	text, _ := w.index.Text(w.path("web/client.ts"))
	if got := string(text[h.Start:h.End]); got != "retryRequest" {
		t.Errorf("range covers %q", got)
	}
}

func TestHoverInProse(t *testing.T) {
	w := openWorkspace(t, shop)
	if h := w.hover("docs/pricing.md", "`With|Tax`"); h == nil || !strings.Contains(h.Markdown, "price/tax.go:4") {
		t.Errorf("a name in backquotes: %+v", h)
	}
	if h := w.hover("docs/pricing.md", "the l|aw"); h != nil {
		t.Errorf("a plain word: %s", h.Markdown)
	}
}

func TestActions(t *testing.T) {
	w := openWorkspace(t, shop)
	place := w.offset("cart/cart.go", "func (c *Cart) Total|Price")
	actions, err := w.engine.Code().Actions(context.Background(), Selection{Path: place.Path, Start: place.Offset, End: place.Offset})
	if err != nil {
		t.Fatal(err)
	}
	var titles []string
	for _, a := range actions {
		titles = append(titles, a.Title)
		if !strings.HasPrefix(a.Kind, "source.aurora.") || a.ID == "" || !strings.HasPrefix(a.Command, "aurora.") || a.Symbol != "TotalPrice" {
			t.Errorf("action %+v", a)
		}
	}
	want := "Find related code: TotalPrice; Assemble context for TotalPrice; Remember this; Why is this here? (git history); Ask AURORA about TotalPrice"
	if got := strings.Join(titles, "; "); got != want {
		t.Errorf("titles %q", got)
	}
	s := w.selection("cart/cart.go", "sum := 0")
	s.Start, s.End = s.End+1<<20, s.Start // back to front and beyond the end
	if actions, err = w.engine.Code().Actions(context.Background(), s); err != nil || len(actions) != 5 || actions[1].Title != "Assemble context for selection" {
		t.Errorf("actions of a selection %+v, %v", actions, err)
	}
	if actions, err := w.engine.Code().Actions(context.Background(), Selection{Path: "/nowhere"}); err != nil || len(actions) != 0 {
		t.Errorf("actions of an unknown file %+v, %v", actions, err)
	}
}
