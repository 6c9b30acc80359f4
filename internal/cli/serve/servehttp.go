package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"time"

	"github.com/aurora-sidecar/aurora/httpapi"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/internal/loopback"
	"github.com/aurora-sidecar/aurora/internal/obs"
	"github.com/aurora-sidecar/aurora/mcp"
)

// httpTokenVariable holds the token of the context engine over HTTP.
const httpTokenVariable = "AURORA_HTTP_TOKEN"

// httpTimeout bounds one request.
const httpTimeout = time.Minute

// fromSettings stands for the address of the settings.
const fromSettings = "default"

// serveContextHTTP is the context engine over HTTP until ctx ends. Like the MCP server it joins the daemon of
// the project.
func serveContextHTTP(ctx context.Context, c *app.App, f *serveFlags) error {
	if _, err := obs.ParseLevel(f.logLevel); f.logLevel != "" && err != nil {
		return app.UsageError("", "--log-level: must be one of debug, info, warn, error (got %q)", f.logLevel)
	}
	a := &workspace.AgentWorkspace{Cli: c, LogLevel: f.logLevel, Standalone: f.standalone, Living: ctx, Debug: f.debug}
	var err error
	if a.Root, err = workspace.ProjectRoot(c, "."); err != nil {
		return err
	}
	p := &workspace.Parts{}
	if err := workspace.LoadSettings(c, p, workspace.Wiring{Root: a.Root, Server: true}); err != nil {
		return err
	}
	set := p.Settings.HTTP
	if f.http == fromSettings {
		f.http = net.JoinHostPort(set.Host, strconv.Itoa(set.Port))
	}
	token, where, err := httpToken(httpTokenVariable, f.tokenFile, "http-token")
	if err != nil {
		return err
	}
	l, err := loopback.Listen(ctx, f.http)
	var refused *loopback.AddressError
	if errors.As(err, &refused) {
		return app.UsageError(refused.Remedy, "--http: %s", refused.Message)
	}
	if err != nil {
		return app.Failure("Choose another port; 127.0.0.1:0 takes a free one.", err)
	}
	log := slog.New(slog.NewTextHandler(c.Err, &slog.HandlerOptions{Level: slog.LevelWarn}))
	open := func(ctx context.Context) (*mcp.Workspace, error) {
		return a.Open(ctx, func(context.Context) []string { return nil })
	}
	service, err := httpapi.NewService(open, httpTimeout, log)
	if err != nil {
		return errors.Join(err, l.Close())
	}
	a.WarmUp()
	fmt.Fprintf(c.Err, "aurora: the context engine of %s is at http://%s; the token is in %s\n", a.Root, l.Addr(), where)
	err = errors.Join(httpapi.Serve(ctx, l, service, token, log), a.Close())
	if ctx.Err() != nil { // how such servers end
		return nil
	}
	return err
}
