package main

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/aurora-sidecar/aurora/lsp"
	"github.com/spf13/cobra"
)

// serveFlags are the flags of the language server.
type serveFlags struct {
	listen   string
	logLevel string
	stdio    bool // what every client passes; stdio is the default
}

// serveCommand is the language server that editors start.
func (c *cli) serveCommand() *cobra.Command {
	f := &serveFlags{}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the language server; editors start this",
		Long: `Run the language server on standard input and output, or with --listen for several clients.
The exit code is 0 when the client asked it to shut down, else 1. Nothing but protocol is written to standard output;
the log goes to standard error and to ~/.aurora/logs/aurora.log.`,
		Example: "  aurora serve\n  aurora serve --listen unix:/run/user/1000/aurora.sock\n  aurora serve --listen 127.0.0.1:7717",
		Args:    usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.serve(cmd.Context(), f)
		},
	}
	cmd.Flags().StringVar(&f.listen, "listen", "", "serve clients at 127.0.0.1:PORT or unix:PATH instead of standard input and output")
	cmd.Flags().StringVar(&f.logLevel, "log-level", "", "debug, info, warn or error")
	cmd.Flags().BoolVar(&f.stdio, "stdio", false, "ignored: standard input and output are the default")
	cmd.MarkFlagsMutuallyExclusive("listen", "stdio")
	return cmd
}

func (c *cli) serve(ctx context.Context, f *serveFlags) error {
	// A client that went away shows as an error of the write, not as the end of the process in mid-work.
	signal.Ignore(syscall.SIGPIPE)
	out := c.takeStdout()
	in := bufio.NewReaderSize(c.in, peekSize)
	root, err := c.serveRoot(ctx, in, f)
	if err != nil {
		return err
	}
	p, err := c.wire(ctx, wiring{root: root, logLevel: f.logLevel, server: true})
	if err != nil {
		return err
	}
	for _, w := range p.warnings {
		p.log.Warn(w)
	}
	opts := lsp.Options{Engine: p.engine, In: stream{in, c.in}, Out: out, Log: p.log, StateDir: p.stateDir(), Version: readBuild().Version}
	code := 0
	if f.listen != "" {
		err = lsp.Listen(ctx, f.listen, opts)
	} else {
		code = lsp.Serve(ctx, opts)
	}
	if closeErr := p.close(); closeErr != nil {
		p.log.Error("close", "err", closeErr)
	}
	if err == nil && code != 0 {
		return &exit{code: code}
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
func (c *cli) takeStdout() io.Writer {
	out := c.out
	os.Stdout = os.Stderr
	c.out = c.err
	return out
}

// serveRoot chooses the folder whose settings count: --project, else what the client asks for, else the project around
// the current folder. "" means a folder that is nobody's project.
func (c *cli) serveRoot(ctx context.Context, in *bufio.Reader, f *serveFlags) (string, error) {
	if c.project != "" {
		return checkRoot(c.project)
	}
	if f.listen == "" {
		asked := make(chan string, 1)
		go func() { asked <- firstFolder(in) }()
		select {
		case folder := <-asked:
			if root, err := checkRoot(folder); folder != "" && err == nil {
				return root, nil
			}
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	root, err := c.projectRoot(".")
	if err != nil {
		return "", nil // no project here: the client will name its folders
	}
	return root, nil
}

// stateDir is where the server may keep files for the editor to show; "" when nothing can be kept.
func (p *parts) stateDir() string {
	if p.home == "" {
		return ""
	}
	return filepath.Join(p.home, "state")
}
