package engine

import (
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
)

// proposeLocals adds the functions of this name that are defined inside others. It is asked when nothing else has the
// name: what stands on its own is meant more often.
func (s *search) proposeLocals(name string) {
	qualifier, last := splitName(name)
	for i, local := range s.snap.Locals(last) {
		if i == maxNamed {
			return
		}
		around := local.Ref.Chunk()
		if !s.filter.accept(local.Ref) || qualifier != "" && !strings.EqualFold(around.Name, lastName(qualifier)) && !isPlaceOf(local.Ref, qualifier) {
			continue
		}
		c := s.candidate(local.Ref)
		c.raise(exact, last)
		c.local = last
		s.proposed(c, float64(exact))
	}
}

// newLocalHit shows a function inside a chunk as a hit of its own; its id is that of the chunk. When the chunk no longer
// has the function, the chunk is shown.
func newLocalHit(doc *document, ref index.Ref, name string) Hit {
	hit := newHit(doc, ref)
	locals := ref.File.LocalsOf(ref.Index)
	i := slices.IndexFunc(locals, func(l chunk.Local) bool { return l.Name == name })
	if i < 0 {
		return hit
	}
	l := &locals[i]
	hit.Type, hit.Kind = string(chunk.Function), string(chunk.KindFunction)
	hit.Name, hit.Container = l.Name, ref.Chunk().QualifiedName()
	hit.Signature, hit.Doc = oneLine(strings.TrimRight(doc.excerpt(l.Signature.Start, l.Signature.End), " \t\r\n{:")), ""
	hit.showSpan(doc, l.Span)
	hit.NameRange = nil
	if !l.NameSpan.Empty() {
		hit.NameRange = doc.rangeOf(l.NameSpan)
	}
	return hit
}
