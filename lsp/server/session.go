package server

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/conversation"
)

// closeGrace is how long an ending connection waits for handlers, and then for other work, that don't look at their contexts.
const closeGrace = time.Second

// A session is one client's connection, put together of parts that each serve one concern and share its peer. The read loop
// alone changes its folders and documents.
type session struct {
	hub    *Hub
	engine *engine.Engine

	*peer
	*openDocuments
	*workspace
	config *configuration
	code   *codeFeatures
	review *reviewer
	person *person
	window *window
	tokens *tokens
	talks  conversation.Talks

	exits  chan int // the code of exit, at most one
	parent chan struct{}
}

// Serve serves one client until it exits, hangs up, its process dies, or ctx ends. The code is what the process of
// a single client should return: 0 after an orderly shutdown, else 1.
func (h *Hub) Serve(ctx context.Context, rwc io.ReadWriteCloser) (code int) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p := newPeer(ctx, rwc, h.log)
	config := newConfiguration(p, h)
	docs := &openDocuments{peer: p, hub: h, engine: h.opts.Engine, config: config}
	review := newReviewer(p, h, docs, config)
	s := &session{
		hub: h, engine: h.opts.Engine, peer: p, openDocuments: docs, config: config,
		workspace: &workspace{peer: p, hub: h, engine: h.opts.Engine, config: config},
		code:      &codeFeatures{peer: p, engine: h.opts.Engine, docs: docs, config: config, review: review, hoverBudget: h.opts.HoverBudget},
		review:    review,
		person:    &person{peer: p, engine: h.opts.Engine},
		window:    &window{peer: p, stateDir: h.opts.StateDir},
		tokens:    &tokens{peer: p},
		exits:     make(chan int, 1), parent: make(chan struct{}),
	}
	review.folders = s.Folders
	docs.saved = review.saved
	config.changed = review.memoryChanged
	h.join(p)
	s.conn.Start(ctx, s.methods())

	hungUp := make(chan struct{})
	go func() { s.conn.Wait(); close(hungUp) }()
	select {
	case code = <-s.exits:
	case <-hungUp:
		code = s.codeAfterHangUp()
	case <-s.parent:
		s.log.Info("the client's process has ended")
		code = s.conn.ExitCode()
	case <-ctx.Done():
		code = s.conn.ExitCode()
	}
	s.close(cancel)
	return code
}

// codeAfterHangUp prefers the code of an exit that came right before the end of input.
func (s *session) codeAfterHangUp() int {
	select {
	case code := <-s.exits:
		return code
	default:
	}
	if err := s.conn.Err(); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		s.log.Warn("connection ended", "err", err)
	}
	return s.conn.ExitCode()
}

func (s *session) close(cancel context.CancelFunc) {
	cancel()
	if !s.conn.Close(closeGrace) {
		s.log.Warn("handlers are still running after the connection closed")
	}
	if !s.workers.close(closeGrace) {
		s.log.Warn("background work of a session is still running after the connection closed")
	}
	s.hub.leave(s.peer)
	for _, path := range s.docs.paths() {
		s.hub.closed(s.openDocuments, path)
	}
}
