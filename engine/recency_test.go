package engine

import (
	"log/slog"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/index/git"
)

// TestRecentCodeComesFirst holds that age counts as much as it is asked to, that only what is committed is old, and that
// an exact name stays first.
func TestRecentCodeComesFirst(t *testing.T) {
	w := newWorkspace(t, map[string]string{
		"a/order.go":  "package a\n\n// OrderPayout pays the refund of an order.\nfunc OrderPayout() {}\n",
		"b/parcel.go": "package b\n\n// ParcelPayout pays the refund of a parcel.\nfunc ParcelPayout() {}\n",
	})
	w.git("init", "-q", "-b", "main")
	w.clock = time.Now().AddDate(0, -4, 0)
	w.git("add", "a")
	w.git("commit", "-q", "-m", "Pay back")
	w.clock = time.Now().Add(-time.Hour)
	w.git("add", "b")
	w.git("commit", "-q", "-m", "Pay for parcels")
	w.open()
	first := func(query string, bias float64) string {
		t.Helper()
		hits := w.search(SearchRequest{Query: query, Scope: Scope{RecencyBias: bias}}).Hits
		if len(hits) < 2 {
			t.Fatalf("%s: %v", query, names(hits))
		}
		return hits[0].Name
	}
	if got := first("how does the refund work", 0); got != "OrderPayout" {
		t.Errorf("%s is first without a bias, OrderPayout is not", got)
	}
	if got := first("how does the refund work", 1); got != "ParcelPayout" {
		t.Errorf("%s is first with a bias, what changed an hour ago is not", got)
	}
	if got := w.search(SearchRequest{Query: "OrderPayout", Scope: Scope{RecencyBias: 1}}).Hits; got[0].Name != "OrderPayout" {
		t.Errorf("asked for by name: %v", names(got))
	}
	w.write("a/order.go", "package a\n\n// OrderPayout pays the refund of an order.\nfunc OrderPayout() { }\n")
	if _, err := w.engine.Indexing().Refresh(w.Context(), []string{w.path("a/order.go")}, true); err != nil {
		t.Fatal(err)
	}
	w.wait()
	if got := first("how does the refund work", 1); got != "OrderPayout" {
		t.Errorf("%s is first, what was just edited is not", got)
	}
}

func TestAgeWithoutGitCountsForNothing(t *testing.T) {
	w := newWorkspace(t, shop)
	w.open()
	plain := w.search(SearchRequest{Query: "add the tax to a price"})
	biased := w.search(SearchRequest{Query: "add the tax to a price", Scope: Scope{RecencyBias: 1}})
	if !slices.Equal(names(plain.Hits), names(biased.Hits)) || !strings.Contains(strings.Join(biased.Notes, " "), "the age of code did not count") {
		t.Errorf("%v became %v, notes %q", names(plain.Hits), names(biased.Hits), biased.Notes)
	}
}

// TestFailedBlameIsLogged holds that a broken repository costs the ages, is told in the log, and nothing else.
func TestFailedBlameIsLogged(t *testing.T) {
	w := openWorkspace(t, shop)
	if err := os.WriteFile(w.path(".git/index"), []byte("no index"), 0o600); err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	w.engine.log = slog.New(slog.NewTextHandler(&log, nil))
	w.engine.wire()
	if g := w.hitWithGit("WithTax").Git; g.State != string(git.Unavailable) {
		t.Errorf("git says %+v", g)
	}
	if !strings.Contains(log.String(), "level=WARN") || !strings.Contains(log.String(), "Git blame failed for price/tax.go: ") {
		t.Errorf("the log says %s", log.String())
	}
}
