package git

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
)

// A Companion is a file that usually changes together with another one.
type Companion struct {
	CoChange
	With string // the file that it changes with
}

// How sure it must be that a file usually changes with another one before it is missed. Measured by aurora-eval review.
const (
	CompanionSupport    = 5
	CompanionConfidence = 0.7
)

// companionCommits is how many commits Companions reads.
const companionCommits = 3000

// Companions returns the files that usually change with some of changed and are none of them, by the newest three thousand
// commits that rev reaches; the surest first. Files that the newest of these commits deleted are left out.
func Companions(ctx context.Context, r *Repo, rev string, changed []string) ([]Companion, error) {
	commits, err := r.log(ctx, LogOptions{To: rev, Limit: companionCommits}, "--no-merges")
	if err != nil {
		return nil, fmt.Errorf("files that usually change together: %w", err)
	}
	return CompanionsIn(commits, changed, CompanionSupport, CompanionConfidence), nil
}

// CompanionsIn is Companions over some commits, newest first, with the least number of common commits and the least confidence.
func CompanionsIn(commits []Commit, changed []string, support int, confidence float64) []Companion {
	seen := countCompanions(commits, changed)
	best := map[string]Companion{}
	for with, t := range seen.of {
		for path, n := range t.together {
			c := Companion{CoChange{Path: path, Together: n, Commits: t.commits}, with}
			if n < support || c.Confidence() < confidence || seen.gone[path] || slices.Contains(changed, path) {
				continue
			}
			if b, ok := best[path]; !ok || compareCompanions(c, b) < 0 {
				best[path] = c
			}
		}
	}
	var list []Companion
	for _, c := range best {
		list = append(list, c)
	}
	slices.SortFunc(list, compareCompanions)
	return list
}

func compareCompanions(a, b Companion) int {
	return cmp.Or(cmp.Compare(b.Confidence(), a.Confidence()), cmp.Compare(b.Together, a.Together),
		strings.Compare(a.Path, b.Path), strings.Compare(a.With, b.With))
}

// A tally counts the commits of one file.
type tally struct {
	commits  int
	together map[string]int // by path
}

// companionCount is what some commits tell of some files.
type companionCount struct {
	of   map[string]*tally
	gone map[string]bool // whether the newest commit of a path deleted it
}

func countCompanions(commits []Commit, changed []string) companionCount {
	seen := companionCount{of: map[string]*tally{}, gone: map[string]bool{}}
	for _, path := range changed {
		seen.of[path] = &tally{together: map[string]int{}}
	}
	for _, c := range commits {
		for _, f := range c.Files {
			if _, known := seen.gone[f.Path]; !known {
				seen.gone[f.Path] = f.Kind == Deleted
			}
		}
		if len(c.Files) <= coChangeBulk {
			seen.add(c)
		}
	}
	return seen
}

func (s companionCount) add(c Commit) {
	for _, f := range c.Files {
		t := s.of[f.Path]
		if t == nil || t.commits == coChangeCommits {
			continue
		}
		t.commits++
		for _, other := range c.Files {
			if other.Path != f.Path {
				t.together[other.Path]++
			}
		}
	}
}
