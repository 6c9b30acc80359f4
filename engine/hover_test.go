package engine

import (
	"context"
	"fmt"
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
		"Called by [Cart.TotalPrice](file://",
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
	for _, at := range []string{"|func Describe", "sum| := 0", "re|turn sum", "for _, item := |range", "{\n|\tsum"} {
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
	if h := w.hover("d/d.go", "; R|un()"); h != nil {
		t.Errorf("a name that its package does not define: %s", h.Markdown)
	}
}

// TestHoverFollowsScopes has locals, fields, variables of a package and imports whose names are those of other things.
func TestHoverFollowsScopes(t *testing.T) {
	w := openWorkspace(t, map[string]string{
		"a/a.go": "package a\n\nimport (\n\t\"net/http\"\n\n\t\"x/b\"\n)\n\nvar limit = 1\n\ntype ResponseWriter struct{}\n\n" +
			"type server struct{ store *b.Store }\n\nfunc (s *server) serve(w http.ResponseWriter, err error) {\n\ts.store.Find(err, limit, b.Most)\n\tc := b.New()\n\tc.Find(w.Header(), unknown())\n}\n",
		"a/other.go":  "package a\n\nfunc use() int { return limit }\n\nfunc Header() {}\n",
		"b/b.go":      "package b\n\nconst Most = 3\n\ntype Store struct{}\n\nfunc New() *Store { return nil }\n\nfunc (s *Store) Find(args ...any) {}\n",
		"c/err.go":    "package c\n\nfunc err() {}\n\nfunc http() {}\n\ntype T struct{}\n\nfunc (T) Find() {}\n",
		"p/models.py": "LIMIT = 3\n\n\nclass Base:\n    def save(self):\n        self.saved = True\n\n\nclass Cart(Base):\n    def total(self):\n        return self.saved\n",
		"p/use.py":    "from p.models import LIMIT, Cart\n\n\ndef run(total):\n    cart = Cart()\n    cart.save()\n    return cart.total() + total + LIMIT\n",
	})
	for _, tt := range []struct{ file, marked, want string }{ // want "" for no card
		{"a/a.go", "Find(er|r,", "a/a.go:15"},
		{"a/a.go", "w ht|tp.Resp", "a/a.go:4"},
		{"a/a.go", "http.Response|Writer", ""},
		{"a/a.go", "w.Head|er()", ""},
		{"a/a.go", "lim|it, b", "a/a.go:9"},
		{"a/a.go", "b.Mo|st)", "b/b.go:3"},
		{"a/a.go", "s.sto|re.Find", "a/a.go:13"},
		{"a/a.go", "store.Fi|nd", "b/b.go:9"},
		{"a/a.go", "c.Fi|nd", "b/b.go:9"},
		{"a/a.go", "unkn|own()", ""},
		{"a/other.go", "return lim|it", "a/a.go:9"},
		{"p/use.py", "+ tot|al", "p/use.py:4"},
		{"p/use.py", "cart.to|tal()", "p/models.py:10"},
		{"p/use.py", "cart.sa|ve()", "p/models.py:5"},
		{"p/use.py", "+ LIM|IT", "p/models.py:1"},
		{"p/models.py", "return self.sav|ed", "p/models.py:6"},
	} {
		h := w.hover(tt.file, tt.marked)
		switch {
		case tt.want == "" && h != nil:
			t.Errorf("%s %q: %s", tt.file, tt.marked, h.Markdown)
		case tt.want != "" && (h == nil || !strings.Contains(h.Markdown, "d in ["+tt.want+"]")):
			t.Errorf("%s %q: want %s, have %+v", tt.file, tt.marked, tt.want, h)
		}
	}
}

// TestHoverFindsThePackagesNames has a package of many files, a name that two of them declare, as for two systems, and constants
// and fields that are no names of the package.
func TestHoverFindsThePackagesNames(t *testing.T) {
	files := map[string]string{
		"a/use.go":   "package a\n\nfunc use() (any, any, any, any, any) { return far, twice, inside, Field, alias(1) }\n",
		"a/far.go":   "package a\n\nvar near, far = 1, 2\n\ntype alias = int\n",
		"a/one.go":   "package a\n\nconst twice = 1\n\nfunc one() int {\n\tconst inside = 1\n\treturn inside\n}\n",
		"a/two.go":   "package a\n\nconst twice = 2\n\ntype holder struct{ Field int }\n",
		"a/b/far.go": "package b\n\nvar far = 3\n",
	}
	for i := range 70 {
		files[fmt.Sprintf("a/more%02d.go", i)] = fmt.Sprintf("package a\n\nvar more%02d = 1 // far\n", i)
	}
	w := openWorkspace(t, files)
	for marked, want := range map[string]string{
		"return f|ar": "a/far.go:3", "al|ias(1)": "a/far.go:5", "tw|ice": "", "ins|ide": "", "Fi|eld": "",
	} {
		h := w.hover("a/use.go", marked)
		switch {
		case want == "" && h != nil:
			t.Errorf("%q: %s", marked, h.Markdown)
		case want != "" && (h == nil || !strings.Contains(h.Markdown, "Defined in ["+want+"]")):
			t.Errorf("%q: want %s, have %+v", marked, want, h)
		}
	}
}

func TestHoverSeesTheBuffer(t *testing.T) {
	w := openWorkspace(t, shop)
	w.index.Open(w.path("web/client.ts"), "typescript", 1, []byte("// 🙂🙂\r\n\r\nimport { retryRequest } from \"./retry\";\r\nretryRequest(x)\r\n"))
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
