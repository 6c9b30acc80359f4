package engine

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/memory"
)

// reasons returns why the review lists records, by their ids.
func (w *testWorkspace) reasons() map[string]string {
	w.Helper()
	entries, total, err := w.engine.Memory().ListRecords(context.Background(), "review", 100)
	if err != nil || total != len(entries) {
		w.Fatalf("%d of %d, %v", len(entries), total, err)
	}
	reasons := map[string]string{}
	for _, e := range entries {
		reasons[e.ID] = strings.Join(e.Review, "; ")
	}
	return reasons
}

func (w *testWorkspace) revise(id string, r Revision) {
	w.Helper()
	if got, err := w.engine.Memory().Revise(context.Background(), id, r); err != nil || got != id {
		w.Fatalf("revise %s: %s, %v", id, got, err)
	}
}

func TestWhatNeedsAReviewIsListedUntilAPersonAccepts(t *testing.T) {
	w := openWorkspace(t, shop)
	s := w.selection("price/tax.go", "func WithTax")
	own := w.remember(RememberRequest{Content: "Prices are in cents"})
	opposite := w.remember(RememberRequest{Content: "Prices are in euros"})
	byAgent := w.remember(RememberRequest{Content: "Carts are emptied at night", Agent: "coder"})
	stale := w.remember(RememberRequest{Content: "Tax is added last", Select: &s})
	if got := w.reasons(); len(got) != 1 || got[byAgent] != "new, by the agent coder" {
		t.Errorf("%v", got)
	}
	if err := w.relate(opposite, own, memory.Contradicts); err != nil {
		t.Fatal(err)
	}
	w.write("price/tax.go", "package price\n\n// WithTax adds nothing.\nfunc WithTax(cents int) int {\n\tpanic(\"another text altogether\")\n}\n")
	w.refresh()
	got := w.reasons()
	if len(got) != 3 || !strings.Contains(got[own], "contradicted by "+opposite) || !strings.Contains(got[stale], "has changed") {
		t.Errorf("%v", got)
	}
	for id := range got {
		w.revise(id, Revision{Accept: true})
	}
	if got := w.reasons(); len(got) != 0 {
		t.Errorf("accepted, and still to be reviewed: %v", got)
	}
	for i := range 20 { // also within the millisecond of the acceptance
		text := fmt.Sprintf("Carts are emptied at %d o'clock", i)
		w.revise(byAgent, Revision{Content: &text, Agent: "other"})
		if got := w.reasons(); len(got) != 1 || got[byAgent] != "new, by the agent other" {
			t.Fatalf("changed by an agent: %v", got)
		}
		w.revise(byAgent, Revision{Accept: true})
	}
}

func TestAnEditKeepsTheFormerTextAndTheCitations(t *testing.T) {
	w := openWorkspace(t, shop)
	s := w.selection("price/tax.go", "func WithTax")
	id := w.remember(RememberRequest{Content: "Tax is added last", Select: &s})
	for _, text := range []string{"Tax is added first", "Tax is added once"} {
		w.revise(id, Revision{Content: &text})
	}
	a, err := w.engine.Memory().Account(context.Background(), id)
	if err != nil || len(a.Versions) != 2 || a.Versions[0].Content != "Tax is added first" || a.Versions[1].Content != "Tax is added last" {
		t.Fatalf("%+v, %v", a, err)
	}
	if a.Content != "Tax is added once" || len(a.Citations) != 1 || a.Citations[0].State != memory.Valid {
		t.Errorf("%q cites %+v", a.Content, a.Citations)
	}
	if hits := recallOf(w, "tax first", 0).Hits; len(hits) != 0 && strings.Contains(hits[0].Text, "first") {
		t.Errorf("the former text is found: %+v", hits[0])
	}
}
