package workspace

import (
	"errors"
	"log/slog"
	"slices"
	"sync"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/internal/scrub"
	"github.com/aurora-sidecar/aurora/internal/setup"
	"github.com/aurora-sidecar/aurora/lsp"
)

// A ruleResolver knows under which rules each workspace folder is indexed: those of the user, of the folder's own file, and of
// the editor. Safe for concurrent use.
type ruleResolver struct {
	log *slog.Logger

	mu     sync.Mutex
	client map[string]any              // settings of the editor that spoke last
	last   map[string]*config.Settings // by folder: the last that were good
	shown  *lsp.Features               // what the files say editors are shown; nil when they have to be read again
}

// load returns the settings of a folder, "" for none. What is wrong keeps its last value.
func (r *ruleResolver) load(folder string) (*config.Settings, []config.Warning, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	settings, warnings, err := config.Reload(r.last[folder], config.LoadOptions{Project: folder, Client: r.client})
	if r.last == nil {
		r.last = map[string]*config.Settings{}
	}
	r.last[folder] = settings
	return settings, warnings, errors.Join(err, scrub.Add(settings.Security.SecretPatterns))
}

// rules are those of a folder, "" for what lies in none.
func (r *ruleResolver) rules(folder string) index.Rules {
	settings, _, err := r.load(folder)
	if err != nil {
		r.log.Warn("bad settings keep their last values", "folder", folder, "err", err)
	}
	return setup.Rules(settings, folder)
}

// take makes the settings of an editor count, nil for those of before. The error says what is wrong with any settings.
func (r *ruleResolver) take(client map[string]any, x *index.Index) error {
	r.mu.Lock()
	if client != nil {
		r.client = client
	}
	r.shown = nil
	r.mu.Unlock()
	var errs []error
	folders := []string{""}
	for _, f := range x.Status().Folders {
		folders = append(folders, f.Path)
	}
	for _, folder := range folders {
		_, warnings, err := r.load(folder)
		for _, w := range warnings {
			r.log.Warn(w.String())
		}
		if err != nil && !slices.ContainsFunc(errs, func(e error) bool { return e.Error() == err.Error() }) {
			errs = append(errs, err)
		}
	}
	x.Configure(r.rules)
	return errors.Join(errs...)
}

// features are what the settings files of the user and of a project show to editors; what an editor itself has set is
// its own business.
func (r *ruleResolver) features(project string) lsp.Features {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.shown == nil {
		settings, _, _ := config.Load(config.LoadOptions{Project: project}) // what is wrong is said elsewhere
		l := &settings.LSP
		r.shown = &lsp.Features{Hover: l.Hover.Enabled, CodeActions: l.CodeActions.Enabled, CodeLens: l.CodeLens.Enabled, DocumentSymbol: l.DocumentSymbol, Review: l.Review}
	}
	return *r.shown
}
