package engine

import (
	"context"
	"os"
	"strings"
	"testing"
)

// remembered stores a record about the selected text and returns how a search shows it now.
func (w *testWorkspace) rememberAt(file, text, content string) {
	w.Helper()
	s := w.selection(file, text)
	if _, created, err := w.engine.Memory().Remember(context.Background(), RememberRequest{Content: content, Select: &s}); err != nil || !created {
		w.Fatalf("remember: created %v, %v", created, err)
	}
}

func (w *testWorkspace) recall(words string) Hit {
	w.Helper()
	for _, h := range w.search(SearchRequest{Query: words, Scope: Scope{Types: []string{"knowledge"}}}).Hits {
		return h
	}
	w.Fatalf("nothing is remembered about %q", words)
	return Hit{}
}

func (w *testWorkspace) refresh() {
	w.Helper()
	if _, err := w.engine.Indexing().Refresh(context.Background(), nil, false); err != nil {
		w.Fatal(err)
	}
	w.wait()
}

const taxGo = "package price\n\n// WithTax adds the value added tax to a price.\nfunc WithTax(cents int) int {\n\treturn cents * 119 / 100\n}\n"

func TestCitedCodeIsFollowed(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(w *testWorkspace)
		want   CitedPlace // Abs left out
		stale  bool
	}{
		{"untouched", func(*testWorkspace) {}, CitedPlace{State: "valid", Path: "price/tax.go", Line: 4, Name: "WithTax"}, false},
		{"other lines", func(w *testWorkspace) { w.write("price/tax.go", "// Package price.\n\n"+taxGo) },
			CitedPlace{State: "valid", Path: "price/tax.go", Line: 6, Name: "WithTax"}, false},
		{"formatted", func(w *testWorkspace) {
			w.write("price/tax.go", strings.ReplaceAll(taxGo, "cents * 119 / 100", "cents*119/100"))
		},
			CitedPlace{State: "valid", Path: "price/tax.go", Line: 4, Name: "WithTax"}, false},
		{"file renamed", func(w *testWorkspace) {
			w.remove("price/tax.go")
			w.write("money/vat.go", taxGo)
		}, CitedPlace{State: "moved", Path: "money/vat.go", Line: 4, Name: "WithTax", Was: "price/tax.go:4 WithTax"}, false},
		{"function renamed", func(w *testWorkspace) { w.write("price/tax.go", strings.ReplaceAll(taxGo, "WithTax", "AddVAT")) },
			CitedPlace{State: "moved", Path: "price/tax.go", Line: 4, Name: "AddVAT", Was: "price/tax.go:4 WithTax"}, false},
		{"function renamed, but not in its comment", func(w *testWorkspace) {
			w.write("price/tax.go", strings.Replace(taxGo, "func WithTax", "func AddVAT", 1))
		}, CitedPlace{State: "moved", Path: "price/tax.go", Line: 4, Name: "AddVAT", Was: "price/tax.go:4 WithTax"}, false},
		{"both renamed", func(w *testWorkspace) {
			w.remove("price/tax.go")
			w.write("money/vat.go", strings.ReplaceAll(taxGo, "WithTax", "AddVAT"))
		}, CitedPlace{State: "moved", Path: "money/vat.go", Line: 4, Name: "AddVAT", Was: "price/tax.go:4 WithTax"}, false},
		{"both renamed, and another took the name", func(w *testWorkspace) {
			w.write("price/tax.go", "package price\n\nfunc WithTax(rate string) (total string, err error) {\n\tpanic(\"not this one\")\n}\n")
			w.write("money/vat.go", strings.ReplaceAll(taxGo, "WithTax", "AddVAT"))
		}, CitedPlace{State: "moved", Path: "money/vat.go", Line: 4, Name: "AddVAT", Was: "price/tax.go:4 WithTax"}, false},
		{"changed", func(w *testWorkspace) { w.write("price/tax.go", strings.ReplaceAll(taxGo, "119", "125")) },
			CitedPlace{State: "changed", Path: "price/tax.go", Line: 4, Name: "WithTax"}, true},
		{"moved and changed", func(w *testWorkspace) {
			w.remove("price/tax.go")
			w.write("money/vat.go", strings.ReplaceAll(taxGo, "119", "125"))
		}, CitedPlace{State: "changed", Path: "money/vat.go", Line: 4, Name: "WithTax", Was: "price/tax.go:4 WithTax"}, true},
		{"gone", func(w *testWorkspace) { w.remove("price/tax.go") },
			CitedPlace{State: "gone", Path: "price/tax.go", Line: 4, Name: "WithTax", Was: "price/tax.go:4 WithTax"}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := map[string]string{"price/tax.go": taxGo, "price/list.go": "package price\n\nfunc List() []string {\n\treturn nil\n}\n"}
			w := openWorkspace(t, files)
			w.rememberAt("price/tax.go", "return cents", "Rounding goes down, says the law.")
			test.change(w)
			w.refresh()
			for range 2 { // the second time from the cache, and from where it was found
				hit := w.recall("rounding law")
				if len(hit.Citations) != 1 {
					t.Fatalf("citations %+v", hit.Citations)
				}
				got := hit.Citations[0]
				if got.Abs != w.path(got.Path) {
					t.Errorf("absolute path %s", got.Abs)
				}
				if got.Abs = ""; got != test.want {
					t.Errorf("got  %+v\nwant %+v", got, test.want)
				}
				if stale := strings.Contains(hit.Text, "[stale: "); stale != test.stale {
					t.Errorf("text %q", hit.Text)
				}
				w.engine.records.Wait()
			}
		})
	}
}

func (w *testWorkspace) remove(name string) {
	w.Helper()
	if err := os.Remove(w.path(name)); err != nil {
		w.Fatal(err)
	}
}

// Links follow the code: after a rename, the card of the new function tells what was remembered of the old one.
// A line outside of definitions is followed when its file moves and is edited, unless it stands in several places then.
func TestCitedLinesAreFollowedIntoAMovedFile(t *testing.T) {
	const limits = "package price\n\nvar (\n\tmaxDiscount = 30\n\tleastOrder  = 5\n)\n"
	w := openWorkspace(t, map[string]string{"price/limits.go": limits, "price/tax.go": taxGo})
	if _, _, err := w.engine.Memory().Remember(context.Background(), RememberRequest{Content: "Discounts end at thirty, says sales.", SourceRef: "price/limits.go:4"}); err != nil {
		t.Fatal(err)
	}
	cited := func() CitedPlace {
		h := w.recall("discounts thirty sales")
		if len(h.Citations) != 1 {
			t.Fatalf("citations %+v", h.Citations)
		}
		return h.Citations[0]
	}
	if c := cited(); c.State != "valid" || c.Line != 4 {
		t.Fatalf("at first %+v", c)
	}
	w.git("mv", "price/limits.go", "price/bounds.go")
	w.write("price/bounds.go", strings.Replace(limits, "var (", "// Bounds of what is sold.\nvar (\n\tmost = 7", 1))
	w.refresh()
	if c := cited(); c.State != "moved" || c.Path != "price/bounds.go" || c.Line != 6 {
		t.Errorf("after the move %+v", c)
	}
	w.engine.records.Wait()
	w.write("price/bounds.go", strings.Replace(limits, "= 30", "= 40", 1))
	w.refresh()
	if c := cited(); c.State != "changed" || c.Path != "price/bounds.go" {
		t.Errorf("after a change %+v", c)
	}
	w.write("price/other.go", limits)
	w.write("price/another.go", limits)
	w.remove("price/bounds.go")
	w.refresh()
	if c := cited(); c.State != "gone" {
		t.Errorf("in two places %+v", c)
	}
}

func TestHoverTellsOfRenamedCode(t *testing.T) {
	w := openWorkspace(t, map[string]string{"price/tax.go": taxGo})
	w.rememberAt("price/tax.go", "return cents", "Rounding goes down, says the law.")
	w.remove("price/tax.go")
	w.write("money/vat.go", strings.ReplaceAll(taxGo, "WithTax", "AddVAT"))
	w.refresh()
	w.recall("rounding law")
	w.engine.records.Wait()
	card, err := w.engine.Code().Hover(context.Background(), w.offset("money/vat.go", "func Add|VAT"))
	if err != nil || card == nil || !strings.Contains(card.Markdown, "Rounding goes down") || !strings.Contains(card.Markdown, "it was price/tax.go:4 WithTax") {
		t.Errorf("%+v, %v", card, err)
	}
}

func TestStaleMemoryComesLaterAndMarked(t *testing.T) {
	w := openWorkspace(t, map[string]string{"price/tax.go": taxGo, "price/list.go": "package price\n\nfunc List() []string {\n\treturn nil\n}\n"})
	w.rememberAt("price/tax.go", "return cents", "Prices are sorted and rounded.")
	w.rememberAt("price/list.go", "return nil", "Prices are listed and sorted.")
	w.write("price/tax.go", strings.ReplaceAll(taxGo, "119", "125"))
	w.refresh()
	hits := w.search(SearchRequest{Query: "prices sorted", Scope: Scope{Types: []string{"knowledge", "reasoning"}}}).Hits
	if len(hits) != 2 || hits[0].Citations[0].State != "valid" || hits[1].Citations[0].State != "changed" || hits[1].Score > 0.7*hits[0].Score {
		t.Errorf("hits %+v", hits)
	}
	s := w.selection("price/tax.go", "return cents")
	block, err := w.engine.Context(context.Background(), ContextRequest{Select: &s})
	if err != nil || !strings.Contains(block.Text, "stale: the cited code price/tax.go:4 WithTax has changed since") {
		t.Errorf("context %s, %v", block.Text, err)
	}
}

// What the editor holds counts, saved or not.
func TestCitationsSeeUnsavedText(t *testing.T) {
	w := openWorkspace(t, map[string]string{"price/tax.go": taxGo})
	w.rememberAt("price/tax.go", "return cents", "Rounding goes down, says the law.")
	w.index.Open(w.path("price/tax.go"), "go", 1, []byte(strings.ReplaceAll(taxGo, "119", "125")))
	w.wait()
	if got := w.recall("rounding law").Citations[0].State; got != "changed" {
		t.Errorf("state %s", got)
	}
	w.index.Close(w.path("price/tax.go"))
	w.wait()
	if got := w.recall("rounding law").Citations[0].State; got != "valid" {
		t.Errorf("after closing: state %s", got)
	}
}

func TestSourceReferencesCite(t *testing.T) {
	files := map[string]string{"price/tax.go": taxGo, "notes.txt": "first line\nsecond line\nthird line\n", "gaps.txt": "\n\nhere\n\n\nthere\n\n", "blank.txt": "\n \n"}
	for ref, want := range map[string]CitedPlace{
		"price/tax.go:5":            {State: "valid", Path: "price/tax.go", Line: 4, Name: "WithTax"},
		"code:price/tax.go:WithTax": {State: "valid", Path: "price/tax.go", Line: 4, Name: "WithTax"},
		"price/tax.go:1":            {State: "valid", Path: "price/tax.go", Line: 1},
		"notes.txt:2":               {State: "valid", Path: "notes.txt", Line: 2},
		"notes.txt:4":               {State: "valid", Path: "notes.txt", Line: 3}, // behind the last line break
		"gaps.txt:1":                {State: "valid", Path: "gaps.txt", Line: 3},
		"gaps.txt:4":                {State: "valid", Path: "gaps.txt", Line: 3},
		"gaps.txt:7":                {State: "valid", Path: "gaps.txt", Line: 6},
	} {
		t.Run(ref, func(t *testing.T) {
			w := openWorkspace(t, files)
			if _, _, err := w.engine.Memory().Remember(context.Background(), RememberRequest{Content: "the reason why", SourceRef: ref}); err != nil {
				t.Fatal(err)
			}
			hit := w.recall("reason why")
			if len(hit.Citations) != 1 {
				t.Fatalf("citations %+v", hit.Citations)
			}
			got := hit.Citations[0]
			if got.Abs = ""; got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
	w := openWorkspace(t, files)
	for _, ref := range []string{"absent.go:3", "price/tax.go", "https://example.com", "../../etc/passwd:1", "blank.txt:1"} {
		if _, _, err := w.engine.Memory().Remember(context.Background(), RememberRequest{Content: "about " + ref, SourceRef: ref}); err != nil {
			t.Fatal(err)
		}
		if hit := w.recall("about " + ref); len(hit.Citations) != 0 {
			t.Errorf("%s cites %+v", ref, hit.Citations)
		}
	}
	if _, _, err := w.engine.Memory().Remember(context.Background(), RememberRequest{Content: "about nothing", SourceRef: "notes.txt:999"}); err == nil {
		t.Error("a line that is not there is cited")
	}
}

func TestRecordsBelongToTheirProject(t *testing.T) {
	w := openWorkspace(t, shop)
	own := w.remember(RememberRequest{Content: "Rates come from the bank."})
	everywhere := w.remember(RememberRequest{Content: "Tabs rather than spaces.", Personal: true})
	for id, want := range map[string]string{own: w.engine.records.Project(w.dir), everywhere: ""} {
		if hit, err := w.engine.opts.Memory.Get(t.Context(), id); err != nil || hit.Workspace != want {
			t.Errorf("%s belongs to %q, %v; want %q", id, hit.Workspace, err, want)
		}
	}
}
