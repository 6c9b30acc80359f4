package eval

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/vfs"
)

// A workspace is an engine over one folder, without memory and without a store.
type workspace struct {
	engine *engine.Engine
	index  *index.Index
}

// A missingError says that a repository is not there.
type missingError struct{ dir string }

func (e *missingError) Error() string { return "no such repository: " + e.dir }

// openWorkspace indexes a folder and waits until all of it is.
func openWorkspace(ctx context.Context, dir string, o Options) (*workspace, error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, &missingError{dir}
	}
	rules := index.Rules{Files: vfs.FilterOptions{Ignore: leaveOut(dir, o.Leave)}}
	ix, err := index.Open(ctx, index.Options{
		Folders: []string{dir}, NoWatch: true, Embedder: o.Embedder, Rules: func(string) index.Rules { return rules },
	})
	if err != nil {
		return nil, fmt.Errorf("index %s: %w", dir, err)
	}
	w := &workspace{index: ix, engine: engine.New(engine.Options{
		Index: ix, SearchOptions: engine.SearchOptions{Providers: o.Providers},
	})}
	if err := ix.WaitReady(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("index %s: %w", dir, err), w.close())
	}
	return w, nil
}

// leaveOut returns ignore patterns for the paths that lie below dir.
func leaveOut(dir string, paths []string) []string {
	var patterns []string
	for _, path := range paths {
		if rel, err := filepath.Rel(dir, path); err == nil && rel != "." && filepath.IsLocal(rel) {
			patterns = append(patterns, "/"+filepath.ToSlash(rel))
		}
	}
	return patterns
}

func (w *workspace) close() error { return errors.Join(w.engine.Close(), w.index.Shutdown()) }

// Context assembles a context.
func (w *workspace) Context(ctx context.Context, r engine.ContextRequest) (*engine.ContextResult, error) {
	return w.engine.Context(ctx, r)
}

// Text is the present text of a file.
func (w *workspace) Text(abs string) ([]byte, error) { return w.index.Text(abs) }
