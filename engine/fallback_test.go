package engine

import (
	"slices"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/llm/llmtest"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
)

// TestNoBlankAnswers has each fault happen to an answer that is written directly, to the parts of a plan, and to a question
// that was answered well before: there always is an answer, and one that is not whole says what it is made of.
func TestNoBlankAnswers(t *testing.T) {
	refusal := llmtest.Step{Reply: "I'm sorry, but I can't help with that."}
	whole := []llmtest.Fault{llmtest.Fenced, llmtest.Garbage, llmtest.WrongSchema, llmtest.WrongIDs, llmtest.Injection} // a text, at least
	for _, tt := range []struct {
		name, query, task string
		asked             bool // before, without a fault
		made              []soar.Fallback
	}{
		{"direct", "What is WithTax?", "direct", false, []soar.Fallback{soar.ByIndex, soar.ByPart}},
		{"reviewed", "Compare the cart and the tax", "direct", false, []soar.Fallback{soar.ByIndex, soar.ByPart}},
		{"plan", "Design a cache for WithTax", "decompose", false, []soar.Fallback{soar.ByIndex}},
		{"findings", "Design a cache for WithTax", "synthesize", false, []soar.Fallback{soar.ByFindings}},
		{"second asking", "What is WithTax?", "direct", true, []soar.Fallback{soar.ByIndex, soar.ByPart}},
		{"second plan", "Design a cache for WithTax", "synthesize", true, []soar.Fallback{soar.ByFindings}},
	} {
		w := openWorkspace(t, shop)
		server, _ := w.withModel(ample)
		if tt.asked {
			w.ask(QueryRequest{Query: tt.query})
		}
		steps := []llmtest.Step{refusal}
		for _, fault := range llmtest.Faults {
			if fault != llmtest.Hang { // it waits for a minute; see the tests of package soar
				steps = append(steps, llmtest.Step{Fault: fault, After: 0.01})
			}
		}
		for _, step := range steps {
			server.Reset()
			step.Task = tt.task
			server.Script(step)
			r := w.ask(QueryRequest{Query: tt.query, Fresh: true})
			if strings.TrimSpace(r.Answer) == "" || strings.Contains(r.Answer, refusal.Reply) {
				t.Errorf("%s, %s: answered %q", tt.name, step.Fault, r.Answer)
			}
			isText := slices.Contains(whole, step.Fault)
			if !isText && !slices.Contains(tt.made, r.FellBack) || r.FellBack != "" && (r.Verified || r.ChunkID != "" || len(r.Warnings) == 0 && !strings.HasPrefix(r.Answer, "I have no reliable answer")) {
				t.Errorf("%s, %s: fell back on %q, verified %v, remembered as %q, warned %q", tt.name, step.Fault, r.FellBack, r.Verified, r.ChunkID, r.Warnings)
			}
		}
	}
}
