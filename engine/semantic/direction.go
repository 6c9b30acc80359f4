package semantic

import (
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/embed"
	"github.com/aurora-sidecar/aurora/index/vector"
)

// A remoteDirection is a question in the space of an endpoint.
type remoteDirection struct {
	snap *index.Snapshot
	pic  *remoteVectors
	vec  embed.Vector
}

func (d remoteDirection) IsZero() bool { return len(d.vec) == 0 || d.pic.seg == nil }

// Nearest implements direction. A chunk of a file that changed since its vectors were gathered is not among them.
func (d remoteDirection) Nearest(q index.Query) []index.Hit {
	accept := func(_ int, doc uint32) bool {
		ref := d.pic.refs[doc]
		now, ok := d.snap.File(ref.File.Abs)
		return ok && now == ref.File && (q.Accept == nil || q.Accept(ref.File)) && (q.Chunk == nil || q.Chunk(ref))
	}
	results, _ := vector.Search([]vector.View{{Seg: d.pic.seg}}, vector.Query{Vector: d.vec, Space: d.pic.space, Limit: q.Limit, Accept: accept})
	hits := make([]index.Hit, len(results))
	for i, r := range results {
		hits[i] = index.Hit{Ref: d.pic.refs[r.Doc], Cosine: r.Score}
	}
	return hits
}

// Cosine implements direction.
func (d remoteDirection) Cosine(ref index.Ref) float64 {
	first, ok := d.pic.first[ref.File]
	if !ok || d.IsZero() {
		return 0
	}
	return cosine(d.vec, d.pic.seg.Vector(nil, uint32(first+ref.Index)))
}

// Whole implements direction.
func (d remoteDirection) Whole(file *index.File) float64 {
	first, ok := d.pic.first[file]
	if !ok || d.IsZero() {
		return 0
	}
	return index.MeanCosine(file, func(i int) float64 { return cosine(d.vec, d.pic.seg.Vector(nil, uint32(first+i))) })
}

// IsRemote reports whether a direction is of the endpoint's model rather than of the model in the program.
func IsRemote(d Direction) bool {
	_, remote := d.(remoteDirection)
	return remote
}
