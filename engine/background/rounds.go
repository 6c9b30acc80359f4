package background

import (
	"context"
	"errors"
	"sync"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/index"
)

// Rounds are work that is done in the background, one round at a time.
type Rounds struct {
	round  func()
	ctx    context.Context // of the rounds; ends with close
	cancel context.CancelFunc
	worker sync.WaitGroup

	mu      sync.Mutex
	closed  bool
	running bool
	again   bool          // something happened since the present round began
	idle    chan struct{} // closed while nothing runs

	first sync.Once
	done  chan struct{} // closed when a round has ended
}

func New(round func()) *Rounds {
	ctx, cancel := context.WithCancel(context.Background())
	idle := make(chan struct{})
	close(idle)
	return &Rounds{round: round, ctx: ctx, cancel: cancel, idle: idle, done: make(chan struct{})}
}

// Context ends when the rounds are closed.
func (r *Rounds) Context() context.Context { return r.ctx }

// Follow begins a round after every index run.
func (r *Rounds) Follow(x *index.Index) {
	x.OnProgress(func(p index.Progress) {
		if p.Finished {
			r.Kick()
		}
	})
	if len(x.Folders()) > 0 && codebase.Scanned(x.Snapshot()) {
		r.Kick()
	}
}

// Kick begins a round, or has the present one followed by another.
func (r *Rounds) Kick() {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.closed:
	case r.running:
		r.again = true
	default:
		r.running, r.idle = true, make(chan struct{})
		r.worker.Go(r.run)
	}
}

func (r *Rounds) run() {
	for {
		r.round()
		r.first.Do(func() { close(r.done) })
		r.mu.Lock()
		if !r.again || r.closed {
			r.running = false
			close(r.idle)
			r.mu.Unlock()
			return
		}
		r.again = false
		r.mu.Unlock()
	}
}

// Running reports whether a round runs.
func (r *Rounds) Running() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.running
}

// Wait returns when no round runs.
func (r *Rounds) Wait(ctx context.Context) error {
	r.mu.Lock()
	idle := r.idle
	r.mu.Unlock()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return errors.New("background work: still running")
	}
}

// WaitOnce returns when a round has ended and none runs. An index run is over a moment before its round begins.
func (r *Rounds) WaitOnce(ctx context.Context) error {
	select {
	case <-r.done:
		return r.Wait(ctx)
	case <-ctx.Done():
		return errors.New("background work: not one round has ended")
	}
}

// Close ends the round that runs and waits for it.
func (r *Rounds) Close() {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.cancel()
	r.worker.Wait()
}
