package reason

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/reason/claims"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/engine/usage"
	"github.com/aurora-sidecar/aurora/memory"
)

// measured notes one question and returns its figures, nil when nothing was noted.
func measured(t *testing.T, ctx context.Context, x exchange, failure error) *memory.Metric {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	e := New(Options{Now: time.Now, Log: log, Usage: usage.New(usage.Options{Log: log, Now: time.Now, Agent: "cli"})})
	return e.measure(ctx, &x, failure)
}

func TestMeasure(t *testing.T) {
	half := 0.5
	cited := snippet.Hit{ID: "a", Location: snippet.Location{Path: "a.go"}, Content: snippet.Content{Text: "0123456789ab"}, Relevance: snippet.Relevance{Score: 0.8, Providers: []string{"full_text"}}}
	other := snippet.Hit{ID: "b", Location: snippet.Location{Path: "b.go"}, Content: snippet.Content{Text: "01234567"}, Relevance: snippet.Relevance{Score: 0.4, Providers: []string{"full_text", "semantic"}}}
	record := snippet.Hit{ID: "c", Type: "knowledge", Content: snippet.Content{Text: "0123"}, Relevance: snippet.Relevance{Score: 1}}
	question := exchange{
		library: &evidence.Workspace{Hits: map[string]snippet.Hit{"a": cited, "b": other, "c": record, "d": {ID: "d", Location: snippet.Location{Path: "d.go"}}}, Spent: map[string]time.Duration{"full_text": 3 * time.Millisecond, "semantic": 5 * time.Millisecond, "memory": time.Millisecond}}, account: &llm.Account{},
		state: &soar.State{Conclusion: soar.Conclusion{Claims: claims.Report{Total: 5, Supported: 4}}},
		asked: &QueryResult{
			QueryID: "q", Complexity: "MEDIUM", Citations: []snippet.Hit{cited}, Confidence: 0.9, OverallScore: &half,
			Course: Course{Total: 100 * time.Millisecond, Phases: []Phase{
				{Name: soar.Retrieve, Status: soar.OK, Duration: 20 * time.Millisecond, Percentage: 20.04}, {Name: soar.Collect, Status: soar.Skipped},
			}},
		},
	}
	m := measured(t, t.Context(), question, nil)
	if m == nil || m.Agent != "cli" || m.Outcome != memory.Succeeded || m.Snippets != 4 || m.SnippetsUsed != 1 || m.ContextTokens != 6 || m.UsefulTokens != 3 ||
		m.Unsupported != 1 || *m.Score != half || m.Retrieval != 20*time.Millisecond || len(m.Phases) != 1 || m.Phases[0].Percentage != 20 {
		t.Fatalf("measured %+v", m)
	}
	want := []memory.ProviderShare{
		{Provider: "full_text", Provided: 2, Used: 1, LatencyMs: 3}, {Provider: fromGraph, Provided: 1},
		{Provider: fromMemory, Provided: 1, LatencyMs: 1}, {Provider: "semantic", Provided: 1, LatencyMs: 5},
	}
	if len(m.Providers) != len(want) {
		t.Errorf("providers %+v", m.Providers)
	}
	for i, p := range m.Providers {
		if i >= len(want) || p.Provider != want[i].Provider || p.Provided != want[i].Provided || p.Used != want[i].Used || p.LatencyMs != want[i].LatencyMs {
			t.Errorf("provider %+v", p)
		}
	}
	for outcome, err := range map[string]error{
		memory.Failed: errors.New("boom"), memory.Refused: &soar.Blocked{Message: "no"},
	} {
		if m := measured(t, t.Context(), question, err); m == nil || m.Outcome != outcome {
			t.Errorf("%v: %+v", err, m)
		}
	}
	if m := measured(t, t.Context(), question, &soar.Blocked{Err: errConfirm}); m != nil {
		t.Errorf("a question that waits for leave was noted: %+v", m)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if m := measured(t, ended, question, context.Canceled); m != nil {
		t.Errorf("a cancelled question was noted: %+v", m)
	}
}
