package lsp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync"
	"syscall"

	"github.com/aurora-sidecar/aurora/lsp/server"
)

// Listen serves clients at "127.0.0.1:PORT" or "unix:PATH" until ctx ends; then it closes all connections, waits
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
	hub := opts.hub()
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

// otherProtocols are how requests of other protocols begin that web pages can send to any local port.
var otherProtocols = [][]byte{
	[]byte("GET "), []byte("POST "), []byte("PUT "), []byte("HEAD "), []byte("OPTIONS "), []byte("PATCH "), []byte("DELETE "), []byte("CONNECT "), []byte("TRACE "), {0x16, 0x03},
}

// longestMethod is how many bytes tell whether a client speaks another protocol.
const longestMethod = len("OPTIONS ")

// serveClient serves a client that begins as LSP does. A client that begins with a line of HTTP or a handshake of TLS is hung up
// on: its headers would be skipped as garbage, and its body could hold frames.
func serveClient(ctx context.Context, hub *server.Hub, conn net.Conn, log *slog.Logger) {
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	in := bufio.NewReader(conn)
	other := speaksOther(in)
	stop()
	if !other {
		hub.Serve(ctx, &peeked{conn, in})
		return
	}
	if log != nil {
		log.Warn("connection closed", "reason", "the client speaks another protocol than LSP")
	}
	_ = conn.Close()
}

// speaksOther looks at the first bytes, no further than they can belong to another protocol.
func speaksOther(in *bufio.Reader) bool {
	for n := 1; n <= longestMethod; n++ {
		head, err := in.Peek(n)
		if err != nil {
			return false // what there is of it, the server judges
		}
		may := false
		for _, other := range otherProtocols {
			if bytes.HasPrefix(head, other) {
				return true
			}
			may = may || bytes.HasPrefix(other, head)
		}
		if !may {
			return false
		}
	}
	return false
}

// A peeked connection is read from its beginning, which was looked at.
type peeked struct {
	net.Conn
	in *bufio.Reader
}

// Read implements io.Reader.
func (p *peeked) Read(b []byte) (int, error) { return p.in.Read(b) }

func listen(ctx context.Context, addr string) (net.Listener, error) {
	if path, ok := strings.CutPrefix(addr, "unix:"); ok {
		return listenUnix(ctx, path)
	}
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("listen: %q is neither 127.0.0.1:PORT nor unix:PATH", addr)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("listen: %s is not this machine alone; use 127.0.0.1:PORT or unix:PATH", addr)
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	return l, nil
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
