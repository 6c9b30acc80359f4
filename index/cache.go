package index

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/store"
)

// What was made of a text is kept for all workspaces of the user together, under the hash of the text.
const (
	cacheName = "shared" // below Options.StoreDir; the folders of workspaces have a dash in their names

	// DefaultCacheBytes is how large the content cache may grow.
	DefaultCacheBytes = 1 << 30
	cacheUnused       = 60 * 24 * time.Hour // after which a content goes, however small the cache is
)

// A contentCache is that cache. It is opened before the first task of any folder, and closed when nothing works any more.
type contentCache struct {
	x     *Index
	mu    sync.Mutex                  // held while it is opened
	at    atomic.Pointer[store.Cache] // nil without one
	empty bool                        // when it was opened: a first scan need not ask it for anything. Guarded by Index.mu
}

// open opens the content cache, unless it is open. Without a cache every new text is parsed.
func (cc *contentCache) open() {
	cc.mu.Lock()
	defer cc.mu.Unlock()
	if cc.x.opts.StoreDir == "" || cc.at.Load() != nil {
		return
	}
	dir := filepath.Join(cc.x.opts.StoreDir, cacheName)
	c, err := store.OpenCache(cc.x.life.ctx, dir, store.Options{})
	if err != nil {
		if cc.x.life.ctx.Err() == nil {
			cc.x.log.Warn("content cache not used; texts that were parsed before are parsed again", "dir", dir, "err", err)
		}
		return
	}
	if note := c.Recovered(); note != "" {
		cc.x.log.Warn("content cache was rebuilt", "why", note)
	}
	empty, err := c.Empty(cc.x.life.ctx)
	cc.x.mu.Lock()
	defer cc.x.mu.Unlock()
	cc.at.Store(c)
	cc.empty = empty && err == nil
}

// close ends the cache, when nothing works any more.
func (cc *contentCache) close() error {
	if c := cc.at.Swap(nil); c != nil {
		return c.Close()
	}
	return nil
}

// get returns the chunks of a text that was parsed before, nil when the cache does not have them.
func (cc *contentCache) get(ctx context.Context, key store.Key) *chunk.File {
	c := cc.at.Load()
	if c == nil {
		return nil
	}
	opened := c.Opened()
	blob, ok, err := c.Load(ctx, key)
	if err != nil {
		cc.failed(c, opened, "read", err)
	}
	if !ok {
		return nil
	}
	f, err := chunk.Decode(blob)
	if err != nil {
		return nil
	}
	return f
}

// keep puts contents into the cache. What can't be kept is parsed again one day.
func (cc *contentCache) keep(contents map[store.Key][]byte) {
	c := cc.at.Load()
	if c == nil {
		return
	}
	opened := c.Opened()
	if err := c.Store(cc.x.life.ctx, contents); err != nil {
		cc.failed(c, opened, "write", err)
	}
}

// failed empties a damaged cache, once for all who met the damage in the database of that count; of any other failure it leaves a note.
func (cc *contentCache) failed(c *store.Cache, opened uint64, what string, err error) {
	switch {
	case cc.x.life.ctx.Err() != nil:
	case errors.Is(err, store.ErrDamaged):
		cc.x.log.Warn("content cache is damaged and starts empty", "err", err)
		if err := c.Rebuild(cc.x.life.ctx, opened); err != nil {
			cc.x.log.Warn("content cache not rebuilt", "err", err)
		}
	default:
		cc.x.log.Warn("content cache", "failed to", what, "err", err)
	}
}

// shrink keeps the cache within its limit.
func (cc *contentCache) shrink() {
	c := cc.at.Load()
	if c == nil {
		return
	}
	opened := c.Opened()
	n, err := c.Shrink(cc.x.life.ctx, cc.x.opts.CacheBytes, cacheUnused)
	if err != nil && cc.x.life.ctx.Err() == nil {
		cc.failed(c, opened, "shrink", err)
	}
	if n > 0 {
		cc.x.log.Info("content cache shrunk", "dropped", n, "bytes", c.SizeBytes())
	}
}
