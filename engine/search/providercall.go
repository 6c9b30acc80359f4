package search

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// A call is one provider being asked by one search.
type call struct {
	*registered
	ctx     context.Context // of early work: ends when the provider's time is up
	cancel  context.CancelFunc
	timeout time.Duration
	early   <-chan worked // nil for a provider that does all in its turn
	spent   time.Duration
}

// worked is the outcome of early work.
type worked struct {
	then  later
	err   error
	spent time.Duration
}

// start begins the early work of a provider, if it has some.
func (p *registered) start(ctx context.Context, s *search, timeout time.Duration) *call {
	c := &call{registered: p, timeout: timeout, ctx: ctx, cancel: func() {}}
	e, ok := p.provider.(early)
	if !ok {
		return c
	}
	work := e.early(s)
	if work == nil {
		return c
	}
	c.ctx, c.cancel = within(ctx, timeout)
	done := make(chan worked, 1) // nobody waits for what is late
	c.early = done
	go func() {
		begun := time.Now()
		var w worked
		w.err = guarded(func() error { w.then = work(c.ctx); return nil })
		w.spent = time.Since(begun)
		done <- w
	}()
	return c
}

// finish lets the provider propose and keeps the account. A provider without early work has its whole time from here on.
func (c *call) finish(s *search) error {
	if c.early == nil {
		c.ctx, c.cancel = within(c.ctx, c.timeout)
	}
	defer c.cancel()
	start, before := time.Now(), s.proposals
	s.asking = c.id
	err := guarded(func() error { return c.propose(s) })
	c.calls.Add(1)
	c.proposals.Add(uint64(s.proposals - before))
	c.spent += time.Since(start)
	c.latency.Observe(c.spent)
	s.spend(c.id, c.spent)
	if errors.Is(err, context.DeadlineExceeded) {
		c.timeouts.Add(1)
		err = fmt.Errorf("it took longer than %s", c.timeout)
	}
	if err != nil {
		c.failures.Add(1)
	}
	return err
}

func (c *call) propose(s *search) error {
	if c.early == nil {
		return c.registered.propose(c.ctx, s)
	}
	select {
	case w := <-c.early:
		c.spent = w.spent
		if w.err != nil || w.then == nil {
			return w.err
		}
		return w.then(c.ctx, s)
	case <-c.ctx.Done():
		return c.ctx.Err()
	}
}

// within is a context that ends after a time; 0 means with its parent.
func within(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	if timeout > 0 {
		return context.WithTimeout(ctx, timeout)
	}
	return context.WithCancel(ctx)
}

// guarded turns a panic into an error.
func guarded(f func() error) (err error) {
	defer func() {
		if caught := recover(); caught != nil {
			err = fmt.Errorf("panic: %v", caught)
		}
	}()
	return f()
}
