package engine

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine/journal"
)

// tooLate is when a question that was cancelled must have ended, on the busiest machine: what it waits for takes longer.
const tooLate = 20 * time.Second

// TestCancelBetweenModels ends a question as each of its events comes, so in each phase, those without a model included.
func TestCancelBetweenModels(t *testing.T) {
	w := openWorkspace(t, shop)
	w.withModel(ample)
	w.keepJournal(journal.Options{})
	ask := func(stop int) (events int, took time.Duration, err error) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		var at time.Time
		_, err = w.engine.Query(ctx, QueryRequest{Query: "Design a cache for WithTax", Adaptive: true, Force: true}, func(Progress) {
			if events++; events == stop {
				at = time.Now()
				cancel()
			}
		})
		return events, time.Since(at), err
	}
	whole, _, err := ask(-1)
	if err != nil || whole < 20 {
		t.Fatalf("%d events, %v", whole, err)
	}
	for stop := 1; stop < whole-2; stop++ { // what is cancelled when it is done, is done
		if _, took, err := ask(stop); !errors.Is(err, context.Canceled) || took > tooLate {
			t.Errorf("at event %d of %d: %v after %v", stop, whole, err, took)
		}
	}
	if r, err := w.engine.History(context.Background(), HistoryRequest{}); err != nil || len(r.Queries) != 1 {
		t.Errorf("the history has %d questions, %v", len(r.Queries), err)
	}
}
