package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/httpapi/debugpage"
	"github.com/aurora-sidecar/aurora/internal/loopback"
	"github.com/aurora-sidecar/aurora/lsp/daemon"
	"github.com/spf13/cobra"
)

// callDebug has a daemon serve its debug page at an address; it returns where.
const callDebug = "debug"

// debugUsage says what --debug does.
const debugUsage = "serve a page about the inner workings, metrics and profiles at 127.0.0.1:PORT; 0 takes a free port"

// started is about when this process began.
var started = time.Now()

// A debugDoor serves the debug page of a process, once.
type debugDoor struct {
	mu    sync.Mutex
	where string
	stop  context.CancelFunc
	ended chan error
}

// open serves the page and returns its URL. When it is served already, at whatever address, that is the answer.
func (d *debugDoor) open(ctx context.Context, p *parts, address string) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.where != "" {
		return d.where, nil
	}
	l, err := loopback.Listen(ctx, address)
	if err != nil {
		return "", err
	}
	serving, stop := context.WithCancel(context.WithoutCancel(ctx))
	d.where, d.stop, d.ended = "http://"+l.Addr().String()+"/", stop, make(chan error, 1)
	page := debugpage.New(p.engine, started)
	go func(l net.Listener) { d.ended <- loopback.Serve(serving, l, page.Handler()) }(l)
	p.log.Info("the debug page is served", "at", d.where)
	return d.where, nil
}

// close ends the page and waits for it.
func (d *debugDoor) close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.where == "" {
		return nil
	}
	d.stop()
	d.where = ""
	return <-d.ended
}

// serveDebug serves the page for as long as p is open.
func (c *cli) serveDebug(ctx context.Context, p *parts, address string) error {
	if address == "" {
		return nil
	}
	where, err := p.debug.open(ctx, p, address)
	if err != nil {
		return debugError(err)
	}
	fmt.Fprintf(c.err, "aurora: the debug page is at %s\n", where)
	return nil
}

// debugDaemon has the daemon serve the page.
func (c *cli) debugDaemon(ctx context.Context, place daemon.Place, build, address string) error {
	if address == "" {
		return nil
	}
	var where string
	if err := daemon.Call(ctx, place, build, callDebug, address, &where, nil); err != nil {
		return debugError(err)
	}
	fmt.Fprintf(c.err, "aurora: the debug page is at %s\n", where)
	return nil
}

// checkDebug refuses an address that can't be served before anything else begins.
func checkDebug(flag, address string) error {
	if address == "" {
		return nil
	}
	var refused *loopback.AddressError
	if err := loopback.Check(address); errors.As(err, &refused) {
		return usageError(refused.Remedy, "%s: %s", flag, refused.Message)
	}
	return nil
}

func debugError(err error) error {
	var refused *loopback.AddressError
	if errors.As(err, &refused) {
		return usageError(refused.Remedy, "--debug: %s", refused.Message)
	}
	return failure("Choose another port; 127.0.0.1:0 takes a free one.", fmt.Errorf("serve the debug page: %w", err))
}

// debugCall answers callDebug.
func (p *parts) debugCall() daemon.Handler {
	return plain(func(ctx context.Context, address string) (string, error) {
		return p.debug.open(context.WithoutCancel(ctx), p, address)
	})
}

// daemonDebugCommand opens the debug page of a daemon that runs.
func (c *cli) daemonDebugCommand() *cobra.Command {
	var address string
	cmd := &cobra.Command{
		Use:   "debug",
		Short: "Serve the debug page of the project's daemon, and print where",
		Long: `Serve a page about the inner workings of the project's daemon on this machine, and print where: its index, its queue
and jobs, the phases of the latest questions, its metrics for a Prometheus, and profiles. It is served until the daemon
ends, to every user of this machine; it shows names of files and figures, no text of a file, a question or an answer.`,
		Example: "  aurora daemon debug\n  go tool pprof $(aurora daemon debug)debug/pprof/heap",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return c.openDaemonDebug(cmd.Context(), address) },
	}
	cmd.Flags().StringVar(&address, "listen", "127.0.0.1:0", "loopback address; port 0 takes a free one")
	return cmd
}

func (c *cli) openDaemonDebug(ctx context.Context, address string) error {
	if err := checkDebug("--listen", address); err != nil {
		return err
	}
	root, err := c.projectRoot(".")
	if err != nil {
		return err
	}
	p := &parts{}
	if err := c.loadSettings(p, wiring{root: root}); err != nil {
		return err
	}
	remote, _, err := findDaemon(ctx, p, root)
	var stopped *daemon.StoppedError
	if errors.As(err, &stopped) {
		return stopped
	}
	if remote == nil {
		if c.json {
			return cmp.Or[error](c.printJSON(map[string]any{"url": nil}), errNothing)
		}
		c.wrapped("", "No daemon of this project is running.")
		return errNothing
	}
	var where string
	if err := daemon.Call(ctx, remote.place, remote.build, callDebug, address, &where, nil); err != nil {
		return debugError(err)
	}
	if c.json {
		return c.printJSON(map[string]string{"url": where})
	}
	_, err = fmt.Fprintln(c.out, where)
	return err
}
