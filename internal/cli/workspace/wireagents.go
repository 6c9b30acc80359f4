package workspace

import (
	"context"
	"log/slog"
	"path/filepath"
	"slices"
	"time"

	"github.com/aurora-sidecar/aurora/engine/agents"
	"github.com/aurora-sidecar/aurora/engine/testrun"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/internal/sandbox"
	"github.com/aurora-sidecar/aurora/internal/trust"
)

// OpenAgents returns the registry of the settings. home is AURORA's folder, "" when nothing can be kept.
func OpenAgents(c *app.App, s *config.Settings, home string, log *slog.Logger) *agents.Registry {
	a := s.Agents
	o := agents.Options{
		Paths: a.DiscoveryPaths, UserHome: HomeDir(), AutoDiscover: a.AutoDiscover,
		RefreshEvery: time.Duration(a.RefreshIntervalDays) * 24 * time.Hour, Fallback: a.FallbackMode, ScanConfigs: a.MCPConfigs,
		Approves: trust.Open(home).Approves, Timeout: time.Duration(a.TimeoutSeconds) * time.Second, Log: log, Now: c.Now,
	}
	if home != "" {
		o.StateFile = filepath.Join(home, "agents_state.json")
		o.Sandbox, o.Hidden = OpenSandbox(c, home), testrun.Hidden
	}
	return agents.Open(o)
}

// openTests returns what runs tests of trusted folders for models; nil where their caches can't be kept.
func openTests(c *app.App, home string) *testrun.Runner {
	if home == "" {
		return nil
	}
	return testrun.New(trust.Open(home).Trusts, OpenSandbox(c, home))
}

// OpenSandbox returns the sandbox that keeps its caches in AURORA's folder.
func OpenSandbox(c *app.App, home string) *sandbox.Box {
	return sandbox.New(filepath.Join(home, sandbox.Folder), c.Program)
}

// A Truster is the user's trust as the engine asks for it. It implements engine.Truster.
type Truster struct {
	*trust.Store
	app  *app.App
	home string
}

// OpenTruster returns the trust that is kept below home, AURORA's folder.
func OpenTruster(c *app.App, home string) Truster { return Truster{trust.Open(home), c, home} }

// Review implements engine.Truster. It looks where the project's settings would have agents looked for, were they approved.
func (t Truster) Review(ctx context.Context, folder string) (*trust.Review, error) {
	settings, _, _ := config.Load(config.LoadOptions{Project: folder, Trusted: true}) // what is wrong with them, others say
	registry := OpenAgents(t.app, settings, t.home, slog.New(slog.DiscardHandler))
	return t.Store.Review(folder, slices.Concat(config.Brought(folder), registry.Brought(folder))), ctx.Err()
}

// Approve implements engine.Truster.
func (t Truster) Approve(r *trust.Review) error { return t.Store.Approve(r, t.app.Now()) }
