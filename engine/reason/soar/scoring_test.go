package soar

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine/llm/llmtest"
)

// TestThresholdsAreSettings asks the same question under other thresholds, retries and weights.
func TestThresholdsAreSettings(t *testing.T) {
	half := llmtest.Step{Task: "verify_synthesis", Scores: score(0.65), Issue: "vague"}
	for _, tt := range []struct {
		name     string
		set      func(*Scoring)
		step     llmtest.Step
		task     string
		calls    int
		verified bool
		recorded int
		pattern  bool
	}{
		{"a lower score passes", func(s *Scoring) { s.Pass = 0.6 }, half, "synthesize", 1, true, 1, false},
		{"a higher score does not", func(s *Scoring) { s.Pass = 0.9 }, llmtest.Step{Task: "verify_synthesis", Scores: score(0.85), Issue: "dates"}, "synthesize", 3, false, 1, false},
		{"no retries", func(s *Scoring) { s.MaxRetries = 0 }, half, "synthesize", 1, false, 1, false},
		{"five of them", func(s *Scoring) { s.MaxRetries = 5 }, half, "synthesize", 6, false, 1, false},
		{"not worth another plan", func(s *Scoring) { s.Retry = 0.66 }, llmtest.Step{Task: "verify_decomposition", Scores: score(0.65), Issue: "thin"}, "decompose", 1, false, 0, false},
		{"not worth remembering", func(s *Scoring) { s.Keep = 0.66 }, half, "synthesize", 3, false, 0, false},
		{"a pattern from 0.6 on", func(s *Scoring) { s.Pass, s.Pattern = 0.6, 0.6 }, half, "synthesize", 1, true, 1, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, 10*time.Second)
			s := DefaultScoring()
			tt.set(&s)
			b.opts.Scoring = s
			b.server.Script(tt.step)
			o := b.ask(context.Background(), Request{Query: mediumQuery})
			if o.err != nil || b.tasks()[tt.task] != tt.calls || o.Verified != tt.verified || len(b.ledger.results) != tt.recorded {
				t.Fatalf("%v, calls %v, verified %v (%q), recorded %d", o.err, b.tasks(), o.Verified, o.Warnings, len(b.ledger.results))
			}
			if tt.recorded > 0 && b.ledger.results[0].Pattern != tt.pattern {
				t.Errorf("pattern %v", b.ledger.results[0].Pattern)
			}
		})
	}
}

// TestOneCheckCounts: a check that counts nothing changes nothing.
func TestOneCheckCounts(t *testing.T) {
	s := DefaultScoring()
	s.Answer = map[string]float64{"addresses_query": 0, "calibrated": 1}
	r := &Review{Checks: map[string]Check{"addresses_query": {}, "calibrated": {Score: 0.8}}}
	if s.settle(r, s.Answer, nil); r.Overall != 0.8 || r.Verdict != Pass || r.Checks["addresses_query"].Pass {
		t.Errorf("%+v", r)
	}
}

// TestPromptsTellTheThresholds: models score by the thresholds that count.
func TestPromptsTellTheThresholds(t *testing.T) {
	b := newBench(t, 10*time.Second)
	s := DefaultScoring()
	s.Pass, s.Retry, s.Pattern = 0.85, 0.4, 0.95
	b.opts.Scoring = s
	b.ask(context.Background(), Request{Query: mediumQuery})
	var all strings.Builder
	for _, c := range b.server.Calls() {
		all.WriteString(c.Text())
	}
	for _, want := range []string{"0.9-1.0 excellent; 0.85-0.9 good", "0.4-0.85 needs improvement", "A check passes at 0.85.", "overall score of 0.95 or more"} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("no prompt says %q", want)
		}
	}
}

// TestVerificationByLevel: each level has the review that is set for it; a question can ask for another one.
func TestVerificationByLevel(t *testing.T) {
	set := func(b *bench, level Level, option Option) {
		s := DefaultScoring()
		s.Options[level] = option
		b.opts.Scoring = s
	}
	b := newBench(t, 10*time.Second)
	set(b, Medium, Adversarial)
	if o := b.ask(context.Background(), Request{Query: mediumQuery}); o.Option != Adversarial || b.tasks()["critic"] != 1 || b.tasks()["verify_decomposition"] != 0 {
		t.Errorf("%s, calls %v", o.Option, b.tasks())
	}
	b.server.Reset()
	if o := b.ask(context.Background(), Request{Query: mediumQuery, Option: Self}); o.Option != Self || b.tasks()["critic"] != 0 {
		t.Errorf("%s, calls %v", o.Option, b.tasks())
	}
	b.server.Reset()
	set(b, Critical, Self)
	if o := b.ask(context.Background(), Request{Query: criticalQuery}); o.Option != Self || b.tasks()["judge"] != 0 {
		t.Errorf("critical: %s, calls %v", o.Option, b.tasks())
	}
	b.server.Reset()
	set(b, Simple, Self)
	if o := b.ask(context.Background(), Request{Query: simpleQuery}); o.Direct || o.Assessment.Level != Simple || !o.Verified || b.tasks()["verify_decomposition"] != 1 {
		t.Errorf("a simple question: direct %v, verified %v, calls %v", o.Direct, o.Verified, b.tasks())
	}
}
