package workspace

import (
	"path/filepath"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/lsp"
)

// ServerOptions adds to opts what every language server has.
func (p *Parts) ServerOptions(opts lsp.Options) lsp.Options {
	p.logProgress()
	opts.Engine, opts.Log, opts.StateDir, opts.Version = p.Engine, p.Log, p.stateDir(), app.ReadBuild().Version
	opts.Configure = func(client map[string]any) error { return p.configure(client) }
	opts.Features = func() lsp.Features { return p.ruleResolver.features(p.root) }
	opts.NoProgress = !p.Settings.Index.Bootstrap.ShowProgress
	return opts
}

// stateDir is where the server may keep files for the editor to show; "" when nothing can be kept.
func (p *Parts) stateDir() string {
	if p.Home == "" {
		return ""
	}
	return filepath.Join(p.Home, "state")
}
