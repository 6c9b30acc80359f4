package engine

import (
	"context"
	"errors"

	"github.com/aurora-sidecar/aurora/engine/journal"
	"github.com/aurora-sidecar/aurora/engine/reason/replay"
)

// A HistoryRequest asks what became of questions: of one, when QueryID is set, else of the newest.
type HistoryRequest struct {
	QueryID string
	journal.Filter
}

// A HistoryResult lists questions, the newest first.
type HistoryResult struct {
	Queries []journal.Entry
	Record  *replay.Record // of the one that was asked for
	Damaged int            // records that can't be read
}

// History returns what became of questions. It fails with NotFound when there is no such question, and with Storage
// when its record can't be read.
func (e *Engine) History(ctx context.Context, r HistoryRequest) (*HistoryResult, error) {
	if e.opts.Journal == nil {
		return &HistoryResult{}, nil
	}
	if r.QueryID == "" {
		list, damaged, err := e.opts.Journal.List(ctx, r.Filter)
		return &HistoryResult{Queries: list, Damaged: damaged}, err
	}
	record, err := replay.Load(ctx, e.opts.Journal, r.QueryID)
	if err != nil {
		return nil, historyError(err)
	}
	return &HistoryResult{Queries: []journal.Entry{record.Entry}, Record: record}, nil
}

// historyError is an error of the history as the doors tell it.
func historyError(err error) error {
	switch {
	case errors.Is(err, journal.ErrNotFound):
		return &Error{Kind: NotFound, Message: err.Error(), Detail: "queryId", Remedy: "See: aurora history"}
	case errors.Is(err, journal.ErrDamaged):
		return &Error{Kind: Storage, Message: err.Error(), Detail: "history", Remedy: "Nothing else depends on it."}
	}
	return err
}
