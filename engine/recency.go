package engine

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"time"

	"github.com/aurora-sidecar/aurora/index/git"
)

const (
	// newnessHalfLife is the age at which half of what being new is worth is gone; records have the same.
	newnessHalfLife = 30 * 24 * time.Hour

	// newnessHorizon is how far back commits are looked at: what is older is not new at all.
	newnessHorizon = 6 * newnessHalfLife
)

// preferRecent lets age count against code, as much as the scope asks for (ACT-012). What is left of a candidate's score
// within its tier is
//
//	score · (1 - bias/2 · (1 - 2^(-age/30 days)))
//
// so that old code loses half of it at most. The age is that of the latest commit that touched the file; what the work tree
// has changed, or an editor has open with other text, is new. Where git tells nothing, nothing is lost.
func (s *search) preferRecent(ctx context.Context) {
	bias := min(1, s.request.Scope.RecencyBias)
	if !(bias > 0) {
		return
	}
	byFolder := map[string]map[string]float64{}
	for _, c := range s.candidates {
		if c.record != nil {
			continue
		}
		file := c.ref.File
		known, asked := byFolder[file.Folder]
		if !asked {
			var err error
			if known, err = s.engine.newness(ctx, file.Folder); err != nil {
				s.note(fmt.Sprintf("the age of code did not count: git tells nothing of %s", filepath.Base(file.Folder)))
			}
			byFolder[file.Folder] = known
		}
		if known == nil || file.Overlay {
			continue
		}
		floor := tierFloor[c.tier]
		c.final = floor + (c.final-floor)*(1-bias/2*(1-known[file.Path]))
	}
	sortCandidates(s.candidates)
}

// newness says of each file that changed lately how new that is: 1 for just now, towards 0 with age.
func (e *Engine) newness(ctx context.Context, folder string) (map[string]float64, error) {
	repo, err := e.repos.open(ctx, folder)
	if err != nil {
		return nil, err
	}
	now := e.now()
	since := now.Truncate(24 * time.Hour).Add(-newnessHorizon) // the same all day, so that git's answer can be kept
	changed, err := repo.ChangedFiles(ctx, since)
	if err != nil {
		return nil, err
	}
	files := make(map[string]float64, len(changed))
	for i := range changed {
		files[changed[i].Path] = newnessOf(&changed[i], now)
	}
	return files, nil
}

func newnessOf(f *git.ChangedFile, now time.Time) float64 {
	if f.Uncommitted {
		return 1
	}
	return math.Exp2(-float64(max(0, now.Sub(f.LastModified))) / float64(newnessHalfLife))
}
