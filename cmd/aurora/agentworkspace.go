package main

import (
	"context"
	"errors"
	"sync"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/mcp"
)

// An agentWorkspace is the workspace of an MCP server. Like an editor it joins the daemon of its folder, which it starts
// when there is none, and so sees what editors have not saved; it joins again when the daemon has ended, or when the
// settings have changed and with them the daemon. Where no daemon can serve, an engine of this process does.
type agentWorkspace struct {
	cli        *cli
	root       string // "" until a client tells its folders
	noRoot     error  // why there is no root yet
	logLevel   string
	standalone bool
	debug      string          // where the debug page is served; "" for nowhere
	living     context.Context // until the MCP server ends
	warming    sync.WaitGroup

	mu       sync.Mutex
	foothold *foothold
	alone    *parts
}

// warmUp begins to index before the first request, when it is known what.
func (a *agentWorkspace) warmUp() {
	if a.root != "" {
		a.warming.Go(func() { _, _ = a.open(a.living, nil) }) // the first request meets the same error and tells it
	}
}

// open implements mcp.Opener.
func (a *agentWorkspace) open(ctx context.Context, roots func(context.Context) []string) (*mcp.Workspace, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.chooseRoot(ctx, roots); err != nil {
		return nil, err
	}
	if a.alone == nil && !a.standalone {
		m, err := a.join(ctx)
		if err == nil {
			return &mcp.Workspace{Engine: agentEngine{&m.remoteEngine}, Root: a.root, Sample: m.sample}, nil
		}
		if ctx.Err() != nil {
			return nil, err
		}
		defer a.sayAlone(err)
	}
	if a.alone == nil {
		p, err := a.cli.wire(a.living, wiring{root: a.root, folders: []string{a.root}, logLevel: a.logLevel, server: true})
		if err != nil {
			return nil, err
		}
		p.logWarnings()
		a.alone = p
		if err := a.cli.serveDebug(a.living, p, a.debug); err != nil {
			a.cli.warn(err.Error())
		}
	}
	return &mcp.Workspace{Engine: mcp.Local(a.alone.engine), Root: a.root, Sample: a.alone.settings.LLM.Mode == "mcp_integrated"}, nil
}

// chooseRoot takes the client's first folder when nobody named one.
func (a *agentWorkspace) chooseRoot(ctx context.Context, roots func(context.Context) []string) error {
	if a.root != "" {
		return nil
	}
	for _, folder := range roots(ctx) {
		if root, err := checkRoot(folder); err == nil {
			a.root = root
			return nil
		}
	}
	return &engine.Error{
		Kind: engine.NotIndexed, Message: "no project: " + a.noRoot.Error(),
		Remedy: "Tell the user to start the MCP server with --project DIR, or in the project's folder.",
	}
}

// join returns the daemon of the moment, with a foothold in it.
func (a *agentWorkspace) join(ctx context.Context) (*meeting, error) {
	m, err := a.cli.meetingOf(workspace{root: a.root, folders: []string{a.root}}, a.logLevel)
	if err != nil {
		return nil, err
	}
	if a.foothold != nil && (a.foothold.gone() || a.foothold.at != m.place) {
		a.foothold.close()
		a.foothold = nil
	}
	if a.foothold == nil {
		if a.foothold, err = stepInto(ctx, m); err != nil {
			return nil, err
		}
		if err := a.cli.debugDaemon(ctx, m.place, m.build, a.debug); err != nil {
			a.cli.warn(err.Error())
		}
	}
	return m, nil
}

// sayAlone notes once why no daemon serves.
func (a *agentWorkspace) sayAlone(why error) {
	if a.alone != nil {
		a.alone.log.Info("no daemon serves; this process does, alone", "why", why)
	}
}

// close leaves the daemon, or ends the engine of this process.
func (a *agentWorkspace) close() error {
	a.warming.Wait()
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.foothold != nil {
		a.foothold.close()
		a.foothold = nil
	}
	var errs []error
	if a.alone != nil {
		errs = append(errs, a.alone.close())
		a.alone = nil
	}
	return errors.Join(errs...)
}
