package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/vfs"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/internal/setup"
)

// An openedProject is the project's index, in memory alone, with the settings that it was made under.
type openedProject struct {
	settings *config.Settings
	index    *index.Index
}

// openProject indexes the project and waits until all of it is.
func (p *program) openProject(ctx context.Context) (*openedProject, error) {
	root, err := filepath.Abs(p.project)
	if err != nil {
		return nil, err
	}
	root = vfs.Canonical(root)
	settings, err := p.settings()
	if err != nil {
		return nil, err
	}
	model, err := setup.BuiltInModel(settings)
	if err != nil {
		return nil, err
	}
	ix, err := index.Open(ctx, index.Options{
		Folders: []string{root}, NoWatch: true, Embedder: model, Workers: settings.Index.Workers,
		Rules: func(folder string) index.Rules { return setup.Rules(settings, folder) },
	})
	if err != nil {
		return nil, fmt.Errorf("index %s: %w", root, err)
	}
	if err := ix.WaitReady(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("index %s: %w", root, err), ix.Shutdown())
	}
	return &openedProject{settings, ix}, nil
}

// engineOptions are those of an engine without memory: what one task leaves behind must not help the next.
func (o *openedProject) engineOptions() engine.Options {
	return engine.Options{
		Index: o.index, SearchOptions: engine.SearchOptions{Providers: setup.Providers(o.settings), Tuning: setup.Tuning(o.settings)},
		ReasonOptions: engine.ReasonOptions{MaxQuery: o.settings.Guardrails.MaxQueryLength},
	}
}
