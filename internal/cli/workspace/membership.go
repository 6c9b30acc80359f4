package workspace

import (
	"context"
	"fmt"
	"time"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/lsp"
)

// joinLimit is how long a daemon may take to welcome an agent.
const joinLimit = 15 * time.Second

// A membership keeps a daemon, and its folder indexed, for as long as this process needs them: to the daemon it is an
// editor that opens no file.
type membership struct {
	*lsp.Membership
	client DaemonClient
}

// newMembership opens a session in the workspace and returns when its folder is known to the daemon.
func newMembership(ctx context.Context, d *workspaceDaemon) (*membership, error) {
	joining, cancel := context.WithTimeout(ctx, joinLimit)
	defer cancel()
	session, err := d.join(joining)
	if err != nil {
		return nil, err
	}
	member, err := lsp.Join(joining, session, d.root, "aurora mcp", app.ReadBuild().Version)
	if err != nil {
		return nil, fmt.Errorf("join the daemon: %w", err)
	}
	return &membership{member, d.DaemonClient}, nil
}
