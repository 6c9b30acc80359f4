package daemon

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"
)

// farewell is how long the daemon tries to tell a client that its session has ended.
const farewell = time.Second

// An end is the last piece of a session.
type end struct {
	Code   int    `json:"code"`
	Reason string `json:"reason,omitempty"` // why the daemon ended the session; "" when the client did
}

// A link is the daemon's end of a session. Closing it ends reading and writing but leaves the connection open for
// the end to be told.
type link struct {
	conn net.Conn
	in   *bufio.Reader

	mu     sync.Mutex
	broken bool // a piece was written in part: nothing may follow it

	ending   sync.Mutex
	finished bool // the end is being told: a late Close must not cut it off
}

// Read implements io.Reader.
func (l *link) Read(p []byte) (int, error) { return l.in.Read(p) }

// Write sends p as one piece.
func (l *link) Write(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken {
		return 0, io.ErrClosedPipe
	}
	length := binary.BigEndian.AppendUint32(nil, uint32(len(p)))
	n, err := (&net.Buffers{length, p}).WriteTo(l.conn)
	if err != nil && n > 0 {
		l.broken = true
	}
	return max(0, int(n)-len(length)), err
}

// Close implements io.Closer.
func (l *link) Close() error {
	l.ending.Lock()
	defer l.ending.Unlock()
	if l.finished {
		return nil
	}
	return l.conn.SetDeadline(time.Unix(1, 0))
}

// allowLast gives the end its time.
func (l *link) allowLast() error {
	l.ending.Lock()
	defer l.ending.Unlock()
	l.finished = true
	return l.conn.SetDeadline(time.Now().Add(farewell))
}

// finish tells the client how the session ended and closes the connection.
func (l *link) finish(e end) error {
	defer l.conn.Close()
	if err := l.allowLast(); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken {
		return io.ErrClosedPipe
	}
	last, err := json.Marshal(e)
	if err != nil {
		return err
	}
	_, err = l.conn.Write(append(make([]byte, 4), last...))
	return err
}

// errClientGone tells that the client does not read what the daemon says.
var errClientGone = errors.New("the client does not read any more")

// pour copies a session's pieces to out up to the end. The error wraps errClientGone, or tells that the daemon is
// gone.
func pour(out io.Writer, in *bufio.Reader) (e end, err error) {
	to := &target{Writer: out}
	for {
		var length [4]byte
		if _, err := io.ReadFull(in, length[:]); err != nil {
			return end{}, fmt.Errorf("read from the daemon: %w", err)
		}
		n := int64(binary.BigEndian.Uint32(length[:]))
		if n == 0 {
			err := json.NewDecoder(in).Decode(&e)
			return e, err
		}
		_, err := io.CopyN(to, in, n)
		switch {
		case to.err != nil:
			return end{}, fmt.Errorf("%w: %w", errClientGone, to.err)
		case err != nil:
			return end{}, fmt.Errorf("read from the daemon: %w", err)
		}
	}
}

// A target remembers that writing failed.
type target struct {
	io.Writer
	err error
}

// Write implements io.Writer.
func (t *target) Write(p []byte) (int, error) {
	n, err := t.Writer.Write(p)
	t.err = err
	return n, err
}
