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

// openCache opens the content cache, once. It runs before the first task of any folder. Without a cache every new text
// is parsed.
func (x *Index) openCache() {
	if x.opts.StoreDir == "" {
		return
	}
	x.cacheOnce.Do(func() {
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
		x.cache, x.cacheEmpty = c, empty && err == nil
	})
}

// cached returns the chunks of a text that was parsed before, nil when the cache does not have them.
func (x *Index) cached(ctx context.Context, key store.Key) *chunk.File {
	if x.cache == nil {
		return nil
	}
	blob, ok, err := x.cache.Load(ctx, key)
	if err != nil {
		x.cacheFailed("read", err)
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
	if x.cache == nil {
		return
	}
	if err := x.cache.Store(x.ctx, contents); err != nil {
		x.cacheFailed("write", err)
	}
}

// cacheFailed starts a damaged cache anew; of any other failure it leaves a note.
func (x *Index) cacheFailed(what string, err error) {
	switch {
	case x.ctx.Err() != nil:
	case errors.Is(err, store.ErrDamaged):
		x.log.Warn("content cache is damaged and starts anew", "err", err)
		if err := x.cache.Rebuild(x.ctx); err != nil {
			x.log.Warn("content cache not rebuilt", "err", err)
		}
	default:
		x.log.Warn("content cache", "failed to", what, "err", err)
	}
}

// shrinkCache keeps the cache within its limit.
func (x *Index) shrinkCache() {
	if x.cache == nil {
		return
	}
	n, err := x.cache.Shrink(x.ctx, x.opts.CacheBytes, cacheUnused)
	if err != nil && x.ctx.Err() == nil {
		x.cacheFailed("shrink", err)
	}
	if n > 0 {
		x.log.Info("content cache shrunk", "dropped", n, "bytes", x.cache.SizeBytes())
	}
}
