package engine

import (
	"context"
	"slices"

	"github.com/aurora-sidecar/aurora/memory"
)

// recall asks the store for the records of this workspace and of none.
func (e *Engine) recall(ctx context.Context, q memory.Query) ([]memory.Hit, error) {
	if e.opts.Memory == nil {
		return nil, nil
	}
	e.syncNotes(ctx)
	hits, err := e.opts.Memory.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	folders := e.opts.Index.Folders()
	hits = slices.DeleteFunc(hits, func(h memory.Hit) bool {
		return h.Workspace != "" && len(folders) > 0 && !slices.Contains(folders, h.Workspace)
	})
	hits = e.dropDeletedNotes(ctx, hits)
	e.checkCitations(ctx, e.opts.Index.Snapshot(), hits)
	return hits, nil
}

// decays reports whether a lifespan policy lets a record fade.
func (e *Engine) decays(r *memory.Hit) bool {
	return e.opts.Lifespan != nil && e.opts.Lifespan.Decide(*r, e.now()).Inactive
}
