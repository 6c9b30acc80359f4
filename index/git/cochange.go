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

// Confidence is how sure it is that the files belong together: the share of the commits that touched both, drawn towards zero
// while there are few by counting two more that touched only the one asked for. 2 of 2 is 0.5, 20 of 20 is 0.91.
func (c *CoChange) Confidence() float64 { return float64(c.Together) / float64(c.Commits+2) }

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
	counted := countCompanions(commits, []string{rel}).of[rel]
	var list []CoChange
	for path, n := range counted.together {
		if n >= coChangeLeast {
			list = append(list, CoChange{Path: path, Together: n, Commits: counted.commits})
		}
	}
	slices.SortFunc(list, func(a, b CoChange) int {
		return cmp.Or(cmp.Compare(b.Together, a.Together), strings.Compare(a.Path, b.Path))
	})
	return list, nil
}
