package finding

import "sync"

// maxSeen bounds the ids that are known; those of older reviews are dropped beyond it.
const maxSeen = 100_000

// Seen are the ids of what reviews have found. Its methods may be called by several goroutines at once.
type Seen struct {
	mu  sync.Mutex
	ids map[string]struct{}
}

// Add makes the ids of a review known.
func (s *Seen) Add(ids []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ids == nil || len(s.ids)+len(ids) > maxSeen {
		s.ids = map[string]struct{}{}
	}
	for _, id := range ids {
		s.ids[id] = struct{}{}
	}
}

// Unknown is the first id that no review has found; "" means none.
func (s *Seen) Unknown(ids []string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range ids {
		if _, ok := s.ids[id]; !ok {
			return id
		}
	}
	return ""
}
