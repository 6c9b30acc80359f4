package snapshot

import (
	"os"

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

// A Merge is one part made of several, beside the writer, which puts it in their place with Builder.Replace.
type Merge struct {
	from  []*Part
	seg   *lexical.Segment
	vec   *vector.Segment
	remap [][]int32 // per part: old document -> new document, -1 for dead ones
}

// DueMerge returns the parts to merge next, nil for none.
func (s *Snapshot) DueMerge() []*Part { return chooseMerge(s.parts) }

// MergeParts merges the living documents of parts.
func MergeParts(from []*Part) *Merge {
	views := make([]lexical.View, len(from))
	for i, p := range from {
		views[i] = lexical.View{Seg: p.seg, Dead: p.dead}
	}
	seg, remap := lexical.Merge(views)
	return &Merge{from: from, seg: seg, vec: mergeVectors(from), remap: remap}
}

// sizeClass is 0 for parts up to mergeSmallest documents and grows by one for every factor of mergeFanIn.
func sizeClass(docs int) int {
	class := 0
	for limit := mergeSmallest; docs > limit; limit *= mergeFanIn {
		class++
	}
	return class
}

// chooseMerge returns the parts to merge next, or nil.
func chooseMerge(parts []*Part) []*Part {
	classes := map[int][]*Part{}
	for _, p := range parts {
		if wasteful(p) && len(p.docs) > mergeSmallest {
			return []*Part{p}
		}
		c := sizeClass(p.live)
		if classes[c] = append(classes[c], p); len(classes[c]) >= mergeFanIn {
			return classes[c]
		}
	}
	return nil
}

// wasteful reports whether most of a part is dead.
func wasteful(p *Part) bool { return p.live*2 < len(p.docs) }

// MapVectors puts the vectors that were just saved in the place of those in memory, so that a process holds after a scan what
// it would hold after a start. It reports false when there are none, or the file is not as it was written with size bytes.
func (m *Merge) MapVectors(path string, size int64) bool {
	if m == nil || m.vec == nil {
		return false
	}
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }()
	n := int64(len(m.vec.Bytes()))
	if info, err := file.Stat(); err != nil || info.Size() != size {
		return false // somebody else's
	}
	vec := readVectors(file, size-n, n)
	if vec.err != nil || vec.seg.Docs() != m.seg.Docs() || !vec.seg.Mapped() {
		return false
	}
	m.vec = vec.seg
	return true
}
