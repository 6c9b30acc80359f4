package mcp

import (
	"context"

	"github.com/aurora-sidecar/aurora/engine"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxAgentName is the most bytes of a client's name that are kept.
const maxAgentName = 64

// A namedEngine tells the engine who asks, for the figures of usage, and whose model may answer.
type namedEngine struct {
	Engine
	agent   string
	lent    *engine.Models // of the client's host; nil for none
	noModel string         // why the host lends none, though it is asked to
}

// agentOf is the name that a client gave itself.
func agentOf(session *sdk.ServerSession) string {
	p := session.InitializeParams()
	if p == nil || p.ClientInfo == nil || p.ClientInfo.Name == "" {
		return "agent"
	}
	return p.ClientInfo.Name[:min(len(p.ClientInfo.Name), maxAgentName)]
}

// Search implements Engine.
func (n namedEngine) Search(ctx context.Context, r engine.SearchRequest) (*engine.SearchResult, error) {
	r.Agent = n.agent
	return n.Engine.Search(ctx, r)
}

// Context implements Engine.
func (n namedEngine) Context(ctx context.Context, r engine.ContextRequest) (*engine.ContextResult, error) {
	r.Agent = n.agent
	return n.Engine.Context(ctx, r)
}

// Query implements Engine.
func (n namedEngine) Query(ctx context.Context, r engine.QueryRequest, sink func(engine.Progress)) (*engine.QueryResult, error) {
	r.Agent, r.Models = n.agent, n.lent
	result, err := n.Engine.Query(ctx, r, sink)
	if err == nil && n.noModel != "" {
		result.Warnings = append(result.Warnings, n.noModel)
	}
	return result, err
}
