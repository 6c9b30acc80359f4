package daemon

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"sync"
	"time"
)

// helloLimit is how long a client may take to say what it wants.
const helloLimit = 10 * time.Second

// startGrace is how long a daemon that was just started waits for its first client at least.
const startGrace = 10 * time.Second

// A Service is what a daemon does.
type Service struct {
	Build   string // clients of another build get neither sessions nor operations
	Version string
	Root    string                                                        // the folder whose settings count
	Idle    time.Duration                                                 // how long it stays when nobody needs it
	Folders func() []string                                               // all that it indexes now
	Session func(ctx context.Context, conn io.ReadWriteCloser) (code int) // one editor's language server

	// Operations serves a client of Open until it hangs up or ctx ends.
	Operations func(ctx context.Context, conn io.ReadWriteCloser)
	Log        *slog.Logger
}

// Causes of the end.
var (
	errIdle    = errors.New("nobody needs it")
	errStopped = errors.New("it was told to stop")
)

// A server is a daemon at work.
type server struct {
	Service
	listener *Listener
	since    time.Time
	stop     context.CancelCauseFunc

	mu       sync.Mutex
	folders  []string // that it indexed when they were last told
	sessions int
	busy     int // sessions and clients of operations
	idle     *time.Timer
	ended    bool
}

// Serve serves clients until ctx ends, a client asks for the end, or nobody has needed the daemon for Service.Idle;
// then it ends all sessions, waits for them and returns nil. An end of one client ends its session only.
func (l *Listener) Serve(ctx context.Context, service Service) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	s := &server{Service: service, listener: l, since: time.Now(), stop: stop}
	s.idle = time.AfterFunc(max(s.Idle, startGrace), s.retire)
	defer s.idle.Stop()
	defer context.AfterFunc(ctx, func() { _ = l.hangUp() })()
	s.Log.Info("the daemon serves", "socket", l.place.Socket(), "root", s.Root, "idle", s.Idle)
	var clients sync.WaitGroup
	defer clients.Wait()
	for {
		conn, err := l.listener.Accept()
		switch {
		case ctx.Err() != nil:
			if err == nil {
				_ = conn.Close()
			}
			s.Log.Info("the daemon ends", "why", context.Cause(ctx))
			return l.hangUp()
		case err != nil:
			stop(err)
			return fmt.Errorf("accept a client: %w", err)
		}
		clients.Go(func() { s.receive(ctx, conn) })
	}
}

// retire ends a daemon that nobody needs.
func (s *server) retire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.busy == 0 && !s.ended {
		s.ended = true
		s.stop(errIdle)
	}
}

// enter counts a client whom the daemon must not leave. It reports false when it is ending already.
func (s *server) enter(sessions int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return false
	}
	s.busy++
	s.sessions += sessions
	s.idle.Stop()
	return true
}

func (s *server) leave(sessions int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy--
	s.sessions -= sessions
	if s.busy == 0 {
		s.idle.Reset(s.Idle)
	}
}

func (s *server) info() *Info {
	s.lookAtFolders()
	s.mu.Lock()
	defer s.mu.Unlock()
	return &Info{
		PID: os.Getpid(), Version: s.Version, Since: s.since, Root: s.Root, Folders: s.folders, Clients: s.sessions,
		Idle: Duration(s.Idle),
	}
}

// foldersWait is how long the index may take to tell its folders. Those of before count when it hangs: who wants to look at
// such a daemon, or to stop it, must get through.
const foldersWait = time.Second

func (s *server) lookAtFolders() {
	known := make(chan struct{})
	go func() {
		defer close(known)
		folders := s.Folders()
		s.mu.Lock()
		defer s.mu.Unlock()
		s.folders = folders
	}()
	select {
	case <-known:
	case <-time.After(foldersWait):
		s.Log.Warn("the index does not tell its folders", "waited", foldersWait)
	}
}

// receive learns what a client wants and gives it.
func (s *server) receive(ctx context.Context, conn net.Conn) {
	defer context.AfterFunc(ctx, func() { _ = conn.SetReadDeadline(time.Unix(1, 0)) })()
	if err := CheckPeer(conn); err != nil {
		s.Log.Warn("connection refused", "reason", err)
		_ = conn.Close()
		return
	}
	if err := conn.SetReadDeadline(time.Now().Add(helloLimit)); err != nil {
		_ = conn.Close()
		return
	}
	in := bufio.NewReaderSize(conn, maxLine)
	var h hello
	if err := readLine(in, &h); err != nil {
		if !errors.Is(err, io.EOF) { // who only looked whether somebody is there
			s.Log.Warn("a client said no hello", "err", err)
		}
		_ = conn.Close()
		return
	}
	if reason := s.refuses(&h); reason != "" {
		s.Log.Warn("client refused", "why", reason)
		_ = writeLine(conn, welcome{Refused: reason})
		_ = conn.Close()
		return
	}
	s.serve(ctx, conn, in, &h)
}

// refuses tells why a client can't be served, "" when it can.
func (s *server) refuses(h *hello) string {
	switch {
	case h.Wire != wire:
		return fmt.Sprintf("it speaks version %d of the handshake, not %d", wire, h.Wire)
	case (h.Want == wantSession || h.Want == wantServe) && h.Build != s.Build:
		return "it is another build of aurora"
	}
	return ""
}

func (s *server) serve(ctx context.Context, conn net.Conn, in *bufio.Reader, h *hello) {
	switch h.Want {
	case wantSession:
		s.session(ctx, conn, in)
	case wantServe:
		s.operations(ctx, conn, in)
	case wantStop:
		s.listener.keep(conn)
		_ = writeLine(conn, welcome{Info: s.info()})
		s.stop(errStopped)
	default:
		_ = writeLine(conn, welcome{Info: s.info()})
		_ = conn.Close()
	}
}

// session serves one editor.
func (s *server) session(ctx context.Context, conn net.Conn, in *bufio.Reader) {
	if !s.enter(1) {
		_ = conn.Close()
		return
	}
	if err := errors.Join(writeLine(conn, welcome{Info: s.info()}), conn.SetReadDeadline(time.Time{})); err != nil {
		s.leave(1)
		_ = conn.Close()
		return
	}
	l := &link{conn: conn, in: in}
	e := end{Code: s.Session(ctx, l)}
	if ctx.Err() != nil {
		e.Reason = context.Cause(ctx).Error()
	}
	s.leave(1) // who hears of the end is not counted any more; a daemon that ends now was not the reason for it
	if err := l.finish(e); err != nil {
		s.Log.Debug("tell the end of a session", "err", err)
	}
}

// A stream is a connection whose first bytes may have been read already.
type stream struct {
	net.Conn
	in *bufio.Reader
}

// Read implements io.Reader.
func (s *stream) Read(p []byte) (int, error) { return s.in.Read(p) }

// operations serves one client's operations.
func (s *server) operations(ctx context.Context, conn net.Conn, in *bufio.Reader) {
	defer conn.Close()
	if !s.enter(0) {
		return
	}
	defer s.leave(0)
	if err := errors.Join(writeLine(conn, welcome{Info: s.info()}), conn.SetReadDeadline(time.Time{})); err != nil {
		return
	}
	s.Operations(ctx, &stream{conn, in})
}
