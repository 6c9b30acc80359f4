package engine

import (
	"context"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/journal"
	"github.com/aurora-sidecar/aurora/engine/llm/llmtest"
)

// TestDifficultQuestions has questions fail: from the third on they are worked on harder, in a new process, too, until
// one passes.
func TestDifficultQuestions(t *testing.T) {
	w := openWorkspace(t, shop)
	server, _ := w.withModel(ample)
	w.keepJournal(journal.Options{})
	ask := func(query string) string {
		t.Helper()
		r, err := w.engine.Query(context.Background(), QueryRequest{Query: query, Mode: "soar", Force: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r.Complexity
	}
	server.Script(llmtest.Step{Task: "verify_decomposition", Scores: new(float64), Issue: "off the point"})
	for range 2 {
		if level := ask("Compare the cart and the tax"); level != "MEDIUM" {
			t.Errorf("at first it is %s", level)
		}
	}
	w.engine.wire() // as after a restart
	if level := ask("compare the tax and the cart"); level != "COMPLEX" {
		t.Errorf("after two failures it is %s", level)
	}
	if level := ask("Compare the cart and the order"); level != "MEDIUM" {
		t.Errorf("another question is %s", level)
	}
	if level := ask("Compare the cart and the tax"); level != "MEDIUM" {
		t.Errorf("after one that passed it is %s", level)
	}
}

func TestTokensAreTold(t *testing.T) {
	w := openWorkspace(t, shop)
	w.withModel(ample)
	r, err := w.engine.Query(context.Background(), QueryRequest{Query: "Compare the cart and the tax", Mode: "soar"}, nil)
	if err != nil || r.Tokens.Agents == 0 || r.Tokens.Reasoning <= r.Tokens.Agents || r.Tokens.Agents+r.Tokens.Reasoning != r.Cost.PromptTokens+r.Cost.CompletionTokens {
		t.Errorf("%+v of %+v, %v", r.Tokens, r.Cost, err)
	}
	if a, err := w.engine.Reasoner().Assess(context.Background(), "design a cache", Caller{}); err != nil || a.Verification != "adversarial" {
		t.Errorf("%+v, %v", a, err)
	}
	if _, err := w.engine.Query(context.Background(), QueryRequest{Query: "what is it", Assess: "dice"}, nil); err == nil {
		t.Error("an unknown assessor was taken")
	}
}
