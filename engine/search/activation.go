package search

import (
	"cmp"
	"context"
	"math"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/engine/search/rank"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/git"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/actr"
)

// preferActive lets matches come earlier whose files changed often and lately, or together with the file that is open. Where git
// tells nothing, or has not been read yet, nothing changes.
func (s *search) preferActive(ctx context.Context) {
	if len(s.candidates) == 0 || s.query.FiltersOnly() || cmp.Or(s.request.Fusion, rank.ByRules) != rank.ByRules {
		return
	}
	open, _ := s.snap.File(cmp.Or(s.request.Open, s.request.From))
	byFolder := map[string]*activations{}
	of := func(file *index.File) rank.Activation {
		if active, remote := s.elsewhere.activityOf(file); remote {
			return active
		}
		known, asked := byFolder[file.Folder]
		if !asked {
			known = s.searcher.activations(ctx, file.Folder, open)
			byFolder[file.Folder] = known
		}
		return known.of(file)
	}
	s.ranking.Activate(s.candidates, s.request.Deep && open != nil, of)
	if open == nil {
		return
	}
	s.ranking.ActivateRecords(s.candidates, func(r *memory.Hit) float64 {
		near := 0.0
		for _, place := range snippet.CitedPlaces(r) {
			if file, ok := s.snap.File(place.Abs); ok {
				near = max(near, of(file).Near)
			}
		}
		return near
	})
}

// activations are those of the files of one folder, as shares of the highest.
type activations struct{ base, near map[string]float64 }

// of is nothing where nothing is known.
func (a *activations) of(file *index.File) rank.Activation {
	if a == nil {
		return rank.Activation{}
	}
	return rank.Activation{Base: a.base[file.Path], Near: a.near[file.Path]}
}

// activations of a folder, with open as what has the person's attention when it lies there; nil when git tells nothing. It reads
// history only where nobody reads it ahead, and only for an open file.
func (e *Searcher) activations(ctx context.Context, folder string, open *index.File) *activations {
	repo, err := e.git.Repo(ctx, folder)
	if err != nil {
		return nil
	}
	uses := git.KnownUses(repo)
	if !e.gitAhead && open != nil && open.Folder == folder {
		if uses, err = git.ReadUses(ctx, repo); err != nil {
			e.log.Warn("history of files", "folder", folder, "err", err)
		}
	}
	if uses == nil {
		return nil
	}
	a := &activations{base: e.levels.of(folder, uses)}
	if open != nil && open.Folder == folder {
		a.near = spreadFrom(uses, open.Path)
	}
	return a
}

// spreadFrom is what attention to a file activates along what changed together, as shares of the highest.
func spreadFrom(uses *git.Uses, path string) map[string]float64 {
	near, _ := actr.Spread(map[string]float64{path: 1}, func(ids []string) (map[string][]actr.Link, error) { // fails only when links does
		found := make(map[string][]actr.Link, len(ids))
		for _, id := range ids {
			if use := uses.Files[id]; use != nil {
				for _, with := range use.With {
					found[id] = append(found[id], actr.Link{To: with.Path, Weight: with.Share})
				}
			}
		}
		return found, nil
	})
	highest := 0.0
	for _, v := range near {
		highest = max(highest, v)
	}
	for id := range near {
		near[id] /= highest
	}
	return near
}

// A levelCache keeps the base levels of each folder until its history is read again.
type levelCache struct {
	mu       sync.Mutex
	byFolder map[string]levels
}

type levels struct {
	uses *git.Uses
	base map[string]float64
}

func (c *levelCache) of(folder string, uses *git.Uses) map[string]float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if known := c.byFolder[folder]; known.uses == uses {
		return known.base
	}
	if c.byFolder == nil {
		c.byFolder = map[string]levels{}
	}
	c.byFolder[folder] = levels{uses, baseLevels(uses)}
	return c.byFolder[folder].base
}

// afterHead is how long after the newest commit files are looked at: so the levels depend on nothing but the history.
const afterHead = 24 * time.Hour

// baseLevels are ACT-R's base levels of files, where each change is a use, between the least and the highest of all, 0..1.
func baseLevels(uses *git.Uses) map[string]float64 {
	base := make(map[string]float64, len(uses.Files))
	least, highest := math.Inf(1), math.Inf(-1)
	for path, use := range uses.Files {
		level := actr.BaseLevel(uses.At.Add(afterHead), historyOf(use))
		base[path], least, highest = level, min(least, level), max(highest, level)
	}
	for path, level := range base {
		base[path] = 0
		if highest > least {
			base[path] = (level - least) / (highest - least)
		}
	}
	return base
}

func historyOf(use *git.FileUse) actr.History {
	h := actr.History{Recent: make([]actr.Event, len(use.Recent))}
	for i, at := range use.Recent {
		h.Recent[i] = actr.Event{At: at, Weight: 1}
	}
	if older := use.Commits - len(use.Recent); older > 0 {
		h.Older = actr.Summary{Count: older, Weight: float64(older), First: use.First}
	}
	return h
}
