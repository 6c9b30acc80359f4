package engine

import (
	"context"
	"slices"

	"github.com/aurora-sidecar/aurora/memory"
)

// Recall asks the store for the records of this workspace and of none.
func (e *records) Recall(ctx context.Context, q memory.Query) ([]memory.Hit, error) {
	if e.store == nil {
		return nil, nil
	}
	e.syncNotes(ctx)
	hits, err := e.store.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	folders := e.index.Folders()
	hits = slices.DeleteFunc(hits, func(h memory.Hit) bool {
		return h.Workspace != "" && len(folders) > 0 && !slices.Contains(folders, h.Workspace)
	})
	hits = e.dropDeletedNotes(ctx, hits)
	e.checkCitations(ctx, e.index.Snapshot(), hits)
	return hits, nil
}

// Decays reports whether a lifespan policy lets a record fade.
func (e *records) Decays(r *memory.Hit) bool {
	return e.lifespan != nil && e.lifespan.Decide(*r, e.now()).Inactive
}
