package workspace

import (
	"path/filepath"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/lsp"
)

// ServerOptions are those of every language server.
func (p *Parts) ServerOptions() lsp.Options {
	p.logProgress()
	return lsp.Options{
		Engine: p.Engine, Log: p.Log, StateDir: p.stateDir(), Version: app.ReadBuild().Version,
		Configure:  p.configure,
		Features:   func() lsp.Features { return p.ruleResolver.features(p.root) },
		NoProgress: !p.Settings.Index.Bootstrap.ShowProgress,
	}
}

// stateDir is where the server may keep files for the editor to show; "" when nothing can be kept.
func (p *Parts) stateDir() string {
	if p.Home == "" {
		return ""
	}
	return filepath.Join(p.Home, "state")
}
