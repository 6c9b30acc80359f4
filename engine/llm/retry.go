package llm

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/aurora-sidecar/aurora/internal/retryafter"
)

// Retry says how failed calls are repeated.
type Retry struct {
	Attempts int // with the first one; 0 means 3
	// Sleep waits, or returns the context's error; nil waits for real.
	Sleep func(ctx context.Context, d time.Duration) error
}

const (
	usualAttempts = 3
	firstPause    = time.Second // between the first attempt and the second; doubled for each further one
	pauseJitter   = 0.2         // share of a pause that chance may take away, so that many clients do not come back together
)

func (r Retry) orDefaults() Retry {
	if r.Attempts <= 0 {
		r.Attempts = usualAttempts
	}
	if r.Sleep == nil {
		r.Sleep = retryafter.Wait
	}
	return r
}

// retrying repeats calls that failed for a passing reason.
type retrying struct {
	next     Generator
	policy   Retry
	deadline time.Duration
}

// Complete implements Generator.
func (g *retrying) Complete(ctx context.Context, r Request) (*Response, error) {
	return g.repeat(ctx, r.Notice, func(ctx context.Context) (*Response, error) { return g.next.Complete(ctx, r) })
}

// Stream implements Generator. An attempt that broke in the middle is told by a Delta with Restart.
func (g *retrying) Stream(ctx context.Context, r Request, sink func(Delta)) (*Response, error) {
	given := false
	return g.repeat(ctx, r.Notice, func(ctx context.Context) (*Response, error) {
		if given {
			sink(Delta{Restart: true})
			given = false
		}
		return g.next.Stream(ctx, r, func(d Delta) {
			given = true
			sink(d)
		})
	})
}

func (g *retrying) repeat(outer context.Context, notice func(*Error, time.Duration), call func(context.Context) (*Response, error)) (*Response, error) {
	end := time.Now().Add(g.deadline)
	wait := firstPause
	for attempt := 1; ; attempt++ {
		response, err := call(outer)
		if err == nil {
			return response, nil
		}
		if outer.Err() != nil {
			return nil, outer.Err()
		}
		failure := asError(err)
		if failure == nil {
			return nil, err
		}
		failure.Attempts = attempt
		pause := max(jittered(wait), failure.RetryAfter)
		if !failure.transient() || attempt == g.policy.Attempts || pause > retryafter.Longest || time.Until(end) <= pause {
			return nil, failure
		}
		if notice != nil {
			notice(failure, pause)
		}
		if err := g.policy.Sleep(outer, pause); err != nil {
			if outer.Err() != nil {
				return nil, outer.Err()
			}
			return nil, failure
		}
		wait *= 2
	}
}

func jittered(d time.Duration) time.Duration {
	return time.Duration(float64(d) * (1 - pauseJitter*rand.Float64()))
}
