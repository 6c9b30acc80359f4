package lsp

import (
	"context"
	"errors"
	"io"
	"log/slog"

	"github.com/aurora-sidecar/aurora/lsp/daemon"
	"github.com/aurora-sidecar/aurora/lsp/server"
)

// Options wires a language server.
type Options = server.Options

// Features are what editors are shown by the standard methods of LSP.
type Features = server.Features

// Serve serves the one client behind in and out until it exits, its input ends, its process dies, or ctx ends; then it closes
// both as far as they can be closed. Nothing but protocol frames is written. It returns the exit code for this process: 0
// after shutdown, else 1.
func Serve(ctx context.Context, opts Options, in io.Reader, out io.Writer) (exitCode int) {
	return server.NewHub(opts).Serve(ctx, duplex{in, out})
}

// ServeDaemon serves all clients of a workspace as a daemon until nobody needs it, ctx ends or a client asks for the
// end. Build, root, idle time and operations are those of service; the rest of it comes from opts.
func ServeDaemon(ctx context.Context, l *daemon.Listener, opts Options, service daemon.Service) error {
	service.Version, service.Log, service.Session = opts.Version, opts.Log, server.NewHub(opts).Serve
	service.Folders = opts.Engine.Index().Folders
	if service.Log == nil {
		service.Log = slog.New(slog.DiscardHandler)
	}
	return l.Serve(ctx, service)
}

// A duplex makes one connection of two streams.
type duplex struct {
	io.Reader
	io.Writer
}

// Close closes both streams as far as they can be closed.
func (d duplex) Close() error {
	return errors.Join(closeIfCloser(d.Reader), closeIfCloser(d.Writer))
}

func closeIfCloser(v any) error {
	if c, ok := v.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
