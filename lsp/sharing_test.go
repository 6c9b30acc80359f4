package lsp_test

import (
	"slices"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/lsp"
)

// Clients with other encodings and capabilities share an index, and with it what none of them has saved.
func TestClientsShareWhatIsNotSaved(t *testing.T) {
	w := newWorld(t)
	writer, left := w.connect(lsp.Config{Dir: workspace(t, shop)})
	writer.AwaitReady()
	reader, _ := w.connect(lsp.Config{Dir: writer.Dir, Capabilities: map[string]any{}, Options: map[string]any{}})
	writer.OpenFile("cart.go")
	writer.Edit("cart.go", 0, 0, "// größe 𐐀\n")
	end := len(writer.Content("cart.go"))
	writer.Edit("cart.go", end, end, "\n/* 𐐀 */ func EmptyCart() {}\n")
	writer.Call("aurora/status", nil, nil)
	w.settle()
	found := func(e *lsp.Editor) api.Range {
		t.Helper()
		var result api.SearchResult
		e.Call("aurora/search", map[string]any{"query": "EmptyCart", "limit": 1}, &result)
		if len(result.Hits) != 1 || result.Hits[0].Name != "EmptyCart" || result.Hits[0].Source != "overlay" {
			t.Fatalf("hits %+v", result.Hits)
		}
		return *result.Hits[0].NameRange
	}
	inBytes, inUTF16 := found(writer), found(reader)
	if writer.Encoding() == reader.Encoding() || inBytes.Start.Line != inUTF16.Start.Line ||
		inBytes.Start.Character-inUTF16.Start.Character != len("𐐀")-2 {
		t.Errorf("in bytes %+v, in UTF-16 %+v", inBytes, inUTF16)
	}
	_ = writer.Hangup()
	<-left
	w.settle()
	if slices.ContainsFunc(reader.Symbols("EmptyCart"), func(s lsp.Symbol) bool { return s.Name == "EmptyCart" }) {
		t.Error("found after its editor left")
	}
}

// The newest edit counts, no matter which of the others closes the document.
func TestTheNewestEditOfADocumentCounts(t *testing.T) {
	w := newWorld(t)
	first := w.open(shop)
	second, _ := w.connect(lsp.Config{Dir: first.Dir})
	third, _ := w.connect(lsp.Config{Dir: first.Dir})
	counts := func(e *lsp.Editor) {
		t.Helper()
		got, err := w.engine.Index().Text(e.Path("cart.go"))
		if err != nil || string(got) != e.Content("cart.go") {
			t.Fatalf("text %q, %v", got, err)
		}
	}
	for _, e := range []*lsp.Editor{first, second} {
		e.OpenFile("cart.go")
		e.Call("aurora/status", nil, nil)
	}
	for range 20 {
		third.OpenFile("cart.go")
		third.Call("aurora/status", nil, nil)
		counts(third)
		second.Edit("cart.go", 0, 0, "// second\n")
		second.Call("aurora/status", nil, nil)
		counts(second)
		third.CloseFile("cart.go")
		third.Call("aurora/status", nil, nil)
		counts(second)
	}
	first.Edit("cart.go", 0, 0, "// first\n")
	first.Call("aurora/status", nil, nil)
	counts(first)
	first.CloseFile("cart.go")
	first.Call("aurora/status", nil, nil)
	counts(second)
}

func TestFoldersOfClientsThatLeft(t *testing.T) {
	w := newWorld(t)
	indexed := func(want ...string) {
		t.Helper()
		got := w.engine.Index().Folders()
		if slices.Sort(want); !slices.Equal(slices.Sorted(slices.Values(got)), want) {
			t.Errorf("indexing %v, want %v", got, want)
		}
	}
	first, code := w.connect(lsp.Config{Dir: workspace(t, shop)})
	first.AwaitReady()
	second, secondCode := w.connect(lsp.Config{Dir: workspace(t, shop)})
	second.AwaitReady()
	indexed(first.Dir, second.Dir)

	early, earlyCode := w.connect(lsp.Config{Raw: true})
	early.Call("initialize", map[string]any{"rootUri": api.FileURI(first.Dir)}, nil)
	_ = early.Hangup() // it never had the folder
	<-earlyCode
	_ = second.Hangup()
	<-secondCode
	indexed(first.Dir)

	_ = first.Hangup()
	<-code
	indexed(first.Dir) // the last one's stay: editors restart

	third, _ := w.connect(lsp.Config{Dir: workspace(t, shop)})
	third.AwaitReady()
	indexed(third.Dir)
}
