package codeintel

import (
	"cmp"
	"context"
	"slices"

	"github.com/aurora-sidecar/aurora/engine/background"
	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/git"
)

// signals reads the history of the workspace's files ahead, so that commit counts and ages are there when a hover or a
// search asks. It is one goroutine that runs one git at a time and rests between them. It goes through the files after
// an index run, and again when a question finds that HEAD has moved; never because of a question alone.
type signals struct {
	*background.Rounds
	intel *Intel
}

func newSignals(e *Intel) *signals {
	s := &signals{intel: e}
	s.Rounds = background.New(s.round)
	return s
}

// round goes through every folder that git knows.
func (s *signals) round() {
	e := s.intel
	for _, folder := range e.Index.Folders() {
		repo, err := e.repos.open(s.Context(), folder)
		if err != nil || !repo.Stale(s.Context()) {
			continue // why there is none is in the log, and in the status when it is something to act on
		}
		if err := repo.Collect(s.Context(), newestFirst(e.Index.Snapshot(), folder)); err != nil && s.Context().Err() == nil {
			e.Log.Warn("git signals", "folder", folder, "err", err)
		}
	}
}

// newestFirst lists the files of a folder, those that changed last first: they are asked about most.
func newestFirst(snap *index.Snapshot, folder string) []string {
	var files []*index.File
	for f := range snap.Listed() {
		if f.Folder == folder {
			files = append(files, f)
		}
	}
	slices.SortFunc(files, func(a, b *index.File) int {
		return cmp.Or(b.ModTime.Compare(a.ModTime), cmp.Compare(a.Path, b.Path))
	})
	paths := make([]string, len(files))
	for i, f := range files {
		paths[i] = f.Path
	}
	return paths
}

// asked is called with each question to a repository.
func (s *signals) asked(ctx context.Context, repo *git.Repo) {
	if s.intel.CollectGit && !s.Running() && repo.Stale(ctx) && codebase.Scanned(s.intel.Index.Snapshot()) {
		s.Kick()
	}
}
