package server

import (
	"context"
	"slices"

	"github.com/aurora-sidecar/aurora/internal/api"
)

// foldersParams are the parameters of workspace/didChangeWorkspaceFolders.
type foldersParams struct {
	Event struct {
		Added   []workspaceFolder `json:"added"`
		Removed []workspaceFolder `json:"removed"`
	} `json:"event"`
}

func (s *session) didChangeFolders(_ context.Context, p *foldersParams) error {
	for _, folder := range p.Event.Removed {
		if path, ok := api.FilePath(folder.URI); ok && s.dropFolder(path) {
			s.hub.removeFolder(s, path)
		}
	}
	for _, folder := range p.Event.Added {
		if path, ok := api.FilePath(folder.URI); ok && s.takeFolder(path) {
			s.hub.addFolder(s, path)
		}
	}
	s.news.Signal()
	return nil
}

func (s *session) takeFolder(path string) (added bool) {
	s.foldersMu.Lock()
	defer s.foldersMu.Unlock()
	if slices.Contains(s.folders, path) {
		return false
	}
	s.folders = append(s.folders, path)
	return true
}

func (s *session) dropFolder(path string) (removed bool) {
	s.foldersMu.Lock()
	defer s.foldersMu.Unlock()
	i := slices.Index(s.folders, path)
	if i < 0 {
		return false
	}
	s.folders = slices.Delete(s.folders, i, i+1)
	return true
}

// watchedParams are the parameters of workspace/didChangeWatchedFiles.
type watchedParams struct {
	Changes []api.Document `json:"changes"`
}

// didChangeWatchedFiles re-reads files. The index watches the disk itself; what a client sends is a second pair of
// eyes, and unchanged files cost one hash.
func (s *session) didChangeWatchedFiles(_ context.Context, p *watchedParams) error {
	uris := make([]string, len(p.Changes))
	for i, change := range p.Changes {
		uris[i] = change.URI
		if path, ok := api.FilePath(change.URI); ok {
			s.config.rereadSettings(path)
		}
	}
	s.reread(uris)
	return nil
}

// renameParams are the parameters of workspace/didRenameFiles.
type renameParams struct {
	Files []struct {
		OldURI string `json:"oldUri"`
		NewURI string `json:"newUri"`
	} `json:"files"`
}

func (s *session) didRenameFiles(_ context.Context, p *renameParams) error {
	var uris []string
	for _, file := range p.Files {
		uris = append(uris, file.OldURI, file.NewURI)
	}
	s.reread(uris)
	return nil
}

// deleteParams are the parameters of workspace/didDeleteFiles.
type deleteParams struct {
	Files []api.Document `json:"files"`
}

func (s *session) didDeleteFiles(_ context.Context, p *deleteParams) error {
	uris := make([]string, len(p.Files))
	for i, file := range p.Files {
		uris[i] = file.URI
	}
	s.reread(uris)
	return nil
}

// reread refreshes files behind the read loop.
func (s *session) reread(uris []string) {
	var paths []string
	for _, u := range uris {
		if path, ok := api.FilePath(u); ok {
			paths = append(paths, path)
		}
	}
	if len(paths) == 0 {
		return // an empty list would mean everything
	}
	s.workers.run(func() {
		if _, err := s.index.Refresh(s.ctx, paths, false); err != nil && s.ctx.Err() == nil {
			s.log.Warn("re-read files", "files", len(paths), "err", err)
		}
	})
}
