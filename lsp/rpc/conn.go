package rpc

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"go.lsp.dev/jsonrpc2"
	lsp "go.lsp.dev/protocol"
)

// ErrStopped is the cause of the contexts of requests that a closing connection ends.
var ErrStopped = errors.New("the connection is closing")

// A Conn is one client's connection.
type Conn struct {
	conn   jsonrpc2.Conn
	stream *Stream
	disp   *dispatcher
	client lsp.Client
	cancel context.CancelCauseFunc
}

// NewConn prepares a connection; nothing is handled before Start. It reads and writes rwc and closes it in the
// end. A nil log discards.
func NewConn(rwc io.ReadWriteCloser, log *slog.Logger) *Conn {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	stream := NewStream(rwc, log)
	conn := jsonrpc2.NewConn(stream, jsonrpc2.WithCodec(codec{}))
	return &Conn{
		conn:   conn,
		stream: stream,
		disp:   &dispatcher{log: log},
		client: lsp.ClientDispatcher(conn),
	}
}

// Start handles messages until the input ends, ctx ends or Close is called. It returns at once and must be called
// once.
func (c *Conn) Start(ctx context.Context, methods Methods) {
	ctx, c.cancel = context.WithCancelCause(ctx)
	if methods.Exit == nil {
		methods.Exit = func(int) {}
	}
	c.disp.methods = methods
	context.AfterFunc(ctx, func() { _ = c.stream.Close() })
	c.conn.Go(ctx, c.disp.handle)
}

// Client sends LSP's requests and notifications to the client. A request must not be awaited on the read loop.
func (c *Conn) Client() lsp.Client { return c.client }

// Notify sends a notification; params are marshalled like results.
func (c *Conn) Notify(ctx context.Context, method string, params any) error {
	return c.conn.Notify(ctx, method, params)
}

// Call sends a request and waits for the answer; result is a pointer. When ctx ends first the client is told with
// $/cancelRequest.
func (c *Conn) Call(ctx context.Context, method string, params, result any) error {
	return lsp.Call(ctx, c.conn, method, params, result)
}

// Wait returns when no further message will come: the input ended and what was asked before is answered, the
// connection broke, or Close was called. Requests may still be running.
func (c *Conn) Wait() {
	select {
	case <-c.stream.ended:
	case <-c.stream.closing:
	case <-c.conn.Done():
	}
}

// Err tells why the connection ended; nil for an orderly end.
func (c *Conn) Err() error { return c.conn.Err() }

// ExitCode is the status for the process that served this connection: 0 after shutdown, else 1.
func (c *Conn) ExitCode() int { return c.disp.life.exitCode() }

// Close ends the connection: it cancels all requests, closes the stream and waits for the handlers at most the
// grace time. It reports whether all of them ended.
func (c *Conn) Close(grace time.Duration) bool {
	c.cancel(ErrStopped)
	_ = c.stream.Close()
	ended := make(chan struct{})
	go func() {
		<-c.conn.Done()
		c.disp.workers.Wait()
		close(ended)
	}()
	limit := time.NewTimer(grace)
	defer limit.Stop()
	select {
	case <-ended:
		return true
	case <-limit.C:
		return false
	}
}
