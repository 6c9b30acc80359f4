package daemon

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"strings"
	"sync"
	"time"
)

// ErrTaken tells that another daemon serves the Place.
var ErrTaken = errors.New("another daemon serves this workspace")

// Of waiting for an earlier daemon of the Place to end.
const (
	handoverLimit = 10 * time.Second
	handoverEvery = 10 * time.Millisecond
)

// A Listener is a Place that is taken. Clients that connect before Serve wait for it.
type Listener struct {
	place    Place
	lock     *os.File
	listener net.Listener

	mu      sync.Mutex
	waiting []net.Conn // of those who asked for the end; closed with the Listener
}

// Listen takes the Place for this process, putting a socket of its own in the place of one that a killed daemon left
// behind. It waits for a daemon that is about to end. The error is ErrTaken when one answers there.
func Listen(ctx context.Context, p Place) (*Listener, error) {
	if err := p.makeDir(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, handoverLimit)
	defer cancel()
	lock, err := p.takeLock(ctx)
	if err != nil {
		return nil, err
	}
	p.sweep()
	l := &Listener{place: p, lock: lock}
	if err := l.listen(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("listen: %w", err), l.Close())
	}
	return l, nil
}

// takeLock waits for the lock as long as nobody answers at the Place.
func (p Place) takeLock(ctx context.Context) (*os.File, error) {
	for {
		lock, err := tryLock(p.lockFile())
		if lock != nil || err != nil {
			return lock, err
		}
		if conn, err := p.dial(ctx); err == nil {
			_ = conn.Close()
			return nil, ErrTaken
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("wait for the daemon before this one: %w", ctx.Err())
		case <-time.After(handoverEvery):
		}
	}
}

func (l *Listener) listen(ctx context.Context) error {
	path := l.place.Socket()
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var err error
	if l.listener, err = new(net.ListenConfig).Listen(ctx, "unix", path); err != nil {
		return err
	}
	return os.Chmod(path, 0o600) // nobody else can enter the folder in the meantime
}

// hangUp lets no more clients in and removes the socket.
func (l *Listener) hangUp() error {
	if l.listener == nil {
		return nil
	}
	err := l.listener.Close()
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// keep holds a connection open until the Listener is closed.
func (l *Listener) keep(conn net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting = append(l.waiting, conn)
}

// Close gives the Place to the next daemon. It comes last, when nothing of this one is left that the next one needs.
func (l *Listener) Close() error {
	err := errors.Join(l.hangUp(), os.Remove(l.place.lockFile()), l.lock.Close())
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, conn := range l.waiting {
		_ = conn.Close()
	}
	l.waiting = nil
	return err
}

// sweep removes what killed daemons of other workspaces and builds left in the folder. A file that can't be removed
// does no harm.
func (p Place) sweep() {
	entries, err := os.ReadDir(p.dir)
	if err != nil {
		return
	}
	for _, entry := range entries {
		key, isLock := strings.CutSuffix(entry.Name(), ".lock")
		if !isLock || key == p.key {
			continue
		}
		dead := Place{dir: p.dir, key: key}
		if lock, err := tryLock(dead.lockFile()); err == nil && lock != nil {
			_ = os.Remove(dead.Socket())
			_ = os.Remove(dead.lockFile())
			_ = lock.Close()
		}
	}
}
