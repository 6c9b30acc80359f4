package obs

import (
	"maps"
	"sync"
)

// Counters are numbers by name that only grow. The zero value is ready; all methods may be called from several
// goroutines.
type Counters struct {
	mu     sync.Mutex
	counts map[string]int64
}

// Add adds n to the counter called name.
func (c *Counters) Add(name string, n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.counts == nil {
		c.counts = map[string]int64{}
	}
	c.counts[name] += n
}

// Snapshot returns a copy of all counters.
func (c *Counters) Snapshot() map[string]int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.counts)
}
