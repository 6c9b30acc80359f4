package daemon

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"time"
)

// inspectLimit is how long a daemon may take to describe itself.
const inspectLimit = 2 * time.Second

// stopLimit is how long a daemon may take to end.
const stopLimit = 15 * time.Second

// A peer is a daemon that has welcomed this process.
type peer struct {
	conn *net.UnixConn
	in   *bufio.Reader
	info *Info
}

// dial connects with the process that listens at the Place, after a look at whose socket it is.
func (p Place) dial(ctx context.Context) (*net.UnixConn, error) {
	if err := p.checkSocket(); err != nil {
		return nil, err
	}
	conn, err := new(net.Dialer).DialContext(ctx, "unix", p.Socket())
	if err != nil {
		return nil, err
	}
	return conn.(*net.UnixConn), nil
}

// greet connects and waits for the welcome until ctx ends. A *Refusal tells that the daemon is there but will not
// serve this client, a *StoppedError that it is there and does not run; after any other error there is none.
func (p Place) greet(ctx context.Context, h hello) (*peer, error) {
	conn, err := p.dial(ctx)
	if err != nil {
		return nil, err
	}
	if pid := stoppedPeer(conn); pid != 0 {
		_ = conn.Close()
		return nil, &StoppedError{PID: pid}
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	h.Wire = wire
	in := bufio.NewReaderSize(conn, maxLine)
	var w welcome
	if err = writeLine(conn, h); err == nil {
		err = readLine(in, &w)
	}
	switch {
	case !stop():
		err = ctx.Err()
	case err == nil && w.Info == nil:
		err = &Refusal{Reason: w.Refused}
	case err == nil:
		return &peer{conn: conn, in: in, info: w.Info}, nil
	}
	_ = conn.Close()
	return nil, fmt.Errorf("greet the daemon: %w", err)
}

// A StoppedError tells of a daemon that is there but does not run: somebody suspended its process. Waiting does not help.
type StoppedError struct{ PID int }

func (e *StoppedError) Error() string {
	return fmt.Sprintf("the daemon (process %d) is suspended; kill -CONT %d lets it go on, kill -9 %d ends it", e.PID, e.PID, e.PID)
}

// Inspect describes the daemon of a Place. After an error there is none that answers.
func Inspect(ctx context.Context, p Place) (*Info, error) {
	ctx, cancel := context.WithTimeout(ctx, inspectLimit)
	defer cancel()
	daemon, err := p.greet(ctx, hello{Want: wantInfo})
	if err != nil {
		return nil, err
	}
	return daemon.info, daemon.conn.Close()
}

// Stop ends the daemon of a Place, and with it all its sessions, and returns what it was once its process is gone.
func Stop(ctx context.Context, p Place) (*Info, error) {
	ctx, cancel := context.WithTimeout(ctx, stopLimit)
	defer cancel()
	daemon, err := p.greet(ctx, hello{Want: wantStop})
	if err != nil {
		return nil, err
	}
	defer daemon.conn.Close()
	defer context.AfterFunc(ctx, func() { _ = daemon.conn.Close() })()
	_, _ = daemon.in.ReadByte() // the connection ends with the daemon
	if ctx.Err() != nil {
		return daemon.info, fmt.Errorf("wait for the end of process %d: %w", daemon.info.PID, ctx.Err())
	}
	return daemon.info, nil
}

// Open connects with the daemon of a Place, which must be of the same build, for Service.Operations to serve.
func Open(ctx context.Context, p Place, build string) (io.ReadWriteCloser, error) {
	daemon, err := p.greet(ctx, hello{Build: build, Want: wantServe})
	if err != nil {
		return nil, err
	}
	return &stream{daemon.conn, daemon.in}, nil
}
