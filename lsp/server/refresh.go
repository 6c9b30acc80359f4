package server

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/aurora-sidecar/aurora/lsp/protocol"
)

func (s *session) refresh(ctx context.Context, p *protocol.RefreshParams) (*protocol.RefreshResult, error) {
	paths := make([]string, len(p.Paths))
	for i, path := range p.Paths {
		paths[i] = s.resolve(path)
	}
	job, err := s.engine.Refresh(ctx, paths, p.Force)
	if err != nil {
		return nil, err
	}
	return &protocol.RefreshResult{JobID: job.ID, FilesQueued: job.Queued}, nil
}

// resolve finds the absolute path of what a client names: a file URI, an absolute path, or one relative to the
// first workspace folder that has it.
func (s *session) resolve(name string) string {
	if strings.HasPrefix(name, "file:") {
		if path, ok := filePath(name); ok {
			return path
		}
	}
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	folders := s.folderList()
	for _, folder := range folders {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if _, err := os.Lstat(path); err == nil {
			return path
		}
	}
	if len(folders) > 0 {
		return filepath.Join(folders[0], filepath.FromSlash(name)) // gone from the disk, perhaps not from the index
	}
	return name
}
