package workspace

import (
	"context"
	"errors"
	"sync"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/mcp"
)

// An AgentWorkspace is the workspace of an MCP server. Like an editor it joins the daemon of its folder, which it starts
// when there is none, and so sees what editors have not saved; it joins again when the daemon has ended, or when the
// settings have changed and with them the daemon. Where no daemon can serve, an engine of this process does.
type AgentWorkspace struct {
	Cli        *app.App
	Root       string // "" until a client tells its folders
	NoRoot     error  // why there is no root yet
	LogLevel   string
	Standalone bool
	Debug      string          // where the debug page is served; "" for nowhere
	Living     context.Context // until the MCP server ends
	warming    sync.WaitGroup

	mu       sync.Mutex
	foothold *foothold
	alone    *Parts
}

// WarmUp begins to index before the first request, when it is known what.
func (a *AgentWorkspace) WarmUp() {
	if a.Root != "" {
		a.warming.Go(func() { _, _ = a.Open(a.Living, nil) }) // the first request meets the same error and tells it
	}
}

// Open implements mcp.Opener.
func (a *AgentWorkspace) Open(ctx context.Context, roots func(context.Context) []string) (*mcp.Workspace, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.chooseRoot(ctx, roots); err != nil {
		return nil, err
	}
	if a.alone == nil && !a.Standalone {
		m, err := a.join(ctx)
		if err == nil {
			return &mcp.Workspace{Engine: AgentEngine{&m.RemoteEngine}, Root: a.Root, Sample: m.sample}, nil
		}
		if ctx.Err() != nil {
			return nil, err
		}
		defer a.sayAlone(err)
	}
	if a.alone == nil {
		p, err := Wire(a.Living, a.Cli, Wiring{Root: a.Root, Folders: []string{a.Root}, LogLevel: a.LogLevel, Server: true})
		if err != nil {
			return nil, err
		}
		p.LogWarnings()
		a.alone = p
		if err := ServeDebug(a.Living, a.Cli, p, a.Debug); err != nil {
			a.Cli.Warn(err.Error())
		}
	}
	return &mcp.Workspace{Engine: mcp.Local(a.alone.Engine), Root: a.Root, Sample: a.alone.Settings.LLM.Mode == "mcp_integrated"}, nil
}

// chooseRoot takes the client's first folder when nobody named one.
func (a *AgentWorkspace) chooseRoot(ctx context.Context, roots func(context.Context) []string) error {
	if a.Root != "" {
		return nil
	}
	for _, folder := range roots(ctx) {
		if root, err := CheckRoot(folder); err == nil {
			a.Root = root
			return nil
		}
	}
	return &engine.Error{
		Kind: engine.NotIndexed, Message: "no project: " + a.NoRoot.Error(),
		Remedy: "Tell the user to start the MCP server with --project DIR, or in the project's folder.",
	}
}

// join returns the daemon of the moment, with a foothold in it.
func (a *AgentWorkspace) join(ctx context.Context) (*meeting, error) {
	m, err := meetingOf(a.Cli, Workspace{Root: a.Root, Folders: []string{a.Root}}, a.LogLevel)
	if err != nil {
		return nil, err
	}
	if a.foothold != nil && (a.foothold.gone() || a.foothold.at != m.Place) {
		a.foothold.close()
		a.foothold = nil
	}
	if a.foothold == nil {
		if a.foothold, err = stepInto(ctx, m); err != nil {
			return nil, err
		}
		if err := DebugDaemon(ctx, a.Cli, m.Place, m.Build, a.Debug); err != nil {
			a.Cli.Warn(err.Error())
		}
	}
	return m, nil
}

// sayAlone notes once why no daemon serves.
func (a *AgentWorkspace) sayAlone(why error) {
	if a.alone != nil {
		a.alone.Log.Info("no daemon serves; this process does, alone", "why", why)
	}
}

// Close leaves the daemon, or ends the engine of this process.
func (a *AgentWorkspace) Close() error {
	a.warming.Wait()
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.foothold != nil {
		a.foothold.close()
		a.foothold = nil
	}
	var errs []error
	if a.alone != nil {
		errs = append(errs, a.alone.Close())
		a.alone = nil
	}
	return errors.Join(errs...)
}
