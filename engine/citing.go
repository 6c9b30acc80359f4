package engine

import (
	"context"
	"slices"

	"github.com/aurora-sidecar/aurora/memory"
)

// citing returns the memory records about a hit: those that cite its id or one of the others, or a line of its range.
func (e *Engine) citing(ctx context.Context, hit Hit, ids []string) ([]memory.Hit, error) {
	if hit.Path == "" {
		return nil, nil
	}
	found, err := e.recall(ctx, memory.Query{Refs: append(slices.Clone(ids), hit.Path), Limit: 50})
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(found, func(r memory.Hit) bool { return !cites(r, hit, ids) }), nil
}

func cites(r memory.Hit, hit Hit, ids []string) bool {
	if slices.Contains(ids, r.SourceRef) || slices.ContainsFunc(r.Tags, func(t string) bool { return slices.Contains(ids, t) }) {
		return true
	}
	path, line := splitRef(r.SourceRef)
	return path == hit.Path && hit.Range != nil && hit.Range.Start.Line < line && line <= hit.Range.End.Line+1
}
