package recall

import (
	"context"
	"errors"
	"fmt"

	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/memory"
)

// Records returns the memory records that are most active in this workspace, at most limit. Superseded ones are left out:
// hidden says how many of the most active those were.
func (e *Records) Records(ctx context.Context, limit int) (hits []snippet.Hit, hidden int, err error) {
	limit, _, err = fault.CheckLimit(limit)
	if err != nil {
		return nil, 0, err
	}
	var records []memory.Hit
	for asked, full := limit, true; full && len(records) < limit; asked *= 2 {
		found, err := e.Recall(ctx, memory.Query{Limit: asked})
		if err != nil {
			return nil, 0, fault.OfStore(ctx, "list records", err)
		}
		total := len(found)
		records = current(found)
		hidden, full = total-len(records), total == asked
	}
	records = records[:min(limit, len(records))]
	hits = make([]snippet.Hit, len(records))
	for i := range records {
		hits[i] = snippet.OfRecord(&records[i])
	}
	return hits, hidden, nil
}

// Record returns one memory record. It fails with Invalid when there is none with that id.
func (e *Records) Record(ctx context.Context, id string) (*snippet.Hit, error) {
	unknown := &fault.Error{
		Kind: fault.NotFound, Message: fmt.Sprintf("no memory record is called %.100q", id), Detail: "id", Remedy: "Search memory for it.",
	}
	if e.Store == nil {
		return nil, unknown
	}
	record, err := e.Store.Get(ctx, id)
	if errors.Is(err, memory.ErrNotFound) {
		return nil, unknown
	}
	if err != nil {
		return nil, fault.OfStore(ctx, "read a record", err)
	}
	hit := snippet.OfRecord(&record)
	return &hit, nil
}
