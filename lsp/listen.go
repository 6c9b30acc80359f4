package lsp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync"
	"syscall"

	"github.com/aurora-sidecar/aurora/lsp/daemon"
	"github.com/aurora-sidecar/aurora/lsp/server"
)

// Listen serves clients at "unix:PATH" until ctx ends; then it closes all connections, waits
// for them and returns nil. An exit of one client ends its connection only.
func Listen(ctx context.Context, addr string, opts Options) error {
	l, err := listen(ctx, addr)
	if err != nil {
		return err
	}
	return serveListener(ctx, l, opts)
}

// serveListener accepts clients until ctx ends and closes the listener.
func serveListener(ctx context.Context, l net.Listener, opts Options) error {
	stop := context.AfterFunc(ctx, func() { _ = l.Close() })
	defer stop()
	hub := server.NewHub(opts)
	if opts.Log != nil {
		opts.Log.Info("listening", "address", l.Addr().String())
	}
	var clients sync.WaitGroup
	defer clients.Wait()
	for {
		conn, err := l.Accept()
		switch {
		case ctx.Err() != nil:
			if err == nil {
				_ = conn.Close()
			}
			_ = l.Close() // waits until the socket is gone
			return nil
		case err != nil:
			_ = l.Close()
			return fmt.Errorf("accept a client: %w", err)
		}
		clients.Go(func() { serveClient(ctx, hub, conn, opts.Log) })
	}
}

// serveClient serves a client that runs as this user. The mode of the socket keeps others out already; a program that lent its
// open socket to another user, or a folder on a file system without modes, does not get past the kernel's word.
func serveClient(ctx context.Context, hub *server.Hub, conn net.Conn, log *slog.Logger) {
	if err := daemon.CheckPeer(conn); err != nil {
		if log != nil {
			log.Warn("connection refused", "reason", err)
		}
		_ = conn.Close()
		return
	}
	hub.Serve(ctx, conn)
}

// listen refuses ports: web pages and other users of the machine reach them, and LSP has no place for a secret.
func listen(ctx context.Context, addr string) (net.Listener, error) {
	path, ok := strings.CutPrefix(addr, "unix:")
	if !ok {
		return nil, fmt.Errorf("listen: %q is no unix:PATH; ports are not served, as web pages and other users can reach them", addr)
	}
	return listenUnix(ctx, path)
}

// listenUnix makes a socket that only its owner can use. It is made under another name, so that at no moment others
// could connect, and takes the place of one whose server is gone.
func listenUnix(ctx context.Context, path string) (net.Listener, error) {
	if err := checkSocketFree(ctx, path); err != nil {
		return nil, err
	}
	fresh := fmt.Sprintf("%s.%d", path, os.Getpid())
	l, err := new(net.ListenConfig).Listen(ctx, "unix", fresh)
	if errors.Is(err, syscall.EINVAL) {
		return nil, fmt.Errorf("listen: the path %s is too long for a socket (about 100 bytes)", path)
	}
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	if err := errors.Join(os.Chmod(fresh, 0o600), os.Rename(fresh, path)); err != nil {
		return nil, fmt.Errorf("listen: %w", errors.Join(err, l.Close(), removeIfThere(fresh)))
	}
	return &socket{Listener: l, path: path}, nil
}

// checkSocketFree refuses to take the place of anything but a socket that nobody serves.
func checkSocketFree(ctx context.Context, path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	if info.Mode().Type() != os.ModeSocket {
		return fmt.Errorf("listen: %s is there and is no socket; choose another path", path)
	}
	conn, err := new(net.Dialer).DialContext(ctx, "unix", path)
	if err == nil {
		_ = conn.Close()
		return fmt.Errorf("listen: another server answers at %s; use it, or stop it first", path)
	}
	return nil
}

// A socket removes its file when it is closed.
type socket struct {
	net.Listener
	path  string
	close sync.Once
}

// Close implements net.Listener.
func (s *socket) Close() (err error) {
	s.close.Do(func() { err = errors.Join(s.Listener.Close(), removeIfThere(s.path)) })
	return err
}

func removeIfThere(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
