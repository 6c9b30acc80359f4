package engine

import (
	"context"
	"errors"
	"testing"

	"github.com/aurora-sidecar/aurora/memory"
)

// TestSourceType: what was told and what was written down by a question are told apart; code is neither.
func TestSourceType(t *testing.T) {
	w := openWorkspace(t, map[string]string{"pump.go": "package pump\n\nfunc Pump() {}\n"})
	for source, text := range map[string]string{"memory": "the pump was told", "output": "the pump was answered"} {
		if _, _, err := w.engine.opts.Memory.Remember(context.Background(), memory.Record{Type: memory.Knowledge, Content: text, SourceType: source}); err != nil {
			t.Fatal(err)
		}
	}
	for source, want := range map[string]int{"memory": 1, "output": 1, "goal": 0} {
		r, err := w.engine.Search(context.Background(), SearchRequest{Query: "pump", Scope: Scope{SourceType: source}})
		if err != nil || len(r.Hits) != want {
			t.Errorf("%s: %v, %v", source, err, r)
		}
	}
	_, err := w.engine.Search(context.Background(), SearchRequest{Query: "pump", Scope: Scope{SourceType: "rumour"}})
	var failure *Error
	if !errors.As(err, &failure) || failure.Kind != Invalid {
		t.Errorf("an unknown source type: %v", err)
	}
}

// TestWhyNoSemanticScore: a hit that has no likeness of meaning says why.
func TestWhyNoSemanticScore(t *testing.T) {
	w := openWorkspace(t, map[string]string{"pump.go": "package pump\n\n// Pump moves water.\nfunc Pump() {}\n"})
	r, err := w.engine.Search(context.Background(), SearchRequest{Query: "pump water"})
	if err != nil || len(r.Hits) == 0 {
		t.Fatalf("%v, %+v", err, r)
	}
	for _, h := range r.Hits {
		if (h.Scores.Semantic == nil) != (h.Scores.NoSemantic != "") {
			t.Errorf("%s: score %v, reason %q", h.Name, h.Scores.Semantic, h.Scores.NoSemantic)
		}
	}
}
