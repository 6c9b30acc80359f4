package server

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/reason"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/api/jsonrpc"
	"github.com/aurora-sidecar/aurora/internal/text"
	"github.com/aurora-sidecar/aurora/lsp/progress"
	"github.com/aurora-sidecar/aurora/lsp/rpc"
)

// A peer is the client at the other end of a connection. All parts of its session share it.
type peer struct {
	conn    *rpc.Conn
	log     *slog.Logger
	ctx     context.Context // of everything that outlives a request
	workers workers
	client  atomic.Pointer[clientInfo] // set by initialize
	news    *progress.Coalescer        // something that status or progress shows has changed

	lentOnce sync.Once
	lent     *engine.Models // of the client; nil when it lends none
}

func newPeer(ctx context.Context, rwc io.ReadWriteCloser, log *slog.Logger) *peer {
	p := &peer{conn: rpc.NewConn(rwc, log), log: log, ctx: ctx, news: progress.NewCoalescer()}
	p.client.Store(&clientInfo{})
	return p
}

// Encoding implements api.Documents.
func (p *peer) Encoding() text.Encoding { return p.client.Load().encoding }

// lentModels are those of the client; nil when it has announced none.
func (p *peer) lentModels() *engine.Models {
	if !p.client.Load().aurora.Complete {
		return nil
	}
	p.lentOnce.Do(func() {
		models, err := reason.LentModels("editor", jsonrpc.Model(p.conn, "editor"))
		if err != nil {
			p.log.Warn("use the client's model", "err", err)
			return
		}
		p.lent = models
	})
	return p.lent
}

// progress returns what passes the events of a query on: to the request's progress, and to a client that announced them.
func (p *peer) progress(ctx context.Context, work *progress.WorkDone) func(engine.Progress) {
	announced := p.client.Load().aurora.Progress
	return func(event engine.Progress) {
		if event.Delta == "" {
			work.Report(event.Stage+": "+event.Detail, event.Done)
		}
		if !announced || ctx.Err() != nil {
			return
		}
		if err := p.notify(api.MethodProgress, api.FromProgress(event)); err != nil {
			p.log.Debug("tell progress", "err", err)
		}
	}
}

// notify sends a notification of the contract. Callers check that the client announced it.
func (p *peer) notify(method string, params any) error {
	raw, err := jsonrpc.Encode(params)
	if err != nil {
		return err
	}
	return p.conn.Notify(p.ctx, method, raw)
}

// containPanic keeps a failure in a goroutine of its own from ending the process; it must be deferred.
func (p *peer) containPanic(what string) {
	if cause := recover(); cause != nil {
		p.log.Error("contained a panic", "in", what, "panic", cause)
	}
}

// workers are the goroutines of a session that no request waits for.
type workers struct {
	mu     sync.Mutex
	closed bool
	group  sync.WaitGroup
}

// run starts f unless the session is closing.
func (w *workers) run(f func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed {
		w.group.Go(f)
	}
}

// close lets no more start, waits for those that run at most the grace time, and reports whether all have ended.
func (w *workers) close(grace time.Duration) bool {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	ended := make(chan struct{})
	go func() { w.group.Wait(); close(ended) }()
	limit := time.NewTimer(grace)
	defer limit.Stop()
	select {
	case <-ended:
		return true
	case <-limit.C:
		return false
	}
}
