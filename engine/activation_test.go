package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// openSettled has three files that answer one question equally well. The second changed with open.go in four commits, the third
// alone and most of all.
func openSettled(t *testing.T) *testWorkspace {
	w := newWorkspace(t, map[string]string{})
	w.git("init", "-q", "-b", "main")
	payout := func(name string, n int) {
		w.write(name+"/payout.go", fmt.Sprintf("package %s\n\n// %[2]s pays the refund out.\nfunc %[2]s() {}\n\nconst round = %d\n", name, strings.ToUpper(name[:1])+name[1:]+"Payout", n))
	}
	for i := range 9 {
		if i == 0 {
			payout("alpha", i)
		}
		if i < 4 {
			w.write("open/open.go", fmt.Sprintf("package open\n\nconst round = %d\n", i))
			payout("beta", i)
		}
		if i == 0 || i >= 4 {
			payout("gamma", i)
		}
		w.git("add", ".")
		w.git("commit", "-q", "-m", fmt.Sprint("round ", i))
	}
	w.open()
	return w
}

func TestOpenFileBringsWhatChangesWithIt(t *testing.T) {
	w := openSettled(t)
	find := func(r SearchRequest) []string {
		t.Helper()
		return names(w.search(r).Hits)
	}
	words := SearchRequest{Query: "how is the refund paid out", Explain: true}
	plain := find(words)
	if plain[0] != "alpha/payout.go:AlphaPayout" {
		t.Fatalf("by words alone: %v", plain)
	}
	words.Open = w.path("open/open.go")
	hits := w.search(words).Hits
	if hits[0].Name != "BetaPayout" || !strings.Contains(hits[0].Explanation, "changes with the open file 1.00") {
		t.Errorf("with open.go open: %v, %s", names(hits), hits[0].Explanation)
	}
	words.Open = ""
	if got := find(words); got[0] != "gamma/payout.go:GammaPayout" {
		t.Errorf("with a known history and nothing open: %v", got)
	}
	words.From = w.path("open/open.go")
	if got := find(words); got[0] != "beta/payout.go:BetaPayout" {
		t.Errorf("from open.go: %v", got)
	}
	if got := find(SearchRequest{Query: "AlphaPayout", Open: w.path("open/open.go")}); got[0] != "alpha/payout.go:AlphaPayout" {
		t.Errorf("asked for by name: %v", got)
	}
}

// TestOpenFileBringsNotes holds that notes on what changes with the open file come earlier.
func TestOpenFileBringsNotes(t *testing.T) {
	w := openSettled(t)
	for _, folder := range []string{"beta", "alpha"} {
		r := RememberRequest{Content: "Refunds are paid out once a week, says " + folder + ".", SourceRef: folder + "/payout.go:3"}
		if _, _, err := w.engine.Memory().Remember(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	r := SearchRequest{Query: "when are refunds paid out", Explain: true, Scope: Scope{Types: []string{"knowledge"}}}
	first := func() Hit {
		t.Helper()
		hits := w.search(r).Hits
		if len(hits) == 0 {
			t.Fatalf("found %v", names(hits))
		}
		return hits[0]
	}
	if h := first(); !strings.Contains(h.Text, "alpha") {
		t.Fatalf("nothing open: %q", h.Text)
	}
	r.Open = w.path("open/open.go")
	if h := first(); !strings.Contains(h.Text, "beta") || !strings.Contains(h.Explanation, "changes with the open file 1.00") {
		t.Errorf("with open.go open: %q, %s", h.Text, h.Explanation)
	}
	r.Open, r.From = "", w.path("open/open.go") // as an editor's request says
	if h := first(); !strings.Contains(h.Text, "beta") {
		t.Errorf("from open.go: %q", h.Text)
	}
}

// TestOpenFileWithoutHistory holds that nothing changes where git tells nothing.
func TestOpenFileWithoutHistory(t *testing.T) {
	w := newWorkspace(t, shop)
	w.open()
	plain := w.search(SearchRequest{Query: "add the tax to a price"})
	open := w.search(SearchRequest{Query: "add the tax to a price", Open: w.path("cart/cart.go")})
	if !slices.Equal(names(plain.Hits), names(open.Hits)) || !slices.Equal(plain.Notes, open.Notes) || plain.Hits[0].Score != open.Hits[0].Score {
		t.Errorf("%v became %v, notes %q", names(plain.Hits), names(open.Hits), open.Notes)
	}
}

// TestContextForWork holds that what changes with the selected file has a place in the context before what does not.
func TestContextForWork(t *testing.T) {
	w := openSettled(t)
	at := w.path("open/open.go")
	r, err := w.engine.Context(w.Context(), ContextRequest{Query: "how is the refund paid out", Select: &Selection{Path: at}, K: 2})
	if err != nil {
		t.Fatal(err)
	}
	if got := names(r.Snippets); !slices.Contains(got, "beta/payout.go:BetaPayout") || slices.Contains(got, "alpha/payout.go:AlphaPayout") {
		t.Errorf("the context has %v", got)
	}
}
