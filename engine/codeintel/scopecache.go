package codeintel

import (
	"container/list"
	"crypto/sha256"
	"sync"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/index/syntax"
)

const (
	// scopeCacheFiles is how many files' scopes are kept, some hundred kilobytes each.
	scopeCacheFiles = 64
	// maxScopedBytes bounds the texts whose scopes are looked for: parsing takes some ten milliseconds for 200 KB.
	maxScopedBytes = 1 << 20
)

// A scopeCache keeps what recent texts declare.
type scopeCache struct {
	mu      sync.Mutex
	entries map[scopeKey]*list.Element // of *scopeEntry
	recent  *list.List                 // most recently used first
}

type scopeKey struct {
	language string
	text     [sha256.Size]byte
}

type scopeEntry struct {
	key    scopeKey
	once   sync.Once
	scopes *syntax.Scopes // nil when the text has none
}

func newScopeCache() *scopeCache {
	return &scopeCache{entries: map[scopeKey]*list.Element{}, recent: list.New()}
}

// of returns what a document declares, nil when that is not known: its language has no rules for it, it is too large, or
// it did not parse when it was indexed, so that a grammar must not be bothered with it here.
func (c *scopeCache) of(doc *codebase.Document) *syntax.Scopes {
	lang := syntax.ByName(doc.File.Language)
	if lang == nil || len(doc.Text) > maxScopedBytes || !hasDefinitions(doc) {
		return nil
	}
	entry := c.entry(scopeKey{lang.Name, sha256.Sum256(doc.Text)})
	entry.once.Do(func() {
		defer func() { _ = recover() }() // a text that a query can't stand has no scopes
		entry.scopes, _ = syntax.FindScopes(lang, doc.Text)
	})
	return entry.scopes
}

// hasScopes reports whether the names of a language are followed.
func hasScopes(language string) bool {
	lang := syntax.ByName(language)
	return lang != nil && lang.HasScopes()
}

// hasDefinitions reports whether a file was cut by a grammar rather than by its paragraphs.
func hasDefinitions(doc *codebase.Document) bool {
	if !doc.File.Errors {
		return true
	}
	for i := range doc.File.Chunks {
		if !doc.File.Chunks[i].NameSpan.Empty() {
			return true
		}
	}
	return false
}

func (c *scopeCache) entry(key scopeKey) *scopeEntry {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.entries[key]; e != nil {
		c.recent.MoveToFront(e)
		return e.Value.(*scopeEntry)
	}
	e := &scopeEntry{key: key}
	c.entries[key] = c.recent.PushFront(e)
	for c.recent.Len() > scopeCacheFiles {
		delete(c.entries, c.recent.Remove(c.recent.Back()).(*scopeEntry).key)
	}
	return e
}
