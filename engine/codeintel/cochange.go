package codeintel

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/index"
)

// maxChanged is the most edges of kind "cochanged".
const maxChanged = 10

// addChanged adds the files that git saw change together with the file. The weight of an edge is the share of the
// file's commits that touched the other one, too; the confidence grows with the number of those commits.
func (n *neighbours) addChanged(ctx context.Context) {
	file := n.doc.File
	if file.Folder == "" {
		return
	}
	repo, err := n.intel.repos.open(ctx, file.Folder)
	if err != nil {
		n.note("what changed together is not known: git tells nothing of " + file.Folder)
		return
	}
	changes, err := repo.CoChanged(ctx, file.Path)
	if err != nil {
		n.intel.Log.Warn("files changed together", "path", file.Path, "err", err)
		n.note("git could not tell what changed together with " + file.Path)
		return
	}
	added := 0
	for _, c := range changes {
		other, ok := n.snap.File(filepath.Join(file.Folder, filepath.FromSlash(c.Path)))
		if added == min(maxChanged, n.limit) || !ok || len(other.Chunks) == 0 {
			continue
		}
		weight := float64(c.Together) / float64(c.Commits)
		why := fmt.Sprintf("changed together with %s in %d of %d commits", file.Path, c.Together, c.Commits)
		edge := Edge{From: file.Path, Kind: towardsChanges, Weight: weight, Confidence: c.Confidence(), Why: why}
		if n.join(index.Ref{File: other, Index: codebase.FirstDefinition(other)}, edge) {
			added++
		}
	}
}
