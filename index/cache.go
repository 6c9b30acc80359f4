package index

import (
	"context"
	"errors"
	"path/filepath"
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

// openCache opens the content cache, unless it is open. Without a cache every new text is parsed.
func (x *Index) openCache() {
	x.cacheMu.Lock()
	defer x.cacheMu.Unlock()
	if x.opts.StoreDir == "" || x.cache.Load() != nil {
		return
	}
	dir := filepath.Join(x.opts.StoreDir, cacheName)
	c, err := store.OpenCache(x.ctx, dir, store.Options{})
	if err != nil {
		if x.ctx.Err() == nil {
			x.log.Warn("content cache not used; texts that were parsed before are parsed again", "dir", dir, "err", err)
		}
		return
	}
	if note := c.Recovered(); note != "" {
		x.log.Warn("content cache was rebuilt", "why", note)
	}
	empty, err := c.Empty(x.ctx)
	x.mu.Lock()
	defer x.mu.Unlock()
	x.cache.Store(c)
	x.cacheEmpty = empty && err == nil
}

// closeCache ends the cache, when nothing works any more.
func (x *Index) closeCache() error {
	if c := x.cache.Swap(nil); c != nil {
		return c.Close()
	}
	return nil
}

// cached returns the chunks of a text that was parsed before, nil when the cache does not have them.
func (x *Index) cached(ctx context.Context, key store.Key) *chunk.File {
	c := x.cache.Load()
	if c == nil {
		return nil
	}
	blob, ok, err := c.Load(ctx, key)
	if err != nil {
		x.cacheFailed(c, "read", err)
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
func (x *Index) keep(contents map[store.Key][]byte) {
	c := x.cache.Load()
	if c == nil {
		return
	}
	if err := c.Store(x.ctx, contents); err != nil {
		x.cacheFailed(c, "write", err)
	}
}

// cacheFailed starts a damaged cache anew; of any other failure it leaves a note.
func (x *Index) cacheFailed(c *store.Cache, what string, err error) {
	switch {
	case x.ctx.Err() != nil:
	case errors.Is(err, store.ErrDamaged):
		x.log.Warn("content cache is damaged and starts anew", "err", err)
		if err := c.Rebuild(x.ctx); err != nil {
			x.log.Warn("content cache not rebuilt", "err", err)
		}
	default:
		x.log.Warn("content cache", "failed to", what, "err", err)
	}
}

// shrinkCache keeps the cache within its limit.
func (x *Index) shrinkCache() {
	c := x.cache.Load()
	if c == nil {
		return
	}
	n, err := c.Shrink(x.ctx, x.opts.CacheBytes, cacheUnused)
	if err != nil && x.ctx.Err() == nil {
		x.cacheFailed(c, "shrink", err)
	}
	if n > 0 {
		x.log.Info("content cache shrunk", "dropped", n, "bytes", c.SizeBytes())
	}
}
