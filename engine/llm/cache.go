package llm

import (
	"container/list"
	"context"
	"crypto/sha256"
	"encoding/json"
	"sync"
)

// cached keeps the replies to calls at temperature 0 by (model, hash of the prompt). A reply that was cut, or is not
// of its request's schema, is not kept.
type cached struct {
	next  Generator
	model string // that of requests without one
	size  int

	mu      sync.Mutex
	entries map[[sha256.Size]byte]*list.Element
	recent  *list.List // of *entry, the latest used first
}

type entry struct {
	key      [sha256.Size]byte
	response Response
}

func newCached(next Generator, model string, size int) *cached {
	return &cached{next: next, model: model, size: size, entries: map[[sha256.Size]byte]*list.Element{}, recent: list.New()}
}

// Complete implements Generator.
func (c *cached) Complete(ctx context.Context, r Request) (*Response, error) {
	return c.through(r, func() (*Response, error) { return c.next.Complete(ctx, r) })
}

// Stream implements Generator. A kept reply comes in one piece.
func (c *cached) Stream(ctx context.Context, r Request, sink func(Delta)) (*Response, error) {
	called := false
	response, err := c.through(r, func() (*Response, error) {
		called = true
		return c.next.Stream(ctx, r, sink)
	})
	if err == nil && !called && response.Text != "" {
		sink(Delta{Text: response.Text})
	}
	return response, err
}

func (c *cached) through(r Request, call func() (*Response, error)) (*Response, error) {
	if r.Temperature != 0 || r.Fresh {
		return call()
	}
	key := c.key(r)
	if response, ok := c.get(key); ok {
		response.Cached, response.Usage = true, Usage{}
		r.Account.addKept()
		return &response, nil
	}
	response, err := call()
	if err == nil && !response.Truncated && (r.Schema == nil || len(response.Calls) > 0 || r.Schema.accepts(response.Text)) {
		c.put(key, *response)
	}
	return response, err
}

func (c *cached) key(r Request) [sha256.Size]byte {
	name := r.Model
	if name == "" {
		name = c.model
	}
	schema := ""
	if r.Schema != nil {
		schema = r.Schema.Name
	}
	// Strings and messages of strings always encode.
	encoded, _ := json.Marshal([]any{name, schema, r.MaxTokens, r.Messages, len(r.Tools) > 0})
	return sha256.Sum256(encoded)
}

func (c *cached) get(key [sha256.Size]byte) (Response, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.entries[key]
	if !ok {
		return Response{}, false
	}
	c.recent.MoveToFront(at)
	return at.Value.(*entry).response, true
}

func (c *cached) put(key [sha256.Size]byte, response Response) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at, ok := c.entries[key]; ok {
		at.Value.(*entry).response = response
		return
	}
	c.entries[key] = c.recent.PushFront(&entry{key, response})
	if c.recent.Len() > c.size {
		oldest := c.recent.Remove(c.recent.Back()).(*entry)
		delete(c.entries, oldest.key)
	}
}
