package eval

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/git"
)

// TogetherOptions say what ForetellTogether looks at.
type TogetherOptions struct {
	Dir         string // a work tree
	Definitions int    // random ones, of files with a commit on both sides of the cut
	After       int    // the newest commits, which the hovers don't know
	Asked       int    // most commits of a definition's file that are asked after the cut
	Seed        uint64
}

// A TogetherReport says how often hovers name a file that usually changes with a definition's, and how often that one then did.
type TogetherReport struct {
	Definitions int `json:"definitions"`
	Shown       int `json:"shown"` // definitions with the line
	Named       int `json:"named"` // files in these lines
	Kept        int `json:"kept"`  // of Named, changed in at least half of the commits after the cut
	Asked       int `json:"asked"` // commits after the cut, once for each named file
	Changed     int `json:"changed"`
}

// maxNamed is how many files a hover names.
const maxNamed = 2

// ForetellTogether asks the history before a cut what usually changes with the files of random definitions, as a hover does, and
// the history after it what did. Definitions are those of the work tree as it is.
func ForetellTogether(ctx context.Context, o TogetherOptions) (*TogetherReport, error) {
	repo, err := git.Open(ctx, o.Dir)
	if err != nil {
		return nil, fmt.Errorf("foretell %s: %w", o.Dir, err)
	}
	defer repo.Close()
	commits, err := repo.Log(ctx, git.LogOptions{Limit: o.After + 3000})
	if err != nil {
		return nil, fmt.Errorf("foretell %s: %w", o.Dir, err)
	}
	after, before := commits[:min(o.After, len(commits))], commits[min(o.After, len(commits)):]
	files, err := definitionsOf(ctx, o)
	if err != nil {
		return nil, err
	}
	known, companions := commitsByFile(before), git.CompanionsByFile(before)
	later := commitsByFile(after)
	report := &TogetherReport{}
	for _, path := range files {
		if report.Definitions == o.Definitions {
			break
		}
		if len(known[path]) > 0 && len(later[path]) > 0 {
			asked := later[path]
			slices.Reverse(asked) // the ones next to the cut
			report.add(companions[path], asked[:min(o.Asked, len(asked))])
			slices.Reverse(asked)
		}
	}
	return report, nil
}

// add counts one definition.
func (r *TogetherReport) add(companions []git.Companion, asked []git.Commit) {
	r.Definitions++
	companions = companions[:min(maxNamed, len(companions))]
	if len(companions) > 0 {
		r.Shown++
	}
	for _, c := range companions {
		changed := 0
		for _, commit := range asked {
			if slices.ContainsFunc(commit.Files, func(f git.FileChange) bool { return f.Path == c.Path }) {
				changed++
			}
		}
		r.Named, r.Asked, r.Changed = r.Named+1, r.Asked+len(asked), r.Changed+changed
		if 2*changed >= len(asked) {
			r.Kept++
		}
	}
}

// commitsByFile lists the commits of each file, newest first.
func commitsByFile(commits []git.Commit) map[string][]git.Commit {
	all := map[string][]git.Commit{}
	for _, c := range commits {
		for _, f := range c.Files {
			all[f.Path] = append(all[f.Path], c)
		}
	}
	return all
}

// definitionsOf returns the paths of all definitions of a work tree, each once for every definition, in random order.
func definitionsOf(ctx context.Context, o TogetherOptions) ([]string, error) {
	w, err := openWorkspace(ctx, o.Dir, Options{})
	if err != nil {
		return nil, err
	}
	defer w.close()
	var paths []string
	for f := range w.engine.Index().Snapshot().Files() {
		for i := range f.Chunks {
			if codebase.IsDefinition(index.Ref{File: f, Index: i}) {
				paths = append(paths, f.Path)
			}
		}
	}
	slices.Sort(paths)
	random := rand.New(rand.NewPCG(o.Seed, 1))
	random.Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
	return paths, nil
}
