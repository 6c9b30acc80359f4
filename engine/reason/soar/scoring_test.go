package soar

import (
	"context"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine/llm/llmtest"
)

// TestWhatAScoreLeadsTo asks the same question with reviews of other scores.
func TestWhatAScoreLeadsTo(t *testing.T) {
	for _, tt := range []struct {
		name     string
		task     string
		score    float64
		calls    int // of what is reviewed
		verified bool
		recorded int
		pattern  bool
	}{
		{"an example for later plans", "verify_synthesis", 0.8, 1, true, 1, true},
		{"good enough", "verify_synthesis", 0.7, 1, true, 1, false},
		{"tried three times", "verify_synthesis", 0.65, 3, false, 1, false},
		{"not worth remembering", "verify_synthesis", 0.45, 3, false, 0, false},
		{"not worth another plan", "verify_decomposition", 0.45, 1, false, 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, 10*time.Second)
			b.server.Script(llmtest.Step{Task: tt.task, Scores: score(tt.score), Issue: "vague"})
			o := b.ask(context.Background(), planned)
			reviewed := map[string]string{"verify_synthesis": "synthesize", "verify_decomposition": "decompose"}[tt.task]
			if o.err != nil || b.tasks()[reviewed] != tt.calls || o.Verified != tt.verified || len(b.ledger.results) != tt.recorded {
				t.Fatalf("%v, calls %v, verified %v (%q), recorded %d", o.err, b.tasks(), o.Verified, o.Warnings, len(b.ledger.results))
			}
			if tt.recorded > 0 && b.ledger.results[0].Pattern != tt.pattern {
				t.Errorf("pattern %v", b.ledger.results[0].Pattern)
			}
		})
	}
}

// TestVerificationByLevel: each level has its review; a question can ask for another one.
func TestVerificationByLevel(t *testing.T) {
	b := newBench(t, 10*time.Second)
	if o := b.ask(context.Background(), planned); o.Option != Self || b.tasks()["critic"] != 0 || b.tasks()["verify_decomposition"] != 1 {
		t.Errorf("%s, calls %v", o.Option, b.tasks())
	}
	b.server.Reset()
	if o := b.ask(context.Background(), Request{Query: mediumQuery, Mode: "soar", Option: Adversarial}); o.Option != Adversarial || b.tasks()["critic"] != 1 || b.tasks()["verify_decomposition"] != 0 {
		t.Errorf("%s, calls %v", o.Option, b.tasks())
	}
	b.server.Reset()
	if o := b.ask(context.Background(), Request{Query: criticalQuery}); o.Option != Debate || b.tasks()["judge"] != 1 {
		t.Errorf("critical: %s, calls %v", o.Option, b.tasks())
	}
	b.server.Reset()
	if o := b.ask(context.Background(), Request{Query: simpleQuery}); !o.Direct || o.Assessment.Level != Simple || b.tasks()["verify_decomposition"] != 0 {
		t.Errorf("a simple question: direct %v, calls %v", o.Direct, b.tasks())
	}
}
