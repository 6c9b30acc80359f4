package search

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/aurora-sidecar/aurora/engine/search/rank"
	"github.com/aurora-sidecar/aurora/index"
)

// preferRecent lets age count against code, as much as the scope asks for. The age is that of the latest commit that touched
// the file; what the work tree has changed, or an editor has open with other text, is new. Where git tells nothing, nothing
// is lost.
func (s *search) preferRecent(ctx context.Context) {
	byFolder := map[string]map[string]float64{}
	s.ranking.PreferRecent(s.candidates, s.request.Scope.RecencyBias, func(file *index.File) (float64, bool) {
		if s.elsewhere.byFile[file] != nil {
			return 0, false
		}
		known, asked := byFolder[file.Folder]
		if !asked {
			var err error
			if known, err = s.searcher.newness(ctx, file.Folder); err != nil {
				s.note(fmt.Sprintf("the age of code did not count: git tells nothing of %s", filepath.Base(file.Folder)))
			}
			byFolder[file.Folder] = known
		}
		return known[file.Path], known != nil && !file.Overlay
	})
}

// newness says of each file that changed lately how new that is: 1 for just now, towards 0 with age.
func (e *Searcher) newness(ctx context.Context, folder string) (map[string]float64, error) {
	repo, err := e.git.Repo(ctx, folder)
	if err != nil {
		return nil, err
	}
	now := e.now()
	since := now.Truncate(24 * time.Hour).Add(-rank.NewnessHorizon) // the same all day, so that git's answer can be kept
	changed, err := repo.ChangedFiles(ctx, since)
	if err != nil {
		return nil, err
	}
	files := make(map[string]float64, len(changed))
	for path, file := range changed {
		files[path] = rank.NewnessOf(file, now)
	}
	return files, nil
}
