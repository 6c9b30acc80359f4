package engine

import (
	"context"

	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/engine/recall"
	"github.com/aurora-sidecar/aurora/memory"
)

// Ledger keeps goals, links of records and outcomes of queries.
func (e *Engine) Ledger() recall.Ledger {
	return recall.Ledger{Store: e.opts.Memory, Project: func() string { return recall.OpenProject(e.records) }}
}

// MemoryTrouble says why memory is not there for those who depend on it: because it is switched off, can't be decrypted or,
// for a change, can't be written to its file. The error is one of Storage.
func (e *Engine) MemoryTrouble(change bool) error {
	switch {
	case e.opts.Memory == nil:
		return &Error{Kind: Storage, Message: "memory is switched off", Remedy: "Set memory.enabled to true, or AURORA_MEMORY_ENABLED=true."}
	case change && e.opts.Journal.Volatile() && e.opts.Journal.Locked() == nil:
		return &Error{Kind: Storage, Message: "memory can't be written to its file; nothing was done", Remedy: "aurora status says why; aurora doctor looks closer."}
	}
	return e.JournalTrouble()
}

// JournalTrouble says why the history and the costs of questions can't be read, nil when they can.
func (e *Engine) JournalTrouble() error {
	if e.opts.Journal.Locked() == nil {
		return nil
	}
	return &Error{Kind: Storage, Message: "memory can't be decrypted; nothing was done", Remedy: "aurora mem encryption says where the key is looked for."}
}

// MemoryUse is what memory holds besides records, and what was asked lately.
type MemoryUse struct {
	Conversations int // whose text is indexed
	Goals         []Goal
	Asked         []memory.MetricSum // lately, by operation
	Practice      *recall.Practice   // nil without memory
}

// MemoryUse tells what memory holds besides records, and sums up what was asked in the last days.
func (e *Engine) MemoryUse(ctx context.Context, days int) (*MemoryUse, error) {
	u, store := &MemoryUse{}, e.opts.Memory
	if store == nil {
		return u, nil
	}
	var err error
	if u.Goals, err = e.Ledger().Goals(ctx); err != nil {
		return nil, err
	}
	if u.Asked, err = store.MetricSums(ctx, e.now().AddDate(0, 0, -days)); err != nil {
		return nil, fault.OfStore(ctx, "sum up what was asked", err)
	}
	if u.Practice, err = e.records.Practice(ctx); err != nil {
		return nil, err
	}
	files, err := store.LoggedFiles(ctx)
	if err != nil {
		return nil, fault.OfStore(ctx, "list conversations", err)
	}
	u.Conversations = len(files)
	return u, nil
}
