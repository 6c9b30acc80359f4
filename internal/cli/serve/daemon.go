package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/api/jsonrpc"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/lsp"
	"github.com/aurora-sidecar/aurora/lsp/daemon"
	"github.com/spf13/cobra"
)

// DaemonCommands look after the processes that editors share.
func DaemonCommands(c *app.App) *cobra.Command {
	cmd := daemonListCommand(c, "daemon")
	cmd.Short = "List the processes that editors share, or stop them"
	cmd.Long = `List the processes that editors share, or stop them. The editors and commands of a workspace share one process,
which "aurora serve" starts and which ends by itself some minutes after the last editor left. "aurora daemon list" is the same.`
	cmd.Args = app.NoSuchCommand
	cmd.AddCommand(app.Same(daemonListCommand(c, "list"), "daemon"), daemonStopCommand(c), daemonRunCommand(c))
	return cmd
}

func daemonListCommand(c *app.App, name string) *cobra.Command {
	return &cobra.Command{
		Use:   name,
		Short: "List the running daemons",
		Args:  app.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			running, suspended, err := RunningDaemons(cmd.Context())
			if err != nil {
				return err
			}
			for _, s := range suspended {
				c.Warn(s.Error())
			}
			return printDaemons(c, running)
		},
	}
}

// A runningDaemon is a daemon that answered.
type runningDaemon struct {
	Place daemon.Place
	*daemon.Info
}

// RunningDaemons asks at every socket below AURORA's folder, and returns the daemons that answer, the oldest first, and those
// that can't because they are suspended.
func RunningDaemons(ctx context.Context) (running []runningDaemon, suspended []*daemon.StoppedError, err error) {
	home, err := config.Home()
	if err != nil {
		return nil, nil, err
	}
	places, err := daemon.Places(home)
	if err != nil {
		return nil, nil, err
	}
	for _, place := range places {
		var stopped *daemon.StoppedError
		info, err := daemon.Inspect(ctx, place)
		switch {
		case err == nil:
			running = append(running, runningDaemon{place, info})
		case errors.As(err, &stopped):
			suspended = append(suspended, stopped)
		}
	}
	slices.SortFunc(running, func(a, b runningDaemon) int { return a.Since.Compare(b.Since) })
	return running, suspended, ctx.Err()
}

func printDaemons(c *app.App, running []runningDaemon) error {
	if c.JSON {
		infos := []*daemon.Info{}
		for _, d := range running {
			infos = append(infos, d.Info)
		}
		return app.Found(len(infos), c.PrintJSON(infos))
	}
	if len(running) == 0 {
		c.Wrapped("", "No daemon is running.")
		return app.ErrNothing
	}
	table := display.Table{Columns: []display.Column{
		{Title: "Process"}, {Title: "Since"}, {Title: "Editors"}, {Title: "Project", Min: 8, Left: true},
	}}
	for _, d := range running {
		table.Rows = append(table.Rows, []string{
			strconv.Itoa(d.PID), display.Ago(d.Since, c.Now()), strconv.Itoa(d.Clients), display.Clean(d.Root),
		})
	}
	c.Notes(c.PrintTable(table))
	return nil
}

func daemonStopCommand(c *app.App) *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use:   "stop",
		Short: "Stop the daemons of the project, or all of them",
		Long: `Stop the daemons of the project, or with --all those of every project. An editor that uses one is told that
its language server has ended; when it starts the server again, a new daemon is started.`,
		Args: app.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return stopDaemons(cmd.Context(), c, all) },
	}
	cmd.Flags().BoolVar(&all, "all", false, "those of every project")
	return cmd
}

func stopDaemons(ctx context.Context, c *app.App, all bool) error {
	root := ""
	if !all {
		var err error
		if root, err = workspace.ProjectRoot(c, "."); err != nil {
			return err
		}
	}
	running, suspended, err := RunningDaemons(ctx)
	if err != nil {
		return err
	}
	for _, s := range suspended { // whose they are, only they know
		c.Warn(s.Error())
	}
	stopped := 0
	for _, d := range running {
		if !all && d.Root != root && !slices.Contains(d.Folders, root) {
			continue
		}
		if _, err := daemon.Stop(ctx, d.Place); err != nil {
			return app.Failure(fmt.Sprintf("End it by force: kill -9 %d", d.PID), err)
		}
		stopped++
		if !c.JSON {
			c.Wrapped("", fmt.Sprintf("Stopped the daemon of %s (process %d).", d.Root, d.PID))
		}
	}
	if c.JSON {
		return app.Found(stopped, c.PrintJSON(map[string]int{"stopped": stopped}))
	}
	if stopped == 0 {
		if len(suspended) == 0 {
			c.Wrapped("", "No daemon was running.")
		}
		return app.ErrNothing
	}
	return nil
}

// daemonRunCommand is the daemon itself; "aurora serve" starts it.
func daemonRunCommand(c *app.App) *cobra.Command {
	var socket, root, logLevel string
	cmd := &cobra.Command{
		Use:    "run",
		Short:  "Run the daemon of a workspace",
		Hidden: true,
		Args:   app.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runDaemon(cmd.Context(), c, socket, workspace.Wiring{Root: root, LogLevel: logLevel, Server: true})
		},
	}
	cmd.Flags().StringVar(&socket, "socket", "", "where clients meet it")
	cmd.Flags().StringVar(&root, "root", "", "the folder whose settings count")
	cmd.Flags().StringVar(&logLevel, "log-level", "", "debug, info, warn or error")
	return cmd
}

// runDaemon serves until nobody needs it. It is no error that another daemon was quicker.
func runDaemon(ctx context.Context, c *app.App, socket string, w workspace.Wiring) error {
	signal.Ignore(syscall.SIGPIPE)
	takeStdout(c)
	build, err := workspace.BuildID()
	if err != nil {
		return err
	}
	place, err := daemon.PlaceOf(socket)
	if err != nil {
		return app.UsageError("", "--socket: %w", err)
	}
	listener, err := daemon.Listen(ctx, place)
	if errors.Is(err, daemon.ErrTaken) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(serveDaemon(ctx, c, listener, w, build), listener.Close())
}

func serveDaemon(ctx context.Context, c *app.App, listener *daemon.Listener, w workspace.Wiring, build string) error {
	p, err := workspace.Wire(ctx, c, w)
	if err != nil {
		return err
	}
	p.LogWarnings()
	logCrashes(p)
	err = lsp.ServeDaemon(ctx, listener, p.ServerOptions(), daemon.Service{
		Build: build, Root: w.Root, Idle: time.Duration(p.Settings.LSP.Daemon.IdleSeconds) * time.Second,
		Operations: func(ctx context.Context, conn io.ReadWriteCloser) {
			jsonrpc.Serve(ctx, conn, p.Operations(), api.Local(p.Engine), p.Log)
		},
	})
	err = errors.Join(err, p.Close())
	if err != nil {
		p.Log.Error("the daemon ended badly", "err", err)
	}
	return err
}

// logCrashes makes the runtime write its last words to the log file: nobody reads a daemon's standard error.
func logCrashes(p *workspace.Parts) {
	if p.Settings.Logging.File == "" {
		return
	}
	file, err := os.OpenFile(p.Settings.Logging.File, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		err = errors.Join(debug.SetCrashOutput(file, debug.CrashOptions{}), file.Close())
	}
	if err != nil {
		p.Log.Warn("a crash will not be logged", "err", err)
	}
}
