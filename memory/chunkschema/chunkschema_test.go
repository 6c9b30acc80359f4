package chunkschema

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/memory"
)

const (
	code = `{"id":"code:pay/cart.go:Total","type":"code","content":{"file":"pay/cart.go","function":"Total","line_start":4,"line_end":9,
		"dependencies":["code:pay/tax.go:Rate"],"imports":["fmt"],"calls":["Rate"],"ast_summary":{"complexity":"low","branches":1,"loops":1}},
		"metadata":{"language":"go","last_modified":"2026-01-02T03:04:05Z","keywords":["total"],"domain":"data"}}`
	reasoning = `{"id":"reas:pay-flow:v3","type":"reasoning","content":{"pattern":"pay-setup","original_query":"Add payments","complexity":"complex",
		"subgoals":[{"id":"SG1","description":"Read the docs","agent":"researcher"}],"tool_sequence":["grep","edit"],"success_score":0.92},
		"metadata":{"timestamp":"2026-01-02T03:04:05Z","total_cost_usd":0.02,"semantic_role":"pay-pattern"},
		"governance":{"compliance_tags":["tested"],"lifespan_policy":"conditional","retention_rules":[{"if":"score > 0.5","then":"retain_for_30_days"}]},
		"conversation_log_reference":{"date":"2026-01-02","file":"pay.md","section":"Phase 3","line_range":[5,9]},"later":{"x":[1]}}`
	knowledge = `{"id":"know:pay:charges:create","type":"knowledge","content":{"topic":"Charges","summary":"How to charge","facts":[{"id":"F1",
		"statement":"Amounts are cents"}],"sources":["https://example.com"],"confidence":0.85},"metadata":{"acquired":"2026-01-02T03:04:05Z"}}`
)

func TestRecords(t *testing.T) {
	if err := Validate([]byte(code)); err != nil {
		t.Error(err)
	}
	if _, err := Record([]byte(code)); !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), "made by the index") {
		t.Errorf("a chunk of code: %v", err)
	}
	r, err := Record([]byte(reasoning))
	if err != nil || r.ID != "reas:pay-flow:v3" || !r.Pattern || *r.SuccessScore != 0.92 || r.Title != "pay-setup" || r.CreatedAt.Year() != 2026 ||
		!slices.Equal(r.Tags, []string{"tested"}) || !strings.Contains(r.Content, "Read the docs (researcher)") || !strings.Contains(string(r.Chunk), `"later"`) {
		t.Errorf("%+v, %v", r, err)
	}
	r, err = Record([]byte(knowledge))
	if err != nil || *r.Confidence != 0.85 || r.Title != "Charges" || !strings.Contains(r.Content, "- Amounts are cents") {
		t.Errorf("%+v, %v", r, err)
	}
	for score, want := range map[string]bool{"0.5": false, "0.79": false, "0.8": true} {
		if r, err := Record([]byte(strings.Replace(reasoning, "0.92", score, 1))); err != nil || r.Pattern != want {
			t.Errorf("score %s: pattern %v, %v", score, r.Pattern, err)
		}
	}
	if _, err := Record([]byte(strings.Replace(reasoning, "0.92", "0.49", 1))); !errors.Is(err, ErrNotKept) {
		t.Errorf("a bad run: %v", err)
	}
}

func TestBadChunks(t *testing.T) {
	for _, test := range []struct{ text, old, instead, want string }{
		{code, `"type":"code"`, `"type":"rumour"`, `"rumour"`},
		{code, `"line_start":4`, `"line_start":0`, "/content/line_start"},
		{code, `code:pay`, `know:pay`, "/id"},
		{code, `2026-01-02T03:04:05Z`, `yesterday`, "/metadata/last_modified"},
		{reasoning, `0.92`, `1.5`, "/content/success_score"},
		{reasoning, `0.92`, `"high"`, "/content/success_score"},
		{reasoning, `"pattern":"pay-setup",`, ``, "pattern"},
		{reasoning, `retain_for_30_days`, `delete_everything`, "/governance/retention_rules/0/then"},
		{reasoning, `"conditional"`, `"sometimes"`, "/governance/lifespan_policy"},
		{reasoning, `"2026-01-02","file"`, `"2026-13-45","file"`, "/conversation_log_reference/date"},
		{reasoning, `[5,9]`, `[5]`, "/conversation_log_reference/line_range"},
		{knowledge, `"statement":`, `"claim":`, "statement"},
		{knowledge, `"Charges"`, `""`, "/content/topic"},
		{knowledge, `{`, ``, "no JSON"},
	} {
		text := strings.Replace(test.text, test.old, test.instead, 1)
		if text == test.text {
			t.Fatalf("%s does not occur", test.old)
		}
		if _, err := Record([]byte(text)); !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.instead, err, test.want)
		}
	}
}
