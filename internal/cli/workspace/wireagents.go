package workspace

import (
	"log/slog"
	"path/filepath"
	"time"

	"github.com/aurora-sidecar/aurora/engine/agents"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/config"
)

// OpenAgents returns the registry of the settings. home is AURORA's folder, "" when nothing can be kept.
func OpenAgents(c *app.App, s *config.Settings, home string, log *slog.Logger) *agents.Registry {
	a := s.Agents
	o := agents.Options{
		Paths: a.DiscoveryPaths, UserHome: HomeDir(), AutoDiscover: a.AutoDiscover,
		RefreshEvery: time.Duration(a.RefreshIntervalDays) * 24 * time.Hour, Fallback: a.FallbackMode, ScanConfigs: a.MCPConfigs,
		Trusted: config.OpenTrust(home).Trusted, Timeout: time.Duration(a.TimeoutSeconds) * time.Second, Log: log, Now: c.Now,
	}
	if home != "" {
		o.StateFile = filepath.Join(home, "agents_state.json")
	}
	return agents.Open(o)
}

// A truster is the user's trust as the engine asks for it.
type truster struct {
	kept *config.Trust
	now  func() time.Time
}

// Trust implements engine.Truster.
func (t truster) Trust(folder string, trusted bool) (bool, error) {
	return t.kept.Set(folder, trusted, t.now())
}

// Trusted implements engine.Truster.
func (t truster) Trusted(folder string) bool { return t.kept.Trusted(folder) }
