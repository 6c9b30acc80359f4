package recall

import (
	"context"

	"github.com/aurora-sidecar/aurora/memory"
)

// Recall asks the store for the records of this workspace and of none.
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
	return hits, nil
}

// Decays reports whether a lifespan policy lets a record fade.
func (e *Records) Decays(r *memory.Hit) bool {
	return e.Lifespan != nil && e.Lifespan.Decide(*r, e.Now()).Inactive
}
