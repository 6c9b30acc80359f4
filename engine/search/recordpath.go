package search

import (
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/memory"
)

// recordPath is where a record belongs: the present place of what it cites first, else what its reference says.
func recordPath(r *memory.Hit) string {
	if len(r.Citations) > 0 && r.Citations[0].State != memory.Unchecked {
		return r.Citations[0].NowPath
	}
	return refPath(r.SourceRef)
}

// refPath is the path of a source reference "<path>:<line>"; a chunk id gives its path, too.
func refPath(ref string) string {
	path, _ := snippet.SplitRef(ref)
	return path
}
