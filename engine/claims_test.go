package engine

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/budget"
	"github.com/aurora-sidecar/aurora/engine/llm/llmtest"
	"github.com/aurora-sidecar/aurora/engine/reason"
	"github.com/aurora-sidecar/aurora/prompts"
)

// TestFalseClaimsAreNamed has a model answer directly, with sources that hold all the words of what it says wrongly.
func TestFalseClaimsAreNamed(t *testing.T) {
	w := openWorkspace(t, shop)
	server, _ := w.withModel(budget.Limits{})
	for _, c := range []struct{ reply, problem string }{
		{"`TotalPrice` calls `WithTax` [S1].", ""},
		{"`WithTax` calls `TotalPrice` [S1].", "`WithTax` does not call `TotalPrice`"},
		{"`TotalPrice` never calls `WithTax` [S1].", "`TotalPrice` does call `WithTax`"},
		{"`TotalPrice` is defined in price/tax.go [S1].", "`TotalPrice` is not in price/tax.go"},
	} {
		server.Reset()
		server.Script(llmtest.Step{Task: prompts.Direct, Reply: c.reply})
		r := w.query(QueryRequest{Query: "What does `Cart.TotalPrice` call?", Mode: "direct"})
		warned := strings.Join(r.Warnings, "\n")
		if c.problem == "" && (strings.Contains(warned, "Check this") || r.Confidence != 1) {
			t.Errorf("%s: confidence %v, warnings %s", c.reply, r.Confidence, warned)
		}
		if c.problem != "" && (!strings.Contains(warned, "Check this: "+c.problem) || r.Confidence != 0) {
			t.Errorf("%s: confidence %v, warnings %s", c.reply, r.Confidence, warned)
		}
	}
}

// TestReviewersSeeWhatIsCited looks for the code behind the citations in what a reviewing model reads.
func TestReviewersSeeWhatIsCited(t *testing.T) {
	w := openWorkspace(t, shop)
	server, _ := w.withModel(budget.Limits{})
	r := w.query(QueryRequest{Query: "Compare the cart and the tax", Mode: "soar"})
	if !r.Verified {
		t.Errorf("warnings %q", r.Warnings)
	}
	for _, c := range server.Calls() {
		if c.Task != prompts.VerifySynthesis && c.Task != prompts.VerifyAgentOutput {
			continue
		}
		if _, cited, _ := strings.Cut(c.Text(), "Sources:"); !strings.Contains(cited, "<aurora:source") || !strings.Contains(cited, "WithTax") {
			t.Errorf("%s: %s", c.Task, c.Text())
		}
	}
}

// TestForeignWorkIsLookedUp has a plan and a text that somebody else made held against the workspace, without a model.
func TestForeignWorkIsLookedUp(t *testing.T) {
	w := openWorkspace(t, shop)
	verify := func(r reason.VerifyRequest) string {
		r.Query = "How is a price computed?"
		v, err := w.engine.Reasoner().Verify(t.Context(), r, nil)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(v.Review.Issues(), "\n")
	}
	plan := func(first string) json.RawMessage {
		return json.RawMessage(`{"given":[{"id":"G1","fact":"a price is computed","source":"query"}],"goal":{"description":"explain it","success_criteria":["sources"]},
			"subgoals":[{"id":"SG1","description":"` + first + `","requires":["G1"],"agent":"llm-executor","depends_on":[]},
			{"id":"SG2","description":"explain the sum","requires":["G1"],"agent":"llm-executor","depends_on":["SG1"]}],"execution_order":["SG1","SG2"],"parallelizable":[]}`)
	}
	for _, c := range []struct {
		r       reason.VerifyRequest
		problem string
	}{
		{reason.VerifyRequest{Plan: plan("read price/tax.go")}, ""},
		{reason.VerifyRequest{Plan: plan("read price/vat.go")}, "SG1: there is no file price/vat.go"},
		{reason.VerifyRequest{Plan: plan("read `WithDiscountApplied`")}, "SG1: nothing in the workspace is called `WithDiscountApplied`"},
		{reason.VerifyRequest{Output: "`WithTax` (price/tax.go:4) multiplies by 119."}, ""},
		{reason.VerifyRequest{Output: "`AddItem` (price/tax.go:4) multiplies by 119."}, "the cited source does not hold `AddItem`"},
		{reason.VerifyRequest{Output: "`WithTax` (price/tax.go:400) multiplies by 119."}, "price/tax.go has no line 400"},
	} {
		if issues := verify(c.r); c.problem == "" && issues != "" || !strings.Contains(issues, c.problem) {
			t.Errorf("%s%s: %q, want %q", c.r.Plan, c.r.Output, issues, c.problem)
		}
	}
}
