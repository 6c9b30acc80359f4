package mcp

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/api"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// progressEvery is how often a client hears of indexing that its call waits for.
const progressEvery = 500 * time.Millisecond

// A call is one request of a client, on its workspace.
type call struct {
	server   *Server
	client   api.Client
	root     string               // canonical folder of the workspace
	request  *sdk.CallToolRequest // nil for a prompt or resource
	reported float64              // the progress told last: it has to grow

	noModel string // why the client's host lends no model, though it is asked to
}

// begin opens the workspace of a session.
func (s *Server) begin(ctx context.Context, session *sdk.ServerSession) (*call, error) {
	w, err := s.open(ctx, func(ctx context.Context) []string { return roots(ctx, session) })
	if err != nil {
		return nil, err
	}
	c := s.newCall(w, agentOf(session))
	if w.Sample {
		c.client.Models, c.noModel = s.lent(session)
	}
	return c, nil
}

func (s *Server) newCall(w *Workspace, agent string) *call {
	c := &call{server: s, root: w.Root}
	c.client = api.Client{Backend: api.Guarded(w.Backend), Caller: api.Caller{Agent: agent}}
	return c
}

// maxAgentName is the most bytes of a client's name that are kept.
const maxAgentName = 64

// agentOf is the name that a client gave itself.
func agentOf(session *sdk.ServerSession) string {
	p := session.InitializeParams()
	if p == nil || p.ClientInfo == nil || p.ClientInfo.Name == "" {
		return "agent"
	}
	return p.ClientInfo.Name[:min(len(p.ClientInfo.Name), maxAgentName)]
}

// following is the client, which hears of the phases of what it calls.
func (c *call) following(ctx context.Context) api.Client {
	client := c.client
	client.Progress = func(p engine.Progress) { c.tellPhase(ctx, p) }
	return client
}

// roots asks a client for its folders.
func roots(ctx context.Context, session *sdk.ServerSession) []string {
	params := session.InitializeParams()
	//lint:ignore SA1019 clients of earlier versions have roots
	if params == nil || params.Capabilities == nil || params.Capabilities.RootsV2 == nil {
		return nil
	}
	//lint:ignore SA1019 clients of earlier versions have roots
	list, err := session.ListRoots(ctx, nil)
	if err != nil {
		return nil
	}
	var folders []string
	for _, root := range list.Roots {
		if u, err := url.Parse(root.URI); err == nil && u.Scheme == "file" {
			folders = append(folders, filepath.FromSlash(u.Path))
		}
	}
	return folders
}

// progress tells the client how far the call is, if it wants to know. done is 0..1; negative when that is not known.
func (c *call) progress(ctx context.Context, done float64, message string, details sdk.Meta) {
	token := c.token()
	if token == nil {
		return
	}
	c.reported = max(c.reported+0.001, done)
	err := c.request.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
		Meta: details, ProgressToken: token, Progress: c.reported, Total: max(1, c.reported), Message: message,
	})
	if err != nil {
		c.server.log.Debug("tell progress", "err", err)
	}
}

// token names the call in progress notifications; nil when the client wants none.
func (c *call) token() any {
	if c.request == nil {
		return nil
	}
	return c.request.Params.GetProgressToken()
}

// ready waits until the workspace is indexed, as long as the server may wait; then what there is answers, and says so.
func (c *call) ready(ctx context.Context) error {
	waiting, cancel := context.WithTimeout(ctx, c.server.wait)
	defer cancel()
	done := make(chan error, 1)
	go func() {
		_, err := api.Ready.Call(waiting, c.client, &api.ReadyParams{})
		done <- err
	}()
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	for {
		select {
		case err := <-done:
			if err != nil && waiting.Err() == nil {
				return err
			}
			return ctx.Err()
		case <-tick.C:
			c.tellIndexing(waiting)
		}
	}
}

func (c *call) tellIndexing(ctx context.Context) {
	if c.token() == nil {
		return
	}
	status, err := api.ReadStatus.Call(ctx, c.client, &api.StatusParams{})
	if err != nil || status.Files.Total == 0 {
		c.progress(ctx, -1, "indexing the workspace", nil)
		return
	}
	c.progress(ctx, 0.9*float64(status.Files.Indexed)/float64(status.Files.Total),
		fmt.Sprintf("indexing the workspace: %d of %d files", status.Files.Indexed, status.Files.Total), nil)
}
