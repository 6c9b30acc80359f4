package rpc

import (
	"sync"

	"go.lsp.dev/jsonrpc2"
	lsp "go.lsp.dev/protocol"
)

// phase is how far a connection has come in LSP's life: initialize, shutdown, exit.
type phase int

const (
	fresh phase = iota
	running
	down
)

// A lifecycle decides which message may be handled when.
type lifecycle struct {
	mu    sync.Mutex
	phase phase
}

// admitCall returns the error that a call gets instead of its handler's answer, or nil.
func (l *lifecycle) admitCall(method string) *jsonrpc2.Error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.phase == down:
		return jsonrpc2.NewError(jsonrpc2.InvalidRequest, "the server was shut down; only exit may follow")
	case l.phase == fresh && method != lsp.MethodInitialize:
		return jsonrpc2.Errorf(jsonrpc2.ServerNotInitialized, "%s came before initialize", method)
	case l.phase == running && method == lsp.MethodInitialize:
		return jsonrpc2.NewError(jsonrpc2.InvalidRequest, "initialize was called before")
	}
	return nil
}

// admitNotification reports whether a notification is handled. LSP drops all but exit outside a session.
func (l *lifecycle) admitNotification(method string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.phase == running || method == lsp.MethodExit
}

// answered moves on after initialize or shutdown succeeded.
func (l *lifecycle) answered(method string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch method {
	case lsp.MethodInitialize:
		l.phase = running
	case lsp.MethodShutdown:
		l.phase = down
	}
}

// exitCode is the status that LSP wants of the process: 0 only after shutdown.
func (l *lifecycle) exitCode() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.phase == down {
		return 0
	}
	return 1
}
