package admin

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/lsp/daemon"
)

// daemonWait is how long the daemon may take to tell its status; it is longer than the daemon takes when something hangs in it.
const daemonWait = 15 * time.Second

// checkDaemon asks the daemon of the project, when one runs, whether something hangs in it.
func checkDaemon(ctx context.Context, root string) Finding {
	const name, remedy = "daemon", "Run aurora daemon stop; editors start a new one."
	ctx, cancel := context.WithTimeout(ctx, daemonWait)
	defer cancel()
	client, info, err := workspace.DaemonOf(ctx, root)
	var stopped *daemon.StoppedError
	switch {
	case errors.As(err, &stopped):
		return Finding{name, LevelFail, stopped.Error(), remedy}
	case errors.Is(err, context.DeadlineExceeded):
		return Finding{name, LevelFail, "it does not answer", remedy}
	case client == nil:
		return Finding{Check: name, Level: levelOK, Detail: "none runs for this project"}
	}
	status, err := api.ReadStatus.Call(ctx, *client, &api.StatusParams{})
	if err != nil {
		return Finding{name, LevelFail, fmt.Sprintf("process %d does not tell its status: %s", info.PID, app.Describe(err).Message), remedy}
	}
	if len(status.Warnings) > 0 {
		return Finding{name, levelWarn, display.Clean(strings.Join(status.Warnings, "; ")), "logs/aurora.log in AURORA's folder tells more."}
	}
	return Finding{Check: name, Level: levelOK, Detail: fmt.Sprintf("process %d, %s", info.PID, status.State)}
}
