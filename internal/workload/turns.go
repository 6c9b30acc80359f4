package workload

import (
	"context"
	"slices"
	"sync"
	"time"
)

// maxWaiting is how many requests may wait for their turn.
const maxWaiting = 2000

// lease is how long a request keeps its turn: one that takes longer waits for something else, such as a model, or is one of few.
const lease = 100 * time.Millisecond

// turns lets a few requests work at a time.
type turns struct {
	mu      sync.Mutex
	free    int
	waiting [2][]chan struct{} // closed when it is their turn; the first list goes first
}

// take waits for a turn. done, which may be called more than once, gives it back; so does the end of the lease.
func (t *turns) take(ctx context.Context, first bool) (done func(), err error) {
	turn, err := t.queue(first)
	if err != nil {
		return nil, err
	}
	if turn != nil {
		select {
		case <-turn:
		case <-ctx.Done():
			t.giveUp(turn)
			return nil, context.Cause(ctx)
		}
	}
	pass := sync.OnceFunc(t.pass)
	timer := time.AfterFunc(lease, pass)
	return func() { timer.Stop(); pass() }, nil
}

// queue returns nil when a turn is free, else what is closed when one is.
func (t *turns) queue(first bool) (chan struct{}, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.free > 0 {
		t.free--
		return nil, nil
	}
	if len(t.waiting[0])+len(t.waiting[1]) >= maxWaiting {
		return nil, ErrBusy
	}
	turn := make(chan struct{})
	list := 1
	if first {
		list = 0
	}
	t.waiting[list] = append(t.waiting[list], turn)
	return turn, nil
}

// giveUp takes a request off the list; a turn that came meanwhile goes to the next.
func (t *turns) giveUp(turn chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for list := range t.waiting {
		if i := slices.Index(t.waiting[list], turn); i >= 0 {
			t.waiting[list] = slices.Delete(t.waiting[list], i, i+1)
			return
		}
	}
	t.passLocked()
}

func (t *turns) pass() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.passLocked()
}

// passLocked gives a turn to the next in line.
func (t *turns) passLocked() {
	for list := range t.waiting {
		if len(t.waiting[list]) > 0 {
			next := t.waiting[list][0]
			t.waiting[list] = t.waiting[list][1:]
			close(next)
			return
		}
	}
	t.free++
}
