package git

import (
	"container/list"
	"context"
	"errors"
	"sync"
)

const (
	// blameCacheFiles is how many blames are kept: about 4 bytes a line and 150 a commit, so tens of kilobytes each.
	blameCacheFiles = 64
	// blameProcesses is how many run at once; the rest of the machine belongs to the person.
	blameProcesses = 2
)

// A blameCache keeps recent blames and lets those who ask for the same one share a run. A blame of a long file takes
// longer than a hover may, so one whose askers only ran out of time goes on and serves the next hover; one that all
// of them cancelled is killed.
type blameCache struct {
	limit  int
	slots  chan struct{}
	ctx    context.Context // of the runs; ended by close
	cancel context.CancelFunc
	runs   sync.WaitGroup

	mu      sync.Mutex
	closed  bool
	entries map[blameKey]*list.Element // of *blameEntry
	recent  *list.List                 // most recently used first
	flights map[blameKey]*blameFlight
}

type blameEntry struct {
	key   blameKey
	blame *fileBlame
}

// A blameFlight is a run and those who wait for it.
type blameFlight struct {
	done    chan struct{} // closed when blame and err are set
	blame   *fileBlame
	err     error
	waiters int
	cancel  context.CancelFunc
}

func newBlameCache(limit int) *blameCache {
	ctx, cancel := context.WithCancel(context.Background())
	return &blameCache{
		limit: limit, slots: make(chan struct{}, blameProcesses), ctx: ctx, cancel: cancel,
		entries: make(map[blameKey]*list.Element), recent: list.New(), flights: make(map[blameKey]*blameFlight),
	}
}

// get returns the kept blame of key if fresh accepts it, else the result of load.
func (c *blameCache) get(ctx context.Context, key blameKey, fresh func(*fileBlame) bool,
	load func(context.Context) (*fileBlame, error)) (*fileBlame, error) {
	if b := c.kept(key); b != nil && fresh(b) {
		return b, nil
	}
	f, err := c.join(key, load)
	if err != nil {
		return nil, err
	}
	select {
	case <-f.done:
		return f.blame, f.err
	case <-ctx.Done():
		c.leave(key, f, ctx.Err())
		return nil, ctx.Err()
	}
}

func (c *blameCache) kept(key blameKey) *fileBlame {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.entries[key]
	if e == nil {
		return nil
	}
	c.recent.MoveToFront(e)
	return e.Value.(*blameEntry).blame
}

// join waits with others for key, or starts the run.
func (c *blameCache) join(key blameKey, load func(context.Context) (*fileBlame, error)) (*blameFlight, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, ErrClosed
	}
	if f := c.flights[key]; f != nil {
		f.waiters++
		return f, nil
	}
	ctx, cancel := context.WithCancel(c.ctx)
	f := &blameFlight{done: make(chan struct{}), waiters: 1, cancel: cancel}
	c.flights[key] = f
	c.runs.Go(func() {
		defer cancel()
		f.blame, f.err = c.load(ctx, load)
		c.land(key, f)
	})
	return f, nil
}

// load waits for a slot and runs load.
func (c *blameCache) load(ctx context.Context, load func(context.Context) (*fileBlame, error)) (*fileBlame, error) {
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
		return load(ctx)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// leave gives up waiting. The last one who cancelled takes the run along; out of time is not cancelled.
func (c *blameCache) leave(key blameKey, f *blameFlight, cause error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f.waiters--
	if f.waiters == 0 && errors.Is(cause, context.Canceled) {
		f.cancel()
		if c.flights[key] == f {
			delete(c.flights, key) // the next caller must not join a run that was cancelled
		}
	}
}

// land publishes the result and keeps it if it is one.
func (c *blameCache) land(key blameKey, f *blameFlight) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.flights[key] == f {
		delete(c.flights, key)
	}
	close(f.done)
	if f.err == nil {
		c.keep(key, f.blame)
	}
}

func (c *blameCache) keep(key blameKey, b *fileBlame) {
	if e := c.entries[key]; e != nil {
		e.Value.(*blameEntry).blame = b
		c.recent.MoveToFront(e)
		return
	}
	c.entries[key] = c.recent.PushFront(&blameEntry{key, b})
	for c.recent.Len() > c.limit {
		oldest := c.recent.Remove(c.recent.Back()).(*blameEntry)
		delete(c.entries, oldest.key)
	}
}

// close kills the runs and waits for them.
func (c *blameCache) close() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.cancel()
	c.runs.Wait()
}
