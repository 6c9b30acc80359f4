package serve

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/lsp"
	"github.com/spf13/cobra"
)

// serveFlags are the flags of the language server.
type serveFlags struct {
	listen     string
	logLevel   string
	stdio      bool // what every client passes; stdio is the default
	standalone bool
	debug      string
	http       string
	tokenFile  string
	shared     string
}

// ServeCommand is the language server that editors start.
func ServeCommand(c *app.App) *cobra.Command {
	f := &serveFlags{}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the language server; editors start this",
		Long: `Run the language server on standard input and output.

All editors and commands of one workspace share one process, the daemon: it is started when the first of them needs
it and ends 10 minutes after the last one left (the setting lsp.daemon.idle_seconds). "aurora daemon" lists and stops
such processes. With --standalone, with the setting lsp.daemon.enabled off, and wherever there can be no daemon, this
process is the whole server. With --listen it serves several clients at a socket that only you can open.

With --http it is the context engine of programs that orchestrate agents, over HTTP: POST /add_context, /delete_context,
/query_context and /tools/NAME, GET /stats, /status and /health, and JSON-RPC 2.0 at POST /rpc. Each request carries the
token, from $` + httpTokenVariable + ` or the token file, as "Authorization: Bearer TOKEN" or "X-API-Key: TOKEN".

With --shared it is a search server for a team: it indexes the repositories that FILE names, and answers the searches of people whose
setting search.shared.url names it, over TLS, to those who have a token. docs/team.md has the form of the file.

The exit code is 0 when the client asked it to shut down, else 1. Nothing but protocol is written to standard output;
the log goes to ~/.aurora/logs/aurora.log, and to standard error when no daemon serves.`,
		Example: "  aurora serve\n  aurora serve --standalone\n  aurora serve --listen unix:/run/user/1000/aurora.sock\n  aurora serve --http 127.0.0.1:9090\n  aurora serve --shared /etc/aurora/server.json\n  aurora serve --debug 127.0.0.1:6060",
		Args:    app.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return serve(cmd.Context(), c, f)
		},
	}
	cmd.Flags().StringVar(&f.listen, "listen", "", "serve clients at unix:PATH instead of standard input and output")
	cmd.Flags().StringVar(&f.logLevel, "log-level", "", "debug, info, warn or error; a daemon that runs already keeps its own")
	cmd.Flags().BoolVar(&f.stdio, "stdio", false, "ignored: standard input and output are the default")
	cmd.Flags().BoolVar(&f.standalone, "standalone", false, "serve from this process alone; share nothing with other editors")
	cmd.Flags().StringVar(&f.debug, "debug", "", workspace.DebugUsage)
	cmd.Flags().StringVar(&f.http, "http", "", "serve programs over HTTP at http://127.0.0.1:PORT instead; default takes http.host and http.port of the settings")
	cmd.Flags().StringVar(&f.tokenFile, "token-file", "", "file of the HTTP token; made when missing (default ~/.aurora/http-token)")
	cmd.Flags().StringVar(&f.shared, "shared", "", "be the search server of a team, as FILE says")
	cmd.MarkFlagsMutuallyExclusive("listen", "stdio", "http", "shared")
	_ = cmd.MarkFlagFilename("shared", "json")
	app.CompleteFlag(cmd, "log-level", app.LogLevels...)
	_ = cmd.MarkFlagFilename("token-file")
	return cmd
}

func serve(ctx context.Context, c *app.App, f *serveFlags) error {
	// A client that went away shows as an error of the write, not as the end of the process in mid-work.
	signal.Ignore(syscall.SIGPIPE)
	if err := workspace.CheckDebug("--debug", f.debug); err != nil {
		return err
	}
	if f.http != "" {
		return serveContextHTTP(ctx, c, f)
	}
	if f.shared != "" {
		return serveShared(ctx, c, f)
	}
	out := takeStdout(c)
	in := bufio.NewReaderSize(c.In, PeekSize)
	w, err := serveWorkspace(ctx, c, in, f)
	if err != nil {
		return err
	}
	var alone error
	if f.listen == "" && !f.standalone {
		d, session, err := workspace.JoinDaemon(ctx, c, w, f.logLevel)
		if err == nil {
			if err := workspace.DebugDaemon(ctx, c, &d.DaemonClient, f.debug); err != nil {
				c.Warn(err.Error())
			}
			return workspace.Forward(ctx, c, session, stream{in, c.In}, out)
		}
		alone = err
	}
	return serveHere(ctx, c, w, f, stream{in, c.In}, out, alone)
}

// serveHere is the language server in this process. alone is why no daemon serves, nil when none was asked for.
func serveHere(ctx context.Context, c *app.App, w workspace.Workspace, f *serveFlags, in io.Reader, out io.Writer, alone error) error {
	p, err := workspace.Wire(ctx, c, workspace.Wiring{Root: w.Root, LogLevel: f.logLevel, Server: true})
	if err != nil {
		return err
	}
	p.LogWarnings()
	if alone != nil {
		p.Log.Info("no daemon serves; this process does, alone", "why", alone)
	}
	if err := workspace.ServeDebug(ctx, c, p, f.debug); err != nil {
		return errors.Join(err, p.Close())
	}
	opts := p.ServerOptions()
	code := 0
	if f.listen != "" {
		err = lsp.Listen(ctx, f.listen, opts)
	} else {
		code = lsp.Serve(ctx, opts, in, out)
	}
	if closeErr := p.Close(); closeErr != nil {
		p.Log.Error("close", "err", closeErr)
	}
	if err == nil && code != 0 {
		return &app.Exit{Code: code}
	}
	return err
}

// A stream is a reader that was looked into, and closes what is behind it.
type stream struct {
	io.Reader
	behind io.Reader
}

// Close ends a read that waits for a client that says nothing more.
func (s stream) Close() error {
	if closer, ok := s.behind.(io.Closer); ok {
		return closer.Close()
	}
	return nil
}

// takeStdout keeps standard output for protocol frames: whatever else in the process prints to it goes to stderr.
func takeStdout(c *app.App) io.Writer {
	out := c.Stdout()
	os.Stdout = os.Stderr
	c.Out = c.Err
	return out
}
