package engine

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/llm/llmtest"
	"github.com/aurora-sidecar/aurora/prompts"
)

var reviewed = []ReviewedFinding{
	{Rule: "caller-not-updated", Path: "tax/bill.go", Line: 7, Text: "Sum calls Round with 1 argument, and it takes 2 now.\nit took 1; confidence of the call 0.95"},
	{Rule: "touched-note", Path: "tax/tax.go", Line: 4, Text: "A note is about this: Rates come from the law.\nknow:rates, 3 days ago"},
}

// What no finding says is left out, whatever the model cites for it.
func TestReviewSummaryKeepsWhatFindingsBearOut(t *testing.T) {
	w := newFaultWorld(t, "")
	w.server.Script(llmtest.Step{Task: prompts.ReviewSummary, Times: 1, Reply: `{"sentences":[
		{"text":"` + "`Sum` still calls `Round` with 1 argument, and a note says that rates come from the law." + `","sources":["S1","S2"]},
		{"text":"` + "`Sum` calls `Round` with 1 argument." + `","sources":["S2"]},
		{"text":"` + "`Total` calls `Round` with 1 argument." + `","sources":["S1"]},
		{"text":"It took 1 argument before, at tax/bill.go:99.","sources":["S1"]},
		{"text":"This change is safe and can be merged without risk.","sources":["S1"]},
		{"text":"A note is about this.","sources":["S9"]},
		{"text":"A note is about this.","sources":[]},
		{"text":"","sources":["S1"]}]}`})
	got, err := w.engine.Reasoner().SummarizeReview(context.Background(), reviewed, Caller{})
	if err != nil || len(got.Sentences) != 1 || got.Dropped != 7 || !slices.Equal(got.Sentences[0].Findings, []int{0, 1}) || got.Cost.Calls != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	if w.spent() <= 0 || math.Abs(w.spent()-got.Cost.USD) > 1e-9 {
		t.Errorf("the account took $%v, the summary says $%v", w.spent(), got.Cost.USD)
	}
	if got, err := w.engine.Reasoner().SummarizeReview(context.Background(), nil, Caller{}); err != nil || len(got.Sentences) != 0 || got.Cost.Calls != 0 {
		t.Errorf("of no findings: %+v, %v", got, err)
	}
}

// TestEveryFaultInReviewSummary plants each fault: there is a summary of what was found, or a clear error.
func TestEveryFaultInReviewSummary(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	w := newFaultWorld(t, "")
	for _, flaw := range llmtest.Faults {
		t.Run(string(flaw), func(t *testing.T) {
			w.plant(prompts.ReviewSummary, flaw, nil)
			got, err := w.engine.Reasoner().SummarizeReview(context.Background(), reviewed, Caller{})
			if err != nil {
				var failure *Error
				if !errors.As(err, &failure) || failure.Kind != LLMUnavailable || failure.Remedy == "" {
					t.Errorf("error %v", err)
				}
				return
			}
			for _, s := range got.Sentences {
				if len(s.Findings) == 0 || len(s.Text) > 400 {
					t.Errorf("%+v", s)
				}
			}
		})
	}
}

// Personal data in a note goes to no model.
func TestReviewSummaryRedacts(t *testing.T) {
	w := newFaultWorld(t, "")
	found := []ReviewedFinding{{Rule: "touched-note", Path: "a.go", Line: 1, Text: "A note is about this: ask ada@example.com about it."}}
	if _, err := w.engine.Reasoner().SummarizeReview(context.Background(), found, Caller{}); err != nil {
		t.Fatal(err)
	}
	for _, c := range w.server.Calls() {
		if strings.Contains(c.Text(), "ada@example.com") {
			t.Errorf("the model was sent %q", c.Text())
		}
	}
	w.rewire(func(o *Options) { o.Models.PII = "reject" })
	if _, err := w.engine.Reasoner().SummarizeReview(context.Background(), found, Caller{}); err == nil {
		t.Error("nothing was refused")
	}
}
