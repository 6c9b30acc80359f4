package mcp

import (
	"context"

	"github.com/aurora-sidecar/aurora/engine"
)

// Local is an engine in this process.
func Local(e *engine.Engine) Engine { return local{e} }

// Fixed opens the same workspace for all sessions.
func Fixed(e Engine, root string) Opener {
	w := &Workspace{Engine: e, Root: root}
	return func(context.Context, func(context.Context) []string) (*Workspace, error) { return w, nil }
}

type local struct{ *engine.Engine }

// Flush implements Engine.
func (l local) Flush(ctx context.Context) error { return l.Index().Flush(ctx) }

// Ready implements Engine.
func (l local) Ready(ctx context.Context) error { return l.Index().WaitReady(ctx) }

// Job implements Engine.
func (l local) Job(_ context.Context, id string) (engine.Job, error) { return l.Engine.Job(id) }

// CancelRebuild implements Engine.
func (l local) CancelRebuild(_ context.Context, id string) (engine.Job, error) {
	return l.Engine.CancelRebuild(id)
}
