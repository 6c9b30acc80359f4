package lsp

import (
	"context"
	"errors"
	"io"
	"log/slog"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/lsp/daemon"
	"github.com/aurora-sidecar/aurora/lsp/server"
)

// Options wires a language server.
type Options struct {
	Engine *engine.Engine // over an index without folders: clients name theirs
	// Operations are those that are open to clients; nil means api.Standard.
	Operations *api.Registry

	In       io.Reader    // of Serve; closed in the end when it is an io.Closer
	Out      io.Writer    // of Serve; nothing but protocol frames is written; closed like In
	Log      *slog.Logger // nil discards
	StateDir string       // folder for texts that are shown as documents; "" when none may be written
	Version  string       // told to clients
	// Configure makes settings of a client count, nested like config.json; nil are those of before, read again. The
	// error says what is wrong with them. nil takes none.
	Configure func(client map[string]any) error
	// Features are what the settings files switch on; nil are the defaults. It is asked for each request.
	Features func() Features
	// NoProgress keeps the progress of indexing to ourselves.
	NoProgress bool
}

// Features are what editors are shown by the standard methods of LSP.
type Features = server.Features

// DefaultFeatures are those effective where nothing is set.
var DefaultFeatures = server.DefaultFeatures

func (o Options) hub() *server.Hub {
	return server.NewHub(server.Options{Engine: o.Engine, Operations: o.Operations, Log: o.Log, StateDir: o.StateDir, Version: o.Version, Configure: o.Configure, Features: o.Features, NoProgress: o.NoProgress})
}

// Serve serves the one client behind In and Out until it exits, its input ends, its process dies, or ctx ends. It
// returns the exit code for this process: 0 after shutdown, else 1.
func Serve(ctx context.Context, opts Options) (exitCode int) {
	return opts.hub().Serve(ctx, duplex{opts.In, opts.Out})
}

// ServeDaemon serves all clients of a workspace as a daemon until nobody needs it, ctx ends or a client asks for the
// end. Build, root, idle time and operations are those of service; the rest of it comes from opts.
func ServeDaemon(ctx context.Context, l *daemon.Listener, opts Options, service daemon.Service) error {
	service.Version, service.Log, service.Session = opts.Version, opts.Log, opts.hub().Serve
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
