package sqlite

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/memory"
)

const (
	// flushAfter is how long a use waits to be written; a kill -9 loses at most two seconds.
	flushAfter = 1500 * time.Millisecond

	flushTimeout = 10 * time.Second // of one attempt

	fullBatch  = 256    // uses that are not kept waiting
	maxPending = 10_000 // uses kept while the store can't be written; older ones are dropped
)

// A pendingUse is a use that is not in the database yet.
type pendingUse struct {
	subject string
	action  memory.Use
	weight  float64
	at      time.Time
}

// uses gathers uses in memory and writes them together. It runs no goroutine while nothing waits.
type uses struct {
	database *database

	flushing sync.Mutex // one flush at a time

	mu      sync.Mutex // also held while a flush commits, so that nobody sees its uses twice
	pending []pendingUse
	flushes uint64 // commits so far
	timer   *time.Timer
	closed  bool
	failing bool // the last flush failed, and the log says so
}

// add notes uses. They count from now on.
func (u *uses) add(list []pendingUse) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.pending = append(u.pending, list...)
	if over := len(u.pending) - maxPending; over > 0 {
		u.pending = slices.Delete(u.pending, 0, over)
	}
	switch {
	case u.closed:
	case u.timer == nil:
		u.timer = time.AfterFunc(flushAfter, u.flushLater)
	case len(u.pending) >= fullBatch && len(u.pending)-len(list) < fullBatch:
		u.timer.Reset(0)
	}
}

// flushLater is what the timer runs. What can't be written is tried again.
func (u *uses) flushLater() {
	ctx, cancel := context.WithTimeout(context.Background(), flushTimeout)
	defer cancel()
	err := u.flush(ctx)
	u.mu.Lock()
	defer u.mu.Unlock()
	if err != nil && !u.failing {
		u.database.opts.Log.Warn("write uses", "err", err)
	}
	u.failing = err != nil
	u.timer = nil
	if len(u.pending) > 0 && !u.closed {
		u.timer = time.AfterFunc(flushAfter, u.flushLater)
	}
}

// flush writes what waits.
func (u *uses) flush(ctx context.Context) error {
	u.flushing.Lock()
	defer u.flushing.Unlock()
	u.mu.Lock()
	batch := slices.Clone(u.pending)
	u.mu.Unlock()
	if len(batch) == 0 {
		return nil
	}
	err := u.database.writeThen(ctx, func(tx tx) error {
		for _, use := range batch {
			if err := recordUse(ctx, tx, use); err != nil {
				return err
			}
		}
		return nil
	}, func(commit func() error) error {
		u.mu.Lock()
		defer u.mu.Unlock()
		if err := commit(); err != nil {
			return err
		}
		u.flushes++
		// Uses were only added behind the batch, unless there were too many.
		u.pending = slices.Delete(u.pending, 0, min(len(batch), len(u.pending)))
		return nil
	})
	if err != nil {
		return fmt.Errorf("write %d uses: %w", len(batch), err)
	}
	return nil
}

// of returns the uses of ids that wait, and the number of flushes so far.
func (u *uses) of(ids []string) (waiting []pendingUse, flushes uint64) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, use := range u.pending {
		if slices.Contains(ids, use.subject) {
			waiting = append(waiting, use)
		}
	}
	return waiting, u.flushes
}

// flushed reports whether a flush has committed since there were so many.
func (u *uses) flushed(since uint64) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.flushes != since
}

// close writes what waits, for the last time.
func (u *uses) close() error {
	u.mu.Lock()
	u.closed = true
	if u.timer != nil {
		u.timer.Stop()
	}
	u.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), flushTimeout)
	defer cancel()
	return u.flush(ctx)
}
