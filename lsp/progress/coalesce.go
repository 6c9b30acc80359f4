package progress

import (
	"context"
	"time"
)

// A Coalescer makes few calls of many signals.
type Coalescer struct{ signals chan struct{} }

// NewCoalescer returns a Coalescer that nothing has signalled yet.
func NewCoalescer() *Coalescer { return &Coalescer{signals: make(chan struct{}, 1)} }

// Signal asks for a call of Run's function. It never blocks.
func (c *Coalescer) Signal() {
	select {
	case c.signals <- struct{}{}:
	default: // one is waiting already and will see what is new
	}
}

// Run calls f after signals until ctx ends: at once after a quiet time, then at most every interval. A signal given
// while f runs leads to another call.
func (c *Coalescer) Run(ctx context.Context, interval time.Duration, f func()) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-c.signals:
		}
		f()
		pause := time.NewTimer(interval)
		select {
		case <-ctx.Done():
			pause.Stop()
			return
		case <-pause.C:
		}
	}
}
