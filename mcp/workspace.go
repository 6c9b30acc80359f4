package mcp

import (
	"context"

	"github.com/aurora-sidecar/aurora/internal/api"
)

// A Workspace is what a session works on.
type Workspace struct {
	Backend api.Backend // over an engine in this process, or in the daemon of the workspace
	Root    string      // canonical folder; every path has to lie in it
	Sample  bool        // questions may go to the model of the client's host (llm.mode mcp_integrated)
}

// An Opener finds the workspace of a session, before each of its requests. roots asks the client for the folders that it
// works on, nil when it does not tell; only an opener that knows no folder by itself needs to.
type Opener func(ctx context.Context, roots func(context.Context) []string) (*Workspace, error)

// Fixed opens the same workspace for all sessions.
func Fixed(b api.Backend, root string) Opener {
	w := &Workspace{Backend: b, Root: root}
	return func(context.Context, func(context.Context) []string) (*Workspace, error) { return w, nil }
}
