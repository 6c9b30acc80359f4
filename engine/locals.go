package engine

import (
	"strings"
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
