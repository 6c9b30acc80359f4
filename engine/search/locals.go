package search

import (
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/search/rank"
)

// proposeLocals adds the functions of this name that are defined inside others. It is asked when nothing else has the
// name: what stands on its own is meant more often.
func (symbols) proposeLocals(s *search, name string) {
	qualifier, last := codebase.SplitName(name)
	for i, local := range s.snap.Locals(last) {
		if i == maxNamed {
			return
		}
		around := local.Ref.Chunk()
		if !s.filter.accept(local.Ref) || qualifier != "" && !strings.EqualFold(around.Name, codebase.LastName(qualifier)) && !codebase.IsPlaceOf(local.Ref, qualifier) {
			continue
		}
		c := s.candidate(local.Ref)
		c.Raise(rank.Exact, last)
		c.Local = last
		s.proposed(c, float64(rank.Exact))
	}
}
