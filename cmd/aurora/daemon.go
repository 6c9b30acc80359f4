package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/aurora-sidecar/aurora/cmd/aurora/internal/display"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/lsp"
	"github.com/aurora-sidecar/aurora/lsp/daemon"
	"github.com/spf13/cobra"
)

// daemonCommands look after the processes that editors share.
func (c *cli) daemonCommands() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "daemon",
		Short: "List and stop the processes that editors share",
		Long: `List and stop the processes that editors share. The editors and commands of a workspace share one process,
which "aurora serve" starts and which ends by itself some minutes after the last editor left.`,
		Args: noSuchCommand,
		RunE: showHelp, Annotations: onlyGroups,
	}
	cmd.AddCommand(c.daemonListCommand(), c.daemonStopCommand(), c.daemonDebugCommand(), c.daemonRunCommand())
	return cmd
}

func (c *cli) daemonListCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the running daemons",
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			running, suspended, err := runningDaemons(cmd.Context())
			if err != nil {
				return err
			}
			for _, s := range suspended {
				c.warn(s.Error())
			}
			return c.printDaemons(running)
		},
	}
}

// A runningDaemon is a daemon that answered.
type runningDaemon struct {
	place daemon.Place
	*daemon.Info
}

// runningDaemons asks at every socket below AURORA's folder, and returns the daemons that answer, the oldest first, and those
// that can't because they are suspended.
func runningDaemons(ctx context.Context) (running []runningDaemon, suspended []*daemon.StoppedError, err error) {
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

func (c *cli) printDaemons(running []runningDaemon) error {
	if c.json {
		infos := []*daemon.Info{}
		for _, d := range running {
			infos = append(infos, d.Info)
		}
		return c.printJSON(infos)
	}
	if len(running) == 0 {
		c.wrapped("", "No daemon is running.")
		return errNothing
	}
	table := display.Table{Columns: []display.Column{
		{Title: "Process"}, {Title: "Since"}, {Title: "Editors"}, {Title: "Project", Min: 8, Left: true},
	}}
	for _, d := range running {
		table.Rows = append(table.Rows, []string{
			strconv.Itoa(d.PID), display.Ago(d.Since, c.now()), strconv.Itoa(d.Clients), display.Clean(d.Root),
		})
	}
	c.notes(c.printTable(table))
	return nil
}

func (c *cli) daemonStopCommand() *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use:   "stop",
		Short: "Stop the daemons of the project, or all of them",
		Long: `Stop the daemons of the project, or with --all those of every project. An editor that uses one is told that
its language server has ended; when it starts the server again, a new daemon is started.`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return c.stopDaemons(cmd.Context(), all) },
	}
	cmd.Flags().BoolVar(&all, "all", false, "those of every project")
	return cmd
}

func (c *cli) stopDaemons(ctx context.Context, all bool) error {
	root := ""
	if !all {
		var err error
		if root, err = c.projectRoot("."); err != nil {
			return err
		}
	}
	running, suspended, err := runningDaemons(ctx)
	if err != nil {
		return err
	}
	for _, s := range suspended { // whose they are, only they know
		c.warn(s.Error())
	}
	stopped := 0
	for _, d := range running {
		if !all && d.Root != root && !slices.Contains(d.Folders, root) {
			continue
		}
		if _, err := daemon.Stop(ctx, d.place); err != nil {
			return failure(fmt.Sprintf("End it by force: kill -9 %d", d.PID), err)
		}
		stopped++
		if !c.json {
			c.wrapped("", fmt.Sprintf("Stopped the daemon of %s (process %d).", d.Root, d.PID))
		}
	}
	if c.json {
		return c.printJSON(map[string]int{"stopped": stopped})
	}
	if stopped == 0 {
		if len(suspended) == 0 {
			c.wrapped("", "No daemon was running.")
		}
		return errNothing
	}
	return nil
}

// daemonRunCommand is the daemon itself; "aurora serve" starts it.
func (c *cli) daemonRunCommand() *cobra.Command {
	var socket, root, logLevel string
	cmd := &cobra.Command{
		Use:    "run",
		Short:  "Be the daemon of a workspace",
		Hidden: true,
		Args:   usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.runDaemon(cmd.Context(), socket, wiring{root: root, logLevel: logLevel, server: true})
		},
	}
	cmd.Flags().StringVar(&socket, "socket", "", "where clients meet it")
	cmd.Flags().StringVar(&root, "root", "", "the folder whose settings count")
	cmd.Flags().StringVar(&logLevel, "log-level", "", "debug, info, warn or error")
	return cmd
}

// runDaemon serves until nobody needs it. It is no error that another daemon was quicker.
func (c *cli) runDaemon(ctx context.Context, socket string, w wiring) error {
	signal.Ignore(syscall.SIGPIPE)
	c.takeStdout()
	build, err := buildID()
	if err != nil {
		return err
	}
	place, err := daemon.PlaceOf(socket)
	if err != nil {
		return usageError("", "--socket: %w", err)
	}
	listener, err := daemon.Listen(ctx, place)
	if errors.Is(err, daemon.ErrTaken) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(c.serveDaemon(ctx, listener, w, build), listener.Close())
}

func (c *cli) serveDaemon(ctx context.Context, listener *daemon.Listener, w wiring, build string) error {
	p, err := c.wire(ctx, w)
	if err != nil {
		return err
	}
	p.logWarnings()
	p.logCrashes()
	calls := p.calls()
	maps.Copy(calls, p.agentCalls())
	calls[callDebug] = p.debugCall()
	err = lsp.ServeDaemon(ctx, listener, p.serverOptions(lsp.Options{}), daemon.Service{
		Build: build, Root: w.root, Idle: time.Duration(p.settings.LSP.Daemon.IdleSeconds) * time.Second, Calls: calls,
	})
	err = errors.Join(err, p.close())
	if err != nil {
		p.log.Error("the daemon ended badly", "err", err)
	}
	return err
}

// logCrashes makes the runtime write its last words to the log file: nobody reads a daemon's standard error.
func (p *parts) logCrashes() {
	if p.settings.Logging.File == "" {
		return
	}
	file, err := os.OpenFile(p.settings.Logging.File, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		err = errors.Join(debug.SetCrashOutput(file, debug.CrashOptions{}), file.Close())
	}
	if err != nil {
		p.log.Warn("a crash will not be logged", "err", err)
	}
}
