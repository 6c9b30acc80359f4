package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
)

// errCancelledByClient is the cause of a context that $/cancelRequest ended.
var errCancelledByClient = errors.New("cancelled by the client")

// calls are the requests that are being handled.
type calls struct {
	mu   sync.Mutex
	live map[jsonrpc2.ID]context.CancelCauseFunc
	last chan struct{} // closed when only one request is left; nil when nobody waits for that
}

// begin registers a request. ok is false when one with the same id is still being handled.
func (c *calls) begin(parent context.Context, id jsonrpc2.ID) (ctx context.Context, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, taken := c.live[id]; taken {
		return nil, false
	}
	ctx, cancel := context.WithCancelCause(parent)
	ctx = context.WithValue(ctx, cancelKey{}, func() { cancel(errCancelledByClient) })
	if c.live == nil {
		c.live = make(map[jsonrpc2.ID]context.CancelCauseFunc)
	}
	c.live[id] = cancel
	return ctx, true
}

type cancelKey struct{}

// Canceller returns what ends the request of a handler's context as $/cancelRequest would: for clients that cancel
// a progress instead of its request. Outside a handler it returns a function that does nothing.
func Canceller(ctx context.Context) func() {
	if cancel, ok := ctx.Value(cancelKey{}).(func()); ok {
		return cancel
	}
	return func() {}
}

// end forgets a request and frees its context.
func (c *calls) end(id jsonrpc2.ID) {
	c.mu.Lock()
	cancel := c.live[id]
	delete(c.live, id)
	if c.last != nil && len(c.live) <= 1 {
		close(c.last)
		c.last = nil
	}
	c.mu.Unlock()
	cancel(nil)
}

// endOthers ends all requests but one, as $/cancelRequest would, and waits for their answers at most the grace time.
func (c *calls) endOthers(id jsonrpc2.ID, grace time.Duration) {
	last := c.cancelOthers(id)
	if last == nil {
		return
	}
	limit := time.NewTimer(grace)
	defer limit.Stop()
	select {
	case <-last:
	case <-limit.C:
	}
}

// cancelOthers returns what is closed when only one request is left, nil when that is so already.
func (c *calls) cancelOthers(id jsonrpc2.ID) <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	for other, cancel := range c.live {
		if other != id {
			cancel(errCancelledByClient)
		}
	}
	if len(c.live) <= 1 {
		return nil
	}
	c.last = make(chan struct{})
	return c.last
}

// cancel ends the request of an id on behalf of the client; unknown ids are those of requests already answered.
func (c *calls) cancel(id jsonrpc2.ID) {
	c.mu.Lock()
	cancel := c.live[id]
	c.mu.Unlock()
	if cancel != nil {
		cancel(errCancelledByClient)
	}
}

// parseCancel reads the id in the params of $/cancelRequest.
func parseCancel(params []byte) (jsonrpc2.ID, error) {
	var p struct {
		ID json.RawMessage `json:"id"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return jsonrpc2.ID{}, err
	}
	var number int64
	if json.Unmarshal(p.ID, &number) == nil && string(p.ID) != "null" {
		return jsonrpc2.NewNumberID(number), nil
	}
	var name string
	if json.Unmarshal(p.ID, &name) == nil && string(p.ID) != "null" {
		return jsonrpc2.NewStringID(name), nil
	}
	return jsonrpc2.ID{}, errors.New(`"id" is neither a string nor a whole number`)
}
