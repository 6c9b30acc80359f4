package server

import (
	"context"
	"slices"
	"sync"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/api"
)

// A workspace is the folders of the client.
type workspace struct {
	*peer
	hub    *Hub
	engine *engine.Engine
	config *configuration

	foldersMu sync.Mutex
	folders   []string // absolute paths
}

// Folders implements api.Documents.
func (w *workspace) Folders() []string {
	w.foldersMu.Lock()
	defer w.foldersMu.Unlock()
	return slices.Clone(w.folders)
}

func (w *workspace) setFolders(paths []string) {
	w.foldersMu.Lock()
	defer w.foldersMu.Unlock()
	slices.Sort(paths)
	w.folders = slices.Compact(paths)
}

// foldersParams are the parameters of workspace/didChangeWorkspaceFolders.
type foldersParams struct {
	Event struct {
		Added   []workspaceFolder `json:"added"`
		Removed []workspaceFolder `json:"removed"`
	} `json:"event"`
}

func (w *workspace) didChangeFolders(_ context.Context, p *foldersParams) error {
	for _, folder := range p.Event.Removed {
		if path, ok := api.FilePath(folder.URI); ok && w.dropFolder(path) {
			w.hub.removeFolder(w.peer, path)
		}
	}
	for _, folder := range p.Event.Added {
		if path, ok := api.FilePath(folder.URI); ok && w.takeFolder(path) {
			w.hub.addFolder(w.peer, path)
		}
	}
	w.news.Signal()
	return nil
}

func (w *workspace) takeFolder(path string) (added bool) {
	w.foldersMu.Lock()
	defer w.foldersMu.Unlock()
	if slices.Contains(w.folders, path) {
		return false
	}
	w.folders = append(w.folders, path)
	return true
}

func (w *workspace) dropFolder(path string) (removed bool) {
	w.foldersMu.Lock()
	defer w.foldersMu.Unlock()
	i := slices.Index(w.folders, path)
	if i < 0 {
		return false
	}
	w.folders = slices.Delete(w.folders, i, i+1)
	return true
}

// watchedParams are the parameters of workspace/didChangeWatchedFiles.
type watchedParams struct {
	Changes []api.Document `json:"changes"`
}

// didChangeWatchedFiles re-reads files. The index watches the disk itself; what a client sends is a second pair of
// eyes, and unchanged files cost one hash.
func (w *workspace) didChangeWatchedFiles(_ context.Context, p *watchedParams) error {
	uris := make([]string, len(p.Changes))
	for i, change := range p.Changes {
		uris[i] = change.URI
		if path, ok := api.FilePath(change.URI); ok {
			w.config.rereadSettings(path)
		}
	}
	w.reread(uris)
	return nil
}

// renameParams are the parameters of workspace/didRenameFiles.
type renameParams struct {
	Files []struct {
		OldURI string `json:"oldUri"`
		NewURI string `json:"newUri"`
	} `json:"files"`
}

func (w *workspace) didRenameFiles(_ context.Context, p *renameParams) error {
	var uris []string
	for _, file := range p.Files {
		uris = append(uris, file.OldURI, file.NewURI)
	}
	w.reread(uris)
	return nil
}

// deleteParams are the parameters of workspace/didDeleteFiles.
type deleteParams struct {
	Files []api.Document `json:"files"`
}

func (w *workspace) didDeleteFiles(_ context.Context, p *deleteParams) error {
	uris := make([]string, len(p.Files))
	for i, file := range p.Files {
		uris[i] = file.URI
	}
	w.reread(uris)
	return nil
}

// reread refreshes files behind the read loop.
func (w *workspace) reread(uris []string) {
	var paths []string
	for _, u := range uris {
		if path, ok := api.FilePath(u); ok {
			paths = append(paths, path)
		}
	}
	if len(paths) == 0 {
		return // an empty list would mean everything
	}
	w.workers.run(func() {
		if _, err := w.engine.Index().Refresh(w.ctx, paths, false); err != nil && w.ctx.Err() == nil {
			w.log.Warn("re-read files", "files", len(paths), "err", err)
		}
	})
}
