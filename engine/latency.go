package engine

import (
	"math"
	"slices"
	"sync"
	"time"
)

// latencyWindow is how many of the last searches the percentiles are taken over.
const latencyWindow = 512

// latencies remembers how long the last searches took.
type latencies struct {
	mu   sync.Mutex
	ring [latencyWindow]time.Duration
	n    int // ever observed
}

// Observe adds one search.
func (l *latencies) Observe(d time.Duration) {
	l.mu.Lock()
	l.ring[l.n%latencyWindow] = d
	l.n++
	l.mu.Unlock()
}

// Quantile returns the q-quantile (0..1, nearest rank) in milliseconds, 0 before the first search.
func (l *latencies) Quantile(q float64) float64 {
	l.mu.Lock()
	kept := slices.Clone(l.ring[:min(l.n, latencyWindow)])
	l.mu.Unlock()
	if len(kept) == 0 {
		return 0
	}
	slices.Sort(kept)
	rank := int(math.Ceil(q*float64(len(kept)))) - 1
	return float64(kept[max(0, min(rank, len(kept)-1))]) / float64(time.Millisecond)
}
