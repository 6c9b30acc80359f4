package client

import (
	"context"
	"encoding/json"
	"errors"
)

// Hybrid asks the first engine and, when that one is unavailable, the next: one in this process first, one
// that runs by itself behind it. With Optional, an orchestrator works on without context when none is available.
// Refusals are final: another engine would refuse, too.
type Hybrid struct {
	Engines  []Engine
	Optional bool
}

var _ Engine = Hybrid{}

// ErrNone is that of a Hybrid without engines.
var ErrNone = errors.New("no context engine is configured")

// NoContext is the note of an answer that nobody gave.
const NoContext = "No context engine is available; the work goes on without context."

func first[R any](h Hybrid, ask func(Engine) (R, error)) (result R, err error) {
	err = ErrNone
	for _, e := range h.Engines {
		if result, err = ask(e); !Unavailable(err) {
			return result, err
		}
	}
	return result, err
}

// AddContext implements Engine.
func (h Hybrid) AddContext(ctx context.Context, r AddRequest) (*AddResult, error) {
	return orNothing(h, ctx, &AddResult{Note: NoContext}, func(e Engine) (*AddResult, error) { return e.AddContext(ctx, r) })
}

// DeleteContext implements Engine.
func (h Hybrid) DeleteContext(ctx context.Context, r DeleteRequest) (*DeleteResult, error) {
	return orNothing(h, ctx, &DeleteResult{Note: NoContext}, func(e Engine) (*DeleteResult, error) { return e.DeleteContext(ctx, r) })
}

// QueryContext implements Engine.
func (h Hybrid) QueryContext(ctx context.Context, q Query) (*Answer, error) {
	return orNothing(h, ctx, &Answer{Hits: []Hit{}, Notes: []string{NoContext}}, func(e Engine) (*Answer, error) { return e.QueryContext(ctx, q) })
}

// Stats implements Engine.
func (h Hybrid) Stats(ctx context.Context) (json.RawMessage, error) {
	return orNothing(h, ctx, json.RawMessage(`{"enabled":false}`), func(e Engine) (json.RawMessage, error) { return e.Stats(ctx) })
}

func orNothing[R any](h Hybrid, ctx context.Context, nothing R, ask func(Engine) (R, error)) (R, error) {
	result, err := first(h, ask)
	if h.Optional && Unavailable(err) && ctx.Err() == nil {
		return nothing, nil
	}
	return result, err
}
