package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// Of starting a daemon.
const (
	startLimit = 10 * time.Second
	startEvery = 10 * time.Millisecond // how often a daemon that starts is looked for
)

// endGrace is how long the daemon may go on with a session whose client says nothing more.
const endGrace = 5 * time.Second

// A Session is one editor's connection with a daemon.
type Session struct {
	peer
}

// Connect joins the daemon of a Place, which must be of the same build. When there is none it starts command, which
// must call Listen for the Place and outlives this process. The error is a *Refusal, a *StoppedError, tells that ctx has
// ended, or why no daemon serves after a few seconds.
func Connect(ctx context.Context, p Place, build string, command *exec.Cmd) (*Session, error) {
	if err := p.makeDir(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, startLimit, fmt.Errorf("no daemon answers after %s", startLimit))
	defer cancel()
	var ended <-chan error // of the daemon that this process started last
	for {
		daemon, err := p.greet(ctx, hello{Build: build, Want: wantSession})
		var refusal *Refusal
		var stopped *StoppedError
		switch {
		case err == nil:
			return &Session{peer: *daemon}, nil
		case errors.As(err, &refusal), errors.As(err, &stopped):
			return nil, err
		case ended == nil:
			if ended, err = start(command); err != nil {
				return nil, fmt.Errorf("start a daemon: %w", err)
			}
		}
		select {
		case err := <-ended:
			if err != nil {
				return nil, fmt.Errorf("the daemon ended before it served: %w", err)
			}
			ended = nil // another one was quicker; when that one is gone again by now, start the next
		case <-time.After(startEvery):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// start runs a copy of command, apart from this process's terminal and streams. The channel gets how it ended.
func start(command *exec.Cmd) (<-chan error, error) {
	daemon := &exec.Cmd{Path: command.Path, Args: command.Args, Dir: command.Dir, Env: command.Env, SysProcAttr: detached()}
	if err := daemon.Start(); err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- daemon.Wait() }()
	return ended, nil
}

// Forward joins a client's streams with the session until it ends, and returns the exit code that LSP asks of a
// server: 0 after shutdown and exit, else 1. When in or ctx ends the session does. The error tells of an end that
// the client did not bring about: the daemon died or was stopped, or out can't be written to.
func (s *Session) Forward(ctx context.Context, in io.Reader, out io.Writer) (code int, err error) {
	defer s.conn.Close()
	hangUp := func() {
		_ = s.conn.CloseWrite()
		_ = s.conn.SetReadDeadline(time.Now().Add(endGrace))
	}
	defer context.AfterFunc(ctx, hangUp)()
	go func() {
		_, _ = io.Copy(s.conn, in)
		hangUp()
	}()
	e, err := pour(out, s.in)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, errClientGone):
		return 1, err
	case err != nil:
		return 1, fmt.Errorf("the daemon (process %d) ended unexpectedly", s.info.PID)
	case e.Reason != "":
		return e.Code, fmt.Errorf("the daemon (process %d) ended: %s", s.info.PID, e.Reason)
	}
	return e.Code, nil
}
