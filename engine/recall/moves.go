package recall

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/index"
)

// renames gives to new ids what is kept under old ones.
type renames interface {
	Rename(ctx context.Context, ids map[string]string) error
}

// A follower gives to moved code what memory has kept of it under its earlier ids: what was done with it, and links.
type follower struct {
	store renames
	log   *slog.Logger

	mu      sync.Mutex
	moves   []index.Move  // still to be written, oldest first
	running chan struct{} // closed when all are written, nil while nothing is to be
	closed  bool
}

// followTimeout bounds one write.
const followTimeout = 30 * time.Second

// follow takes moves in and returns at once. They are written in their order.
func (f *follower) follow(moves []index.Move) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return
	}
	f.moves = append(f.moves, moves...)
	if f.running == nil {
		f.running = make(chan struct{})
		go f.write()
	}
}

// next returns what is to be written as one, nil when nothing is.
func (f *follower) next() map[string]string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.moves) == 0 {
		close(f.running)
		f.running = nil
		return nil
	}
	ids := f.moves[0].IDs
	f.moves = f.moves[1:]
	return ids
}

func (f *follower) write() {
	for ids := f.next(); ids != nil; ids = f.next() {
		ctx, cancel := context.WithTimeout(context.Background(), followTimeout)
		if err := f.store.Rename(ctx, ids); err != nil {
			f.log.Warn("uses of moved code stay with its old place", "err", err)
		}
		cancel()
	}
}

// wait returns when what was taken in is written.
func (f *follower) wait() {
	f.mu.Lock()
	running := f.running
	f.mu.Unlock()
	if running != nil {
		<-running
	}
}

// close waits for what is being written, and takes no more.
func (f *follower) close() {
	f.mu.Lock()
	f.closed = true
	f.mu.Unlock()
	f.wait()
}
