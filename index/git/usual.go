package git

import (
	"context"
	"fmt"
	"slices"
)

// UsuallyWith returns the files that usually change with one file, the surest first, by the newest three thousand commits that
// HEAD reached when Collect last went through. It runs no git: what was not collected is not known. A shallow clone knows none.
func UsuallyWith(r *Repo, rel string) []Companion {
	r.signals.mu.Lock()
	defer r.signals.mu.Unlock()
	return r.signals.companions[rel]
}

// collectCompanions reads which files usually change together.
func collectCompanions(ctx context.Context, r *Repo, head Head) error {
	companions, uses := map[string][]Companion{}, (*Uses)(nil)
	if !head.Unborn() && !r.Shallow() {
		commits, err := r.log(ctx, LogOptions{To: head.Commit, Limit: companionCommits}, "--no-merges")
		if err != nil {
			return fmt.Errorf("files that usually change together: %w", err)
		}
		companions, uses = CompanionsByFile(commits), UsesOf(head.Commit, commits)
	}
	r.signals.mu.Lock()
	defer r.signals.mu.Unlock()
	r.signals.companions, r.signals.uses = companions, uses
	return nil
}

// CompanionsByFile returns for each file of some commits, newest first, what CompanionsIn returns for it alone with the support
// and confidence of a review. Files without a companion are left out.
func CompanionsByFile(commits []Commit) map[string][]Companion {
	paths, often := frequentFiles(commits)
	seen := countCompanions(often, paths)
	gone := countCompanions(commits, nil).gone
	all := map[string][]Companion{}
	for with, t := range seen.of {
		for path, n := range t.together {
			c := Companion{CoChange{Path: path, Together: n, Commits: t.commits}, with}
			if n >= CompanionSupport && c.Confidence() >= CompanionConfidence && !gone[path] {
				all[with] = append(all[with], c)
			}
		}
		slices.SortFunc(all[with], compareCompanions)
	}
	return all
}

// frequentFiles leaves of the commits that count the files that are in enough of them to be a companion or to have one. Most
// files are not, and counting these in pairs would take the most memory.
func frequentFiles(commits []Commit) (paths []string, often []Commit) {
	counts := map[string]int{}
	for _, c := range commits {
		if len(c.Files) > coChangeBulk {
			continue
		}
		for _, f := range c.Files {
			if counts[f.Path]++; counts[f.Path] == CompanionSupport {
				paths = append(paths, f.Path)
			}
		}
	}
	for _, c := range commits {
		if len(c.Files) <= coChangeBulk {
			c.Files = slices.DeleteFunc(slices.Clone(c.Files), func(f FileChange) bool { return counts[f.Path] < CompanionSupport })
			often = append(often, c)
		}
	}
	return paths, often
}
