package engine

import (
	"context"
	"errors"
	"sync"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/index"
)

// rounds are work that is done in the background, one round at a time.
type rounds struct {
	round  func()
	ctx    context.Context // of the rounds; ends with close
	cancel context.CancelFunc
	worker sync.WaitGroup

	mu      sync.Mutex
	closed  bool
	running bool
	again   bool          // something happened since the present round began
	idle    chan struct{} // closed while nothing runs
}

func newRounds(round func()) *rounds {
	ctx, cancel := context.WithCancel(context.Background())
	idle := make(chan struct{})
	close(idle)
	return &rounds{round: round, ctx: ctx, cancel: cancel, idle: idle}
}

// context ends when the rounds are closed.
func (r *rounds) context() context.Context { return r.ctx }

// follow begins a round after every index run.
func (r *rounds) follow(x *index.Index) {
	x.OnProgress(func(p index.Progress) {
		if p.Finished {
			r.kick()
		}
	})
	if len(x.Folders()) > 0 && codebase.Scanned(x.Snapshot()) {
		r.kick()
	}
}

// kick begins a round, or has the present one followed by another.
func (r *rounds) kick() {
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

func (r *rounds) run() {
	for {
		r.round()
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

// isRunning reports whether a round runs.
func (r *rounds) isRunning() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.running
}

// wait returns when no round runs.
func (r *rounds) wait(ctx context.Context) error {
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

// close ends the round that runs and waits for it.
func (r *rounds) close() {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.cancel()
	r.worker.Wait()
}
