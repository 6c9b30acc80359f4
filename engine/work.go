package engine

import (
	"context"
	"errors"

	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/internal/workload"
)

// Do runs work for a request in its turn: as few work at a time as there are processors, and a request that does not end is
// given up. The error is work's own, that of the context, or an *Error of kind Busy or Stuck. name is what Status calls it.
func (e *Engine) Do(ctx context.Context, name string, class workload.Class, work func(context.Context) (any, error)) (any, error) {
	result, err := e.requests().Do(ctx, name, class, work)
	var stuck *workload.StuckError
	switch {
	case errors.Is(err, workload.ErrBusy):
		return nil, &fault.Error{Kind: fault.Busy, Message: "too many requests wait already", Remedy: "Ask again in a few seconds, and not so much at once."}
	case errors.As(err, &stuck):
		return nil, &fault.Error{Kind: fault.Stuck, Message: stuck.Error(), Remedy: "Run aurora doctor, and restart the editor if it goes on."}
	}
	return result, err
}

// Slow are sentences about requests that have been running for long. It answers whatever hangs.
func (e *Engine) Slow() []string { return e.requests().Notes() }

func (e *Engine) requests() *workload.Load {
	if e == nil { // an operation that needs none
		return nil
	}
	return e.work
}
