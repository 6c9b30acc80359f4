package progress

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	lsp "go.lsp.dev/protocol"
)

// reportEvery is how often a report is sent at most; more than that nobody can read.
const reportEvery = 100 * time.Millisecond

// Client is what of a client is needed here.
type Client interface {
	WorkDoneProgressCreate(ctx context.Context, params *lsp.WorkDoneProgressCreateParams) error
	Progress(ctx context.Context, params *lsp.ProgressParams) error
}

// A WorkDone reports on one piece of work. A nil one reports to nobody. Its methods may be called from several
// goroutines.
type WorkDone struct {
	ctx    context.Context // of the connection: the end must be told when the work's own context is gone
	client Client
	token  lsp.ProgressToken

	mu    sync.Mutex
	ended bool
	last  time.Time // of the last report
}

// Begin starts reporting under a token that the client made.
func Begin(ctx context.Context, client Client, token lsp.ProgressToken, title string, cancellable bool) *WorkDone {
	w := &WorkDone{ctx: context.WithoutCancel(ctx), client: client, token: token}
	w.send(&lsp.WorkDoneProgressBegin{Kind: "begin", Title: title, Cancellable: &cancellable})
	return w
}

// Create asks the client for a progress of the server's own and starts reporting. It waits for the client, so it
// must not be called while messages are being read.
func Create(ctx context.Context, client Client, token, title string) (*WorkDone, error) {
	name := lsp.String(token)
	if err := client.WorkDoneProgressCreate(ctx, &lsp.WorkDoneProgressCreateParams{Token: name}); err != nil {
		return nil, fmt.Errorf("create progress: %w", err)
	}
	return Begin(ctx, client, name, title, false), nil
}

// Report tells how far the work is: done is 0..1, negative when unknown. Reports that come too soon are dropped.
func (w *WorkDone) Report(message string, done float64) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	if w.ended || now.Sub(w.last) < reportEvery {
		return
	}
	w.last = now
	report := &lsp.WorkDoneProgressReport{Kind: "report"}
	if message != "" {
		report.Message = &message
	}
	if done >= 0 {
		percentage := uint32(math.Round(100 * min(1, done)))
		report.Percentage = &percentage
	}
	w.send(report)
}

// End ends the progress. Only the first call counts.
func (w *WorkDone) End(message string) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended {
		return
	}
	w.ended = true
	end := &lsp.WorkDoneProgressEnd{Kind: "end"}
	if message != "" {
		end.Message = &message
	}
	w.send(end)
}

// send writes one event. A client that is gone needs no progress: the error shows where the connection is read.
func (w *WorkDone) send(value any) {
	raw, err := lsp.Marshal(value)
	if err != nil {
		return
	}
	_ = w.client.Progress(w.ctx, &lsp.ProgressParams{Token: w.token, Value: raw})
}
