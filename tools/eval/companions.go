package eval

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/aurora-sidecar/aurora/index/git"
)

// CompanionOptions say what ReplayCompanions replays.
type CompanionOptions struct {
	Dir        string // a work tree
	Commits    int    // of two to twenty files, the newest
	Support    int
	Confidence float64
}

// A CompanionReport is what a review would have said of commits from each of which one file was left out.
type CompanionReport struct {
	Commits  int `json:"commits"`
	Spoken   int `json:"spoken"`   // commits of which a file was named
	Named    int `json:"named"`    // files
	Hits     int `json:"hits"`     // of Named, the one that was left out
	Complete int `json:"complete"` // files named for the same commits when nothing was left out
}

// ReplayCompanions leaves one file out of each commit, and asks the history before it what is missing.
func ReplayCompanions(ctx context.Context, o CompanionOptions) (*CompanionReport, error) {
	repo, err := git.Open(ctx, o.Dir)
	if err != nil {
		return nil, fmt.Errorf("replay %s: %w", o.Dir, err)
	}
	defer repo.Close()
	commits, err := repo.Log(ctx, git.LogOptions{Limit: 4000})
	if err != nil {
		return nil, fmt.Errorf("replay %s: %w", o.Dir, err)
	}
	report := &CompanionReport{}
	for i, c := range commits {
		if n := len(c.Files); n < 2 || n > 20 {
			continue
		}
		if report.Commits == o.Commits {
			break
		}
		report.add(commits[i+1:], c, o)
	}
	return report, nil
}

func (r *CompanionReport) add(history []git.Commit, c git.Commit, o CompanionOptions) {
	var paths []string
	for _, f := range c.Files {
		paths = append(paths, f.Path)
	}
	sum := fnv.New32a()
	sum.Write([]byte(c.Hash))
	out := int(sum.Sum32() % uint32(len(paths)))
	left := paths[out]
	r.Commits++
	r.Complete += len(git.CompanionsIn(history, paths, o.Support, o.Confidence))
	named := git.CompanionsIn(history, slices.Delete(slices.Clone(paths), out, out+1), o.Support, o.Confidence)
	if len(named) > 0 {
		r.Spoken++
	}
	for _, n := range named {
		r.Named++
		if n.Path == left {
			r.Hits++
		}
	}
}
