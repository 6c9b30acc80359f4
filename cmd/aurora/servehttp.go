package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"time"

	"github.com/aurora-sidecar/aurora/httpapi"
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

// serveContextHTTP is the context engine over HTTP until ctx ends (DEP-002). Like the MCP server it joins the daemon of
// the project.
func (c *cli) serveContextHTTP(ctx context.Context, f *serveFlags) error {
	if _, err := obs.ParseLevel(f.logLevel); f.logLevel != "" && err != nil {
		return usageError("", "--log-level: must be one of debug, info, warn, error (got %q)", f.logLevel)
	}
	a := &agentWorkspace{cli: c, logLevel: f.logLevel, standalone: f.standalone, living: ctx, debug: f.debug}
	var err error
	if a.root, err = c.projectRoot("."); err != nil {
		return err
	}
	p := &parts{}
	if err := c.loadSettings(p, wiring{root: a.root, server: true}); err != nil {
		return err
	}
	set := p.settings.HTTP
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
		return usageError(refused.Remedy, "--http: %s", refused.Message)
	}
	if err != nil {
		return failure("Choose another port; 127.0.0.1:0 takes a free one.", err)
	}
	log := slog.New(slog.NewTextHandler(c.err, &slog.HandlerOptions{Level: slog.LevelWarn}))
	service, err := httpapi.NewService(a.openTexts, httpTimeout, log)
	if err != nil {
		return errors.Join(err, l.Close())
	}
	a.warmUp()
	fmt.Fprintf(c.err, "aurora: the context engine of %s is at http://%s; the token is in %s\n", a.root, l.Addr(), where)
	err = errors.Join(httpapi.Serve(ctx, l, service, token, log), a.close())
	if ctx.Err() != nil { // how such servers end
		return nil
	}
	return err
}

// openTexts is open for a door that gives texts, too.
func (a *agentWorkspace) openTexts(ctx context.Context) (*mcp.Workspace, httpapi.Texts, error) {
	w, err := a.open(ctx, func(context.Context) []string { return nil })
	if err != nil {
		return nil, nil, err
	}
	texts, ok := w.Engine.(httpapi.Texts)
	if !ok {
		return nil, nil, fmt.Errorf("%T takes no texts", w.Engine)
	}
	return w, texts, nil
}
