package lsp_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/text"
	"github.com/aurora-sidecar/aurora/lsp"
)

// textAt is what stands at a range of a document as an editor has it.
func textAt(e *lsp.Editor, name string, r api.Range) string {
	start, end, ok := api.ToOffsets(text.NewLines([]byte(e.Content(name))), r, e.Encoding())
	if !ok {
		return "(no such range)"
	}
	return e.Content(name)[start:end]
}

// A thing is a result of documentSymbol, as far as the tests look at it.
type thing struct {
	Name           string    `json:"name"`
	SelectionRange api.Range `json:"selectionRange"`
	Children       []thing   `json:"children"`
}

// all are the names of things, each between blanks.
func all(things []thing) string {
	names := " "
	for _, t := range things {
		names += t.Name + all(t.Children)
	}
	return names
}

// twoViews opens a file in two editors, which change it differently and save nothing. The index has the text of the second.
func twoViews(t *testing.T) (w *world, first, second *lsp.Editor) {
	w = newWorld(t)
	options := map[string]any{"aurora": map[string]any{
		"client": api.ClientFeatures{Status: true}, "lsp.documentSymbol": true, "lsp.codeLens.enabled": true,
	}}
	first, _ = w.connect(lsp.Config{Dir: workspace(t, shop), Options: options})
	first.AwaitReady()
	second, _ = w.connect(lsp.Config{Dir: first.Dir, Capabilities: map[string]any{}, Options: options})
	for _, e := range []*lsp.Editor{first, second} {
		e.OpenFile("cart.go")
	}
	first.Edit("cart.go", 0, 0, "// größe 𐐀\n// first\n// first\n// first\n// first\n// first\n")
	end := len(first.Content("cart.go"))
	first.Edit("cart.go", end, end, "\n// OnlyFirst is in the text of one editor.\nfunc OnlyFirst() { NewCart() }\n")
	first.Call("aurora/status", nil, nil)
	second.Edit("cart.go", 0, 0, "// second\n")
	end = len(second.Content("cart.go"))
	second.Edit("cart.go", end, end, "\n// OnlySecond is in the text of another editor.\nfunc OnlySecond() {}\n")
	second.Call("aurora/status", nil, nil)
	w.settle()
	return w, first, second
}

func TestEachClientSeesItsOwnText(t *testing.T) {
	_, first, second := twoViews(t)
	for name, e := range map[string]*lsp.Editor{"first": first, "second": second} {
		own, other := "OnlyFirst", "OnlySecond"
		if e == second {
			own, other = other, own
		}
		content := e.Content("cart.go")
		at := strings.Index(content, "NewCart() *Cart")
		if card := e.Hover("cart.go", at); !strings.Contains(card, "func NewCart() *Cart") {
			t.Errorf("%s: hover %q", name, card)
		}
		if card := e.Hover("cart.go", strings.Index(content, own+"()")); !strings.Contains(card, "func "+own+"()") {
			t.Errorf("%s: hover of what only it has %q", name, card)
		}
		if actions := e.Actions("cart.go", at, at); len(actions) == 0 || !strings.Contains(actions[0].Title, "NewCart") {
			t.Errorf("%s: actions %+v", name, actions)
		}
		var outline []thing
		e.Call("textDocument/documentSymbol", map[string]any{"textDocument": map[string]any{"uri": e.URI("cart.go")}}, &outline)
		for _, s := range outline {
			if got := textAt(e, "cart.go", s.SelectionRange); got != s.Name {
				t.Errorf("%s: the outline has %s at %q", name, s.Name, got)
			}
		}
		if names := all(outline); !strings.Contains(names, own) || strings.Contains(names, other) {
			t.Errorf("%s: outline %s", name, names)
		}
		for _, lens := range lenses(e, "cart.go") {
			if got := textAt(e, "cart.go", lens.Range); !strings.Contains(all(outline), " "+got+" ") {
				t.Errorf("%s: a lens at %q", name, got)
			}
		}
		for _, s := range e.Symbols("NewCart") {
			if got := textAt(e, "cart.go", s.Location.Range); s.Name == "NewCart" && got != "NewCart" {
				t.Errorf("%s: the symbol is at %q", name, got)
			}
		}
		for _, hit := range e.Search("NewCart").Hits {
			if hit.Path == "cart.go" && hit.NameRange != nil && hit.Name == "NewCart" && textAt(e, "cart.go", *hit.NameRange) != "NewCart" {
				t.Errorf("%s: the hit is at %q", name, textAt(e, "cart.go", *hit.NameRange))
			}
		}
		var related api.RelatedResult
		e.Call("aurora/related", map[string]any{"symbol": "CheckoutCart", "direction": "callees"}, &related)
		for _, edge := range related.Edges {
			if edge.To.Path == "cart.go" && textAt(e, "cart.go", *edge.To.NameRange) != edge.To.Name {
				t.Errorf("%s: the callee %s is at %q", name, edge.To.Name, textAt(e, "cart.go", *edge.To.NameRange))
			}
		}
		if len(related.Edges) < 2 {
			t.Errorf("%s: callees %+v", name, related.Edges)
		}
	}
	for _, hit := range first.Search("OnlySecond").Hits {
		if hit.Name == "OnlySecond" && (hit.Range != nil || hit.Source != "overlay") {
			t.Errorf("a place for what the text of this editor does not have: %+v", hit)
		}
	}
}

// What is selected in a text is what is remembered and put into a context, whichever text the index has.
func TestSelectionsAreOfTheOwnText(t *testing.T) {
	_, first, _ := twoViews(t)
	content := first.Content("cart.go")
	start := strings.Index(content, "// OnlyFirst is")
	selection := map[string]any{
		"textDocument": map[string]any{"uri": first.URI("cart.go")},
		"range":        map[string]any{"start": first.Position("cart.go", start), "end": first.Position("cart.go", len(content))},
	}
	var found api.ContextResult
	first.Call("aurora/context", selection, &found)
	if !strings.Contains(found.Text, "func OnlyFirst()") || strings.Contains(found.Text, "OnlySecond") {
		t.Errorf("context %s", found.Text)
	}
	var kept api.RememberResult
	first.Call("aurora/remember", selection, &kept)
	var records api.RecordsResult
	first.Call("aurora/records", map[string]any{"id": kept.ID}, &records)
	if len(records.Records) != 1 || !strings.Contains(records.Records[0].Content, "func OnlyFirst()") {
		t.Errorf("remembered %+v", records.Records)
	}
}

// The lines that notes cite are those of the text of the one who asks.
func TestCitedLinesAreOfTheOwnText(t *testing.T) {
	_, first, second := twoViews(t)
	second.Call("aurora/remember", map[string]any{"content": "We decided that a cart is made by NewCart.", "sourceRef": "code:cart.go:NewCart"}, nil)
	for name, e := range map[string]*lsp.Editor{"first": first, "second": second} {
		var records api.RecordsResult
		e.Call("aurora/records", map[string]any{"uri": e.URI("cart.go")}, &records)
		if len(records.Records) != 1 || len(records.Records[0].Hit.Citations) != 1 {
			t.Fatalf("%s: records %+v", name, records.Records)
		}
		line := records.Records[0].Hit.Citations[0].Line
		if lines := strings.Split(e.Content("cart.go"), "\n"); line > len(lines) || !strings.HasPrefix(lines[line-1], "func NewCart()") {
			t.Errorf("%s: line %d", name, line)
		}
	}
}

// A review of the work tree is of the text that its editor has, with the lines of that; one from elsewhere is of what is saved.
func TestReviewIsOfTheOwnText(t *testing.T) {
	w := newWorld(t)
	dir := workspace(t, shop)
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "-q", "-m", "first"}} {
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v, %s", args, err, out)
		}
	}
	first, _ := w.connect(lsp.Config{Dir: dir})
	first.AwaitReady()
	second, _ := w.connect(lsp.Config{Dir: dir})
	third, _ := w.connect(lsp.Config{Dir: dir})
	for _, e := range []*lsp.Editor{first, second} {
		e.OpenFile("cart.go")
	}
	token := "var token = \"ghp_" + strings.Repeat("a1B2c3", 6) + "\"\n"
	end := len(first.Content("cart.go"))
	first.Edit("cart.go", end, end, token)
	first.Edit("cart.go", 0, 0, "// first\n")
	first.Call("aurora/status", nil, nil)
	second.Edit("cart.go", 0, 0, "// second\n// second\n")
	second.Call("aurora/status", nil, nil)
	w.settle()
	for name, of := range map[string]struct {
		editor *lsp.Editor
		lines  int
		secret int
	}{"first": {first, 2, 12}, "second": {second, 2, 0}, "third": {third, 0, 0}} {
		var result api.ReviewResult
		of.editor.Call("aurora/review", nil, &result)
		line := 0
		for _, f := range result.Findings {
			line = f.Line
		}
		if result.Lines != of.lines || line != of.secret {
			t.Errorf("%s: %d lines, a secret in line %d: %+v", name, result.Lines, line, result)
		}
	}
}
