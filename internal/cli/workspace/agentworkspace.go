package workspace

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/api"
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

	mu     sync.Mutex
	member *membership
	alone  *Parts
	lonely error     // why no daemon serves
	retry  time.Time // when one is looked for again
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
	if w, err := a.shared(ctx); w != nil || err != nil {
		return w, err
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
		if a.lonely != nil {
			p.Log.Info("no daemon serves; this process does, alone", "why", a.lonely)
		}
	}
	return &mcp.Workspace{Backend: api.Local(a.alone.Engine), Root: a.Root, Sample: a.alone.Settings.LLM.Mode == "mcp_integrated"}, nil
}

// retryAfter is how long this process serves alone before it looks for a daemon again.
const retryAfter = time.Minute

// shared returns the workspace of a daemon; nil when none serves. Then this process does, for a while: what made the
// daemon end may be over soon.
func (a *AgentWorkspace) shared(ctx context.Context) (*mcp.Workspace, error) {
	if a.Standalone || time.Now().Before(a.retry) {
		return nil, nil
	}
	d, err := a.join(ctx)
	if ctx.Err() != nil {
		return nil, cmp.Or(err, ctx.Err())
	}
	if a.lonely = err; err != nil {
		a.retry = time.Now().Add(retryAfter)
		return nil, nil
	}
	a.retire()
	return &mcp.Workspace{Backend: d.Backend(), Root: a.Root, Sample: d.sample}, nil
}

// retire ends the engine of this process once the requests that it is answering have had time to end.
func (a *AgentWorkspace) retire() {
	alone := a.alone
	if alone == nil {
		return
	}
	a.alone = nil
	a.warming.Go(func() {
		select {
		case <-time.After(retireAfter):
		case <-a.Living.Done():
		}
		if err := alone.Close(); err != nil {
			a.Cli.Warn(err.Error())
		}
	})
}

// retireAfter is how long requests may take that this process answers.
const retireAfter = time.Minute

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

// join returns the daemon of the moment, of which this process is a member then.
func (a *AgentWorkspace) join(ctx context.Context) (*workspaceDaemon, error) {
	d, err := daemonOf(a.Cli, Workspace{Root: a.Root, Folders: []string{a.Root}}, a.LogLevel)
	if err != nil {
		return nil, err
	}
	if a.member != nil && (a.member.Ended() || a.member.client != d.DaemonClient) {
		a.leave()
	}
	if a.member == nil {
		if a.member, err = newMembership(ctx, d); err != nil {
			return nil, err
		}
		if err := DebugDaemon(ctx, a.Cli, &d.DaemonClient, a.Debug); err != nil {
			a.Cli.Warn(err.Error())
		}
	}
	return d, nil
}

// leave ends the membership, if there is one.
func (a *AgentWorkspace) leave() {
	if a.member != nil {
		a.member.Close()
		a.member = nil
	}
}

// Close leaves the daemon, or ends the engine of this process.
func (a *AgentWorkspace) Close() error {
	a.warming.Wait()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.leave()
	var errs []error
	if a.alone != nil {
		errs = append(errs, a.alone.Close())
		a.alone = nil
	}
	return errors.Join(errs...)
}
