package git

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
)

// A CoChange is a file that tends to change in the same commits as another one.
type CoChange struct {
	Path     string // relative to the folder
	Together int    // commits that touched both
	Commits  int    // commits that touched the file asked for, as far as they count
}

// Of what counts as a sign that two files belong together.
const (
	coChangeCommits = 200 // the newest commits of the file that are looked at
	coChangeBulk    = 50  // a commit of more files (a rename, a reformatting) says nothing
	coChangeLeast   = 2   // together once may be chance
)

// CoChanged returns the files that changed together with rel at least twice, the most frequent first. Commits of very
// many files do not count.
func (r *Repo) CoChanged(ctx context.Context, rel string) ([]CoChange, error) {
	commits, err := r.log(ctx, LogOptions{Path: rel, Limit: coChangeCommits}, "--full-diff")
	if err != nil {
		return nil, fmt.Errorf("files changed together with %s: %w", rel, err)
	}
	together := map[string]int{}
	counted := 0
	for _, c := range commits {
		if len(c.Files) > coChangeBulk {
			continue
		}
		counted++
		for _, f := range c.Files {
			if f.Path != rel {
				together[f.Path]++
			}
		}
	}
	var list []CoChange
	for path, n := range together {
		if n >= coChangeLeast {
			list = append(list, CoChange{Path: path, Together: n, Commits: counted})
		}
	}
	slices.SortFunc(list, func(a, b CoChange) int {
		return cmp.Or(cmp.Compare(b.Together, a.Together), strings.Compare(a.Path, b.Path))
	})
	return list, nil
}
