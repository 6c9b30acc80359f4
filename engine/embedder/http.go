package embedder

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/internal/retryafter"
)

// maxAnswer bounds what is read of one answer: 2,048 vectors of 4,096 numbers as text.
const maxAnswer = 256 << 20

// retryAfter is how long an endpoint asked to wait, 0 when it did not.
type retryAfter struct{ value time.Duration }

type retryAfterKey struct{}

// withRetryAfter returns a context whose requests note the answer's Retry-After in r, which the client library drops.
func withRetryAfter(ctx context.Context, r *retryAfter) context.Context {
	return context.WithValue(ctx, retryAfterKey{}, r)
}

// client follows no redirect: texts and the key go where the user said, nowhere else.
var client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// A doer sends requests for the client library.
type doer struct{}

// Do implements openai.HTTPDoer.
func (doer) Do(req *http.Request) (*http.Response, error) {
	res, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	if r, ok := req.Context().Value(retryAfterKey{}).(*retryAfter); ok {
		r.value = retryafter.Of(res.Header, time.Now())
	}
	res.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(res.Body, maxAnswer), res.Body}
	return res, nil
}

// A pace spreads requests evenly over a minute.
type pace struct {
	mu       *sync.Mutex
	interval time.Duration
	free     *time.Time // when the next request may go
}

func newPace(perMinute int) pace {
	p := pace{mu: new(sync.Mutex), free: new(time.Time)}
	if perMinute > 0 {
		p.interval = time.Minute / time.Duration(perMinute)
	}
	return p
}

// next waits until the next request may go.
func (p pace) next(ctx context.Context, wait func(context.Context, time.Duration) error) error {
	if p.interval == 0 {
		return nil
	}
	p.mu.Lock()
	now := time.Now()
	at := now
	if p.free.After(now) {
		at = *p.free
	}
	*p.free = at.Add(p.interval)
	p.mu.Unlock()
	return wait(ctx, at.Sub(now))
}
