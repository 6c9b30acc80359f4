package recall

import (
	"context"

	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/memory"
)

// A Ledger keeps what records are for, what links them, and how queries went.
type Ledger struct {
	Store interface { // nil without a memory
		memory.Ledger
		Relate(ctx context.Context, links []memory.Link) error
		Learn(ctx context.Context, o memory.Outcome) (memory.Learned, error)
		Remember(ctx context.Context, r memory.Record) (saved memory.Record, created bool, err error)
	}
	Project func() string // what a result belongs to that is remembered
}

// Goals lists all goals, none without a store.
func (l Ledger) Goals(ctx context.Context) ([]memory.Goal, error) {
	if l.Store == nil {
		return nil, nil
	}
	goals, err := l.Store.Goals(ctx)
	if err != nil {
		return nil, fault.OfStore(ctx, "list goals", err)
	}
	return goals, nil
}

// SetGoal changes the title or the status of a goal, or makes it. It fails with Invalid on an unknown status.
func (l Ledger) SetGoal(ctx context.Context, g memory.Goal) error {
	return l.change(ctx, "change a goal", func() error { return l.Store.SetGoal(ctx, g) })
}

// Relate links records with each other or with code. It fails with Invalid on a link without ends or with a weight outside 0..1.
func (l Ledger) Relate(ctx context.Context, links []memory.Link) error {
	return l.change(ctx, "link records", func() error { return l.Store.Relate(ctx, links) })
}

// Outcome learns how well a query went: what helped becomes more active. A result is remembered as reasoning when the score
// is good enough. It fails with Invalid on a score outside 0..1.
func (l Ledger) Outcome(ctx context.Context, o memory.Outcome, result string) (learned memory.Learned, err error) {
	err = l.change(ctx, "learn", func() error {
		if learned, err = l.Store.Learn(ctx, o); err != nil || !learned.Cached || result == "" {
			return err
		}
		_, _, err := l.Store.Remember(ctx, memory.Record{
			Type: memory.Reasoning, Title: o.Query, Content: o.Query + "\n\n" + result, SourceType: "output", Workspace: l.Project(),
			Quality: memory.Quality{SuccessScore: &o.Score, Pattern: learned.Pattern},
		})
		return err
	})
	return learned, err
}

// change fails with Storage when there is no store.
func (l Ledger) change(ctx context.Context, operation string, do func() error) error {
	if l.Store == nil {
		return &fault.Error{Kind: fault.Storage, Message: "there is no memory"}
	}
	if err := do(); err != nil {
		return fault.OfStore(ctx, operation, err)
	}
	return nil
}
