package index

import (
	"github.com/aurora-sidecar/aurora/index/lexical"
	"github.com/aurora-sidecar/aurora/index/vector"
)

// Merging keeps the number of parts small: many small parts make a search touch many dictionaries, one big part
// makes a merge slow. Parts are merged in classes of size, as log-structured stores do, so each document takes part
// in about log(documents) merges.
const (
	mergeFanIn    = 8   // parts of one class that are merged into one
	mergeSmallest = 512 // documents; parts below share the lowest class
)

// merged is the outcome of a merge, made beside the writer and applied by it.
type merged struct {
	from  []*part
	seg   *lexical.Segment
	vec   *vector.Segment
	remap [][]int32 // per part: old document -> new document, -1 for dead ones
}

func mergeParts(from []*part) *merged {
	views := make([]lexical.View, len(from))
	for i, p := range from {
		views[i] = lexical.View{Seg: p.seg, Dead: p.dead}
	}
	seg, remap := lexical.Merge(views)
	return &merged{from: from, seg: seg, vec: mergeVectors(from), remap: remap}
}

// sizeClass is 0 for parts up to mergeSmallest documents and grows by one for every factor of mergeFanIn.
func sizeClass(docs int) int {
	class := 0
	for limit := mergeSmallest; docs > limit; limit *= mergeFanIn {
		class++
	}
	return class
}

// chooseMerge returns the parts to merge next, or nil. all asks for everything in one part.
func chooseMerge(parts []*part, all bool) []*part {
	if all {
		if len(parts) > 1 || len(parts) == 1 && wasteful(parts[0]) {
			return parts
		}
		return nil
	}
	classes := map[int][]*part{}
	for _, p := range parts {
		if wasteful(p) && len(p.docs) > mergeSmallest {
			return []*part{p}
		}
		c := sizeClass(p.live)
		if classes[c] = append(classes[c], p); len(classes[c]) >= mergeFanIn {
			return classes[c]
		}
	}
	return nil
}

// wasteful reports whether most of a part is dead.
func wasteful(p *part) bool { return p.live*2 < len(p.docs) }
