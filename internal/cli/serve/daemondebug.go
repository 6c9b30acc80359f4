package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/lsp/daemon"
	"github.com/spf13/cobra"
)

// DebugCommand opens the debug page of a daemon that runs.
func DebugCommand(c *app.App) *cobra.Command {
	var address string
	cmd := &cobra.Command{
		Use:   "debug",
		Short: "Serve the debug page of the project's daemon, and print where",
		Long: `Serve a page about the inner workings of the project's daemon on this machine, and print where: its index, its queue
and jobs, the phases of the latest questions, its metrics for a Prometheus, and profiles. It is served until the daemon
ends, to every user of this machine; it shows names of files and figures, no text of a file, a question or an answer.`,
		Example: "  aurora dev debug\n  go tool pprof $(aurora dev debug)debug/pprof/heap",
		Args:    app.UsageArgs(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return openDaemonDebug(cmd.Context(), c, address) },
	}
	cmd.Flags().StringVar(&address, "listen", "127.0.0.1:0", "loopback address; port 0 takes a free one")
	return cmd
}

func openDaemonDebug(ctx context.Context, c *app.App, address string) error {
	if err := workspace.CheckDebug("--listen", address); err != nil {
		return err
	}
	root, err := workspace.ProjectRoot(c, ".")
	if err != nil {
		return err
	}
	p := &workspace.Parts{}
	if err := workspace.LoadSettings(c, p, workspace.Wiring{Root: root}); err != nil {
		return err
	}
	remote, _, err := workspace.FindDaemon(ctx, p, root)
	var stopped *daemon.StoppedError
	if errors.As(err, &stopped) {
		return stopped
	}
	if remote == nil {
		if c.JSON {
			return cmp.Or[error](c.PrintJSON(map[string]any{"url": nil}), app.ErrNothing)
		}
		c.Wrapped("", "No daemon of this project is running.")
		return app.ErrNothing
	}
	where, err := remote.OpenDebug(ctx, address)
	if err != nil {
		return err
	}
	if c.JSON {
		return c.PrintJSON(map[string]string{"url": where})
	}
	_, err = fmt.Fprintln(c.Out, where)
	return err
}
