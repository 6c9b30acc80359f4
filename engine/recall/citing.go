package recall

import (
	"context"
	"slices"

	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/memory"
)

// maxAbout is how many records of the files that hits lie in are looked at.
const maxAbout = 1000

// Citing returns the memory records about a hit: those that cite its id or one of the others, or a line of its range,
// but for superseded ones.
func (e *Records) Citing(ctx context.Context, hit snippet.Hit, ids []string) ([]memory.Hit, error) {
	if hit.Path == "" {
		return nil, nil
	}
	found, err := e.Recall(ctx, memory.Query{Refs: append(slices.Clone(ids), hit.Path), Limit: 50})
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(current(found), func(r memory.Hit) bool { return !cites(r, hit, ids) }), nil
}

// About returns for each hit the records that cite it, see Citing. It asks memory once.
func (e *Records) About(ctx context.Context, hits []snippet.Hit) ([][]snippet.Hit, error) {
	var refs []string
	for _, hit := range hits {
		if hit.Path != "" {
			refs = append(refs, hit.ID, hit.Path)
		}
	}
	if len(refs) == 0 {
		return make([][]snippet.Hit, len(hits)), nil
	}
	found, err := e.Recall(ctx, memory.Query{Refs: refs, Limit: maxAbout})
	if err != nil {
		return nil, err
	}
	found = current(found)
	about := make([][]snippet.Hit, len(hits))
	for i, hit := range hits {
		for k := range found {
			if hit.Path != "" && cites(found[k], hit, []string{hit.ID}) {
				about[i] = append(about[i], snippet.OfRecord(&found[k]))
			}
		}
	}
	return about, nil
}

func cites(r memory.Hit, hit snippet.Hit, ids []string) bool {
	if slices.Contains(ids, r.SourceRef) || slices.ContainsFunc(r.Tags, func(t string) bool { return slices.Contains(ids, t) }) {
		return true
	}
	for _, c := range r.Citations {
		if c.State != memory.Unchecked { // it says itself where the code is
			return slices.ContainsFunc(r.Citations, func(c memory.Citation) bool {
				return c.State != memory.Gone && (slices.Contains(ids, c.NowChunkID) || c.NowChunkID == "" && inRange(hit, c.NowPath, c.NowLine))
			})
		}
	}
	path, line := snippet.SplitRef(r.SourceRef)
	return inRange(hit, path, line)
}

// inRange reports whether a one-based line lies in the hit.
func inRange(hit snippet.Hit, path string, line int) bool {
	return path == hit.Path && hit.Range != nil && hit.FirstLine() < line && line <= hit.Range.End.Line+1
}
