package embedder

import (
	"sync"

	"github.com/aurora-sidecar/aurora/index/embed"
)

// MemoryCache keeps the vectors that were used last. It may be used by many goroutines at once.
type MemoryCache struct {
	mu    sync.Mutex
	limit int
	young map[Key]embed.Vector // used since the last turn
	old   map[Key]embed.Vector // used in the turn before
}

// NewMemoryCache returns a cache of about limit vectors, at least 2.
func NewMemoryCache(limit int) *MemoryCache {
	return &MemoryCache{limit: max(limit, 2), young: map[Key]embed.Vector{}}
}

// Get returns the vector of a text, if it is kept.
func (c *MemoryCache) Get(k Key) (embed.Vector, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v, ok := c.young[k]; ok {
		return v, true
	}
	v, ok := c.old[k]
	if ok {
		c.putLocked(k, v)
	}
	return v, ok
}

// Put keeps a vector, which nobody changes afterwards.
func (c *MemoryCache) Put(k Key, v embed.Vector) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.putLocked(k, v)
}

// putLocked adds to the young half; when that is full, the old half is forgotten and the young one grows old.
func (c *MemoryCache) putLocked(k Key, v embed.Vector) {
	if _, known := c.young[k]; !known && len(c.young) >= c.limit/2 {
		c.old, c.young = c.young, map[Key]embed.Vector{}
	}
	c.young[k] = v
}
