package workspace

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/httpapi/debugpage"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/loopback"
)

// DebugParams are the parameters of debug.
type DebugParams struct {
	Address string `json:"address"`
}

// DebugResult is the result of debug.
type DebugResult struct {
	URL string `json:"url"`
}

// debugOperation has a daemon serve its debug page at an address. It is for commands of its own build only.
func debugOperation(open func(ctx context.Context, address string) (string, error)) api.Op[DebugParams, DebugResult] {
	return api.Define(api.Operation{Name: "debug", Title: "Debug page", Doc: "Serve the debug page, and tell where."},
		func(ctx context.Context, _ *api.Call, p *DebugParams) (*DebugResult, error) {
			where, err := open(ctx, p.Address)
			return &DebugResult{where}, err
		})
}

// OpenDebug has the daemon serve its debug page, and returns where.
func (d *DaemonClient) OpenDebug(ctx context.Context, address string) (string, error) {
	opened, err := debugOperation(nil).Call(ctx, commandOf(d.Backend()), &DebugParams{address})
	if err != nil {
		return "", DebugError(err)
	}
	return opened.URL, nil
}

// DebugUsage says what --debug does.
const DebugUsage = "serve a page about the inner workings, metrics and profiles at 127.0.0.1:PORT; 0 takes a free port"

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
func (d *debugDoor) open(ctx context.Context, p *Parts, address string) (string, error) {
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
	page := debugpage.New(p.Engine, started)
	go func(l net.Listener) { d.ended <- loopback.Serve(serving, l, page.Handler()) }(l)
	p.Log.Info("the debug page is served", "at", d.where)
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

// ServeDebug serves the page for as long as p is open.
func ServeDebug(ctx context.Context, c *app.App, p *Parts, address string) error {
	if address == "" {
		return nil
	}
	where, err := p.debug.open(ctx, p, address)
	if err != nil {
		return DebugError(err)
	}
	fmt.Fprintf(c.Err, "aurora: the debug page is at %s\n", where)
	return nil
}

// DebugDaemon has the daemon serve the page.
func DebugDaemon(ctx context.Context, c *app.App, d *DaemonClient, address string) error {
	if address == "" {
		return nil
	}
	where, err := d.OpenDebug(ctx, address)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.Err, "aurora: the debug page is at %s\n", where)
	return nil
}

// CheckDebug refuses an address that can't be served before anything else begins.
func CheckDebug(flag, address string) error {
	if address == "" {
		return nil
	}
	var refused *loopback.AddressError
	if err := loopback.Check(address); errors.As(err, &refused) {
		return app.UsageError(refused.Remedy, "%s: %s", flag, refused.Message)
	}
	return nil
}

// DebugError says what to do about an address that can't be served.
func DebugError(err error) error {
	var refused *loopback.AddressError
	if errors.As(err, &refused) {
		return app.UsageError(refused.Remedy, "--debug: %s", refused.Message)
	}
	return app.Failure("Choose another port; 127.0.0.1:0 takes a free one.", fmt.Errorf("serve the debug page: %w", err))
}
