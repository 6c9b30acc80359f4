package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
	lsp "go.lsp.dev/protocol"
)

// shutdownGrace is how long shutdown waits for the answers to requests that it ends.
const shutdownGrace = 2 * time.Second

// A Call handles a request. Its result is marshalled with LSP's encoder; a json.RawMessage is sent as it is. An
// error that is no *jsonrpc2.Error goes through Methods.MapError.
type Call func(ctx context.Context, params json.RawMessage) (any, error)

// A Notification is handled on the read loop: no later message is looked at until it returns, so it must not wait
// for the client. Its params are valid until then; its error is logged.
type Notification func(ctx context.Context, params json.RawMessage) error

// Methods are what a connection serves. initialize and shutdown must be among the calls.
type Methods struct {
	Calls         map[string]Call
	Notifications map[string]Notification
	MapError      func(error) *jsonrpc2.Error // nil, or returning nil, makes -32603 of an error
	Exit          func(code int)              // called once for the exit notification, on the read loop
}

// A dispatcher runs the handlers of one connection.
//
// It takes the place of the middleware of go.lsp.dev/protocol and jsonrpc2: theirs reorders notifications, closes
// the connection after a panic or a failing notification, and derives contexts from the pooled one of a request,
// which crashes the process.
type dispatcher struct {
	methods Methods
	log     *slog.Logger
	life    lifecycle
	calls   calls
	exit    sync.Once
	workers sync.WaitGroup // handlers of requests, those of cancelled ones included
}

// handle is the jsonrpc2.Handler of the connection.
func (d *dispatcher) handle(rctx context.Context, req *jsonrpc2.Request) (any, error) {
	ctx := jsonrpc2.DetachContext(rctx)
	if req.IsCall() {
		return d.call(rctx, ctx, req)
	}
	d.notify(ctx, req)
	return nil, nil // an error would close the connection
}

func (d *dispatcher) notify(ctx context.Context, req *jsonrpc2.Request) {
	method := strings.Clone(req.Method()) // the request's own is gone with its frame
	if !d.life.admitNotification(method) {
		d.log.Debug("notification dropped: no session", "method", method)
		return
	}
	var err error
	switch handler, known := d.methods.Notifications[method]; {
	case method == lsp.MethodExit:
		d.exit.Do(func() { d.methods.Exit(d.life.exitCode()) })
	case method == lsp.MethodCancelRequest:
		err = d.cancel(req.Params())
	case known:
		err = d.contain(method, func() error { return handler(ctx, json.RawMessage(req.Params())) })
	case !strings.HasPrefix(method, "$/"):
		d.log.Debug("notification of an unknown method", "method", method)
	}
	if err != nil {
		d.log.Warn("notification failed", "method", method, "err", err)
	}
}

func (d *dispatcher) cancel(params []byte) error {
	id, err := parseCancel(params)
	if err == nil {
		d.calls.cancel(id)
	}
	return err
}

func (d *dispatcher) call(rctx, parent context.Context, req *jsonrpc2.Request) (any, error) {
	method, id := strings.Clone(req.Method()), req.ID()
	if refused := d.life.admitCall(method); refused != nil {
		return nil, refused
	}
	handler, known := d.methods.Calls[method]
	if !known {
		return nil, jsonrpc2.Errorf(jsonrpc2.MethodNotFound, "there is no method %.100q", method)
	}
	ctx, ok := d.calls.begin(parent, id)
	if !ok {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "another request with id %q is still being answered", id)
	}
	defer d.calls.end(id)

	if method == lsp.MethodInitialize || method == lsp.MethodShutdown {
		result, err := d.run(ctx, method, handler, json.RawMessage(req.Params()))
		if err == nil {
			d.life.answered(method)
		}
		if method == lsp.MethodShutdown { // every request is owed an answer, and exit comes next
			d.calls.endOthers(id, shutdownGrace)
		}
		return result, d.mapError(ctx, err)
	}
	jsonrpc2.Async(rctx) // after begin: a $/cancelRequest that follows finds the request. It also copies the params.
	result, err := d.await(ctx, method, handler, json.RawMessage(req.Params()))
	return result, d.mapError(ctx, err)
}

// await runs a handler but leaves it behind when the request is cancelled: the client must not wait for a handler
// that is slow to look at its context.
func (d *dispatcher) await(ctx context.Context, method string, handler Call, params json.RawMessage) (any, error) {
	type outcome struct {
		result any
		err    error
	}
	done := make(chan outcome, 1)
	d.workers.Go(func() {
		result, err := d.run(ctx, method, handler, params)
		done <- outcome{result, err}
	})
	select {
	case o := <-done:
		return o.result, o.err
	case <-ctx.Done():
	}
	select {
	case o := <-done: // finished all the same
		return o.result, o.err
	default:
		return nil, context.Cause(ctx)
	}
}

func (d *dispatcher) run(ctx context.Context, method string, handler Call, params json.RawMessage) (result any, err error) {
	err = d.contain(method, func() (err error) {
		result, err = handler(ctx, params)
		return err
	})
	if err != nil {
		return nil, err
	}
	return result, nil
}

// contain turns a panic into an error.
func (d *dispatcher) contain(method string, f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			d.log.Error("handler panicked", "method", method, "panic", p, "stack", string(debug.Stack()))
			err = jsonrpc2.Errorf(jsonrpc2.InternalError,
				"%s failed inside AURORA (%v); the log has the details", method, p)
		}
	}()
	return f()
}

func (d *dispatcher) mapError(ctx context.Context, err error) error {
	var wire *jsonrpc2.Error
	switch {
	case err == nil:
		return nil
	case errors.Is(context.Cause(ctx), errCancelledByClient):
		return jsonrpc2.NewError(lsp.CodeRequestCancelled, "the request was cancelled")
	case errors.As(err, &wire):
		return wire
	}
	if d.methods.MapError != nil {
		if wire := d.methods.MapError(err); wire != nil {
			return wire
		}
	}
	return jsonrpc2.NewError(jsonrpc2.InternalError, fmt.Sprint(err))
}
