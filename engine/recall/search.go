package recall

import (
	"cmp"
	"context"
	"slices"

	"github.com/aurora-sidecar/aurora/memory"
)

// Recall asks the store for the records of this workspace and of none. Without words to rank them by, those that something is
// said against come last. What is superseded is among them, and says so.
func (e *Records) Recall(ctx context.Context, q memory.Query) ([]memory.Hit, error) {
	if e.Store == nil {
		return nil, nil
	}
	e.SyncNotes(ctx)
	q.Workspaces = e.Scope(ctx)
	hits, err := e.Store.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	hits = e.dropDeletedNotes(ctx, hits)
	e.CheckCitations(ctx, e.Index.Snapshot(), hits)
	for i := range hits {
		hits[i].Standing.Fades = e.Decays(&hits[i])
	}
	if q.Text == "" {
		slices.SortStableFunc(hits, func(a, b memory.Hit) int { return cmp.Compare(b.Standing.Share(), a.Standing.Share()) })
	}
	return hits, nil
}

// current leaves out the records that others have superseded, which answers show instead.
func current(hits []memory.Hit) []memory.Hit {
	return slices.DeleteFunc(hits, func(h memory.Hit) bool { return h.Standing.IsSuperseded() })
}

// Decays reports whether a lifespan policy lets a record fade.
func (e *Records) Decays(r *memory.Hit) bool {
	return e.Lifespan != nil && e.Lifespan.Decide(*r, e.Now()).Inactive
}
