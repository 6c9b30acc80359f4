package vector

import (
	"runtime"
	"sync"

	"github.com/aurora-sidecar/aurora/internal/mapfile"
)

// How much work is worth a goroutine of its own: some 50 microseconds.
const (
	signsPerPart  = 32 << 10
	scoresPerPart = 512
	maxParts      = 4 // more would take the cores from other requests
)

// split calls f for consecutive parts of 0..n, on several cores when there are at least two parts of the given size. f must
// read segments and nothing else that can fail; when it can't, the search has failed.
func (s *search) split(n, perPart int, f func(from, to int)) {
	parts := min(runtime.GOMAXPROCS(0), maxParts, n/perPart)
	if parts < 2 {
		f(0, n)
		return
	}
	var others sync.WaitGroup
	defer others.Wait() // also when the first part panics: they write into what is reused afterwards
	for part := 1; part < parts; part++ {
		others.Go(func() {
			if !mapfile.Guard(func() { f(n*part/parts, n*(part+1)/parts) }) {
				s.failed.Store(true)
			}
		})
	}
	f(0, n/parts)
}
