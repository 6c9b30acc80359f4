package serve

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/internal/obs"
	"github.com/aurora-sidecar/aurora/mcp"
	"github.com/spf13/cobra"
)

// tokenVariable holds the token of the HTTP door.
const tokenVariable = "AURORA_MCP_TOKEN"

// mcpFlags are the flags of the MCP server.
type mcpFlags struct {
	tools      string
	http       string
	tokenFile  string
	logLevel   string
	standalone bool
	debug      string
}

// McpCommand is the server that agents start.
func McpCommand(c *app.App) *cobra.Command {
	f := &mcpFlags{}
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Run the MCP server; agents such as Claude Code start this",
		Long: `Run a server of the Model Context Protocol on standard input and output. Agents get five tools: search, context,
related, remember and ask; --tools=all adds the others. "aurora setup" writes the configuration of agents.

The server joins the process that the editors of the project share, and starts it when there is none: agents see what
is not saved yet. With --http it serves several clients at an address of this machine; each must send the token, from
$` + tokenVariable + ` or the token file, as "Authorization: Bearer TOKEN".

Nothing but protocol is written to standard output.`,
		Example: "  aurora mcp\n  aurora mcp --project ~/src/shop --tools=all\n  aurora mcp --tools=default,recall\n  aurora mcp --http 127.0.0.1:7718",
		Args:    app.NoSuchCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return serveMCP(cmd.Context(), c, f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.tools, "tools", "default", "default, all, or names separated by commas")
	flags.StringVar(&f.http, "http", "", "serve clients at 127.0.0.1:PORT instead of standard input and output")
	flags.StringVar(&f.tokenFile, "token-file", "", "file of the HTTP token; made when missing (default ~/.aurora/mcp-token)")
	flags.StringVar(&f.logLevel, "log-level", "", "debug, info, warn or error")
	flags.BoolVar(&f.standalone, "standalone", false, "index in this process; share nothing with editors")
	flags.StringVar(&f.debug, "debug", "", workspace.DebugUsage)
	app.CompleteList(cmd, "tools", append([]string{"default", "all"}, mcp.ToolNames()...)...)
	app.CompleteFlag(cmd, "log-level", app.LogLevels...)
	_ = cmd.MarkFlagFilename("token-file")
	return cmd
}

// invocationOf is when a message is meant for AURORA, by the settings of a project; "" for none.
func invocationOf(root string) mcp.Invocation {
	s, _, _ := workspace.SettingsFor(root) // what is wrong with them the workspace tells when it is opened
	i := mcp.Invocation{ByPrefix: s.Aurora.UserInvoked, Always: s.Aurora.AlwaysOn}
	if i.ByPrefix {
		i.Prefixes = s.Aurora.Prefix
	}
	return i
}

func serveMCP(ctx context.Context, c *app.App, f *mcpFlags) error {
	signal.Ignore(syscall.SIGPIPE)
	out := takeStdout(c)
	if _, err := obs.ParseLevel(f.logLevel); f.logLevel != "" && err != nil {
		return app.UsageError("", "--log-level: must be one of debug, info, warn, error (got %q)", f.logLevel)
	}
	if err := workspace.CheckDebug("--debug", f.debug); err != nil {
		return err
	}
	a := &workspace.AgentWorkspace{Cli: c, LogLevel: f.logLevel, Standalone: f.standalone, Living: ctx, Debug: f.debug}
	if a.Root, a.NoRoot = workspace.ProjectRoot(c, "."); a.NoRoot != nil && c.Project != "" {
		return a.NoRoot
	}
	log := slog.New(slog.NewTextHandler(c.Err, &slog.HandlerOptions{Level: slog.LevelWarn}))
	server, err := mcp.New(mcp.Options{Open: a.Open, Tools: f.tools, Version: app.ReadBuild().Version, Log: log, Invocation: invocationOf(a.Root)})
	if err != nil {
		return err
	}
	if f.http != "" {
		err = serveMCPHTTP(ctx, c, f, server, a.WarmUp)
	} else {
		a.WarmUp()
		err = server.ServeStdio(ctx, asCloser(c.In), nopCloser{out})
	}
	err = errors.Join(err, a.Close())
	if ctx.Err() != nil { // how such servers end
		return nil
	}
	return err
}

// serveMCPHTTP calls begin once nothing can keep it from serving.
func serveMCPHTTP(ctx context.Context, c *app.App, f *mcpFlags, server *mcp.Server, begin func()) error {
	token, where, err := httpToken(tokenVariable, f.tokenFile, "mcp-token")
	if err != nil {
		return err
	}
	l, err := mcp.Listen(ctx, f.http)
	if err != nil {
		return err
	}
	begin()
	fmt.Fprintf(c.Err, "aurora: serving MCP at http://%s; the token is in %s\n", l.Addr(), where)
	return server.ServeHTTP(ctx, l, token)
}

// httpToken returns the token of an HTTP door and where it stands: in a variable, or in a file, by default the one of
// that name in AURORA's folder. A token that nobody has made yet is made.
func httpToken(variable, path, name string) (token, where string, err error) {
	if token = strings.TrimSpace(os.Getenv(variable)); token != "" {
		return token, "$" + variable, nil
	}
	if path == "" {
		home, err := config.Home()
		if err != nil {
			return "", "", app.Failure("Set "+variable+".", err)
		}
		path = filepath.Join(home, name)
	}
	data, err := os.ReadFile(path)
	if err == nil {
		return strings.TrimSpace(string(data)), path, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", "", app.Failure("Set "+variable+".", fmt.Errorf("read the token: %w", err))
	}
	token = rand.Text() + rand.Text()
	err = os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = os.WriteFile(path, []byte(token+"\n"), 0o600)
	}
	if err != nil {
		return "", "", app.Failure("Set "+variable+".", fmt.Errorf("keep the token: %w", err))
	}
	return token, path, nil
}

// asCloser closes what can be closed.
func asCloser(r io.Reader) io.ReadCloser {
	if closer, ok := r.(io.ReadCloser); ok {
		return closer
	}
	return io.NopCloser(r)
}

// A nopCloser leaves its stream open.
type nopCloser struct{ io.Writer }

// Close implements io.Closer.
func (nopCloser) Close() error { return nil }
