package codeintel

import (
	"slices"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/codeintel/testcommand"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/syntax"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// CoveringTests returns the commands that run the tests of definitions in lines of a folder's files, and the tests that lie in
// them. changed has the places by absolute path, in the texts as they are in the index; files that it does not hold are left out.
func (e *Intel) CoveringTests(folder string, changed map[string][]text.Range) ([]ReviewTest, error) {
	v, err := e.newReview(ReviewRequest{Folder: folder})
	if err != nil {
		return nil, err
	}
	for path, places := range changed {
		file, ok := v.snap.File(path)
		if !ok || file.Folder != folder {
			continue
		}
		for i, c := range file.Chunks {
			within := func(p text.Range) bool { return p.Start.Line <= c.EndLine && p.End.Line >= c.StartLine }
			if ref := (index.Ref{File: file, Index: i}); slices.ContainsFunc(places, within) && codebase.IsDefinition(ref) {
				v.addTests(ref)
				v.addOwnTest(ref)
			}
		}
	}
	return testsOf(v.tests), nil
}

// addOwnTest notes the command that runs a changed test.
func (v *review) addOwnTest(ref index.Ref) {
	if !syntax.IsTest(ref.File.Path) {
		return
	}
	if run := testcommand.Of(ref); run.Program != "" {
		v.tests[run] = append(v.tests[run], ref.Chunk().QualifiedName())
	}
}
