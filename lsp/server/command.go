package server

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/api"
	lsp "go.lsp.dev/protocol"
)

// executeCommand runs a request of the contract for clients that only know LSP. The first argument holds its
// parameters, or is the query itself; the result is the request's.
func (s *session) executeCommand(ctx context.Context, p *lsp.ExecuteCommandParams) (any, error) {
	params := commandParams(p)
	if p.Command == api.CommandOpenContext {
		return s.openContext(ctx, params)
	}
	name, ok := strings.CutPrefix(p.Command, api.CommandPrefix)
	o := s.hub.opts.Operations.Lookup(name)
	if !ok || o == nil || !o.Doors.Has(api.LSP) {
		return nil, api.Invalid("command", fmt.Sprintf("there is no command %.100q", p.Command))
	}
	result, err := s.operation(o)(ctx, params)
	if err != nil {
		return nil, err
	}
	if wantsShow(params) {
		s.window.showResult(ctx, p.Command, result)
	}
	return result, nil
}

// commandParams makes a request's parameters of a command's arguments.
func commandParams(p *lsp.ExecuteCommandParams) json.RawMessage {
	if len(p.Arguments) == 0 {
		return json.RawMessage("{}")
	}
	raw := json.RawMessage(p.Arguments[0])
	var query string
	if json.Unmarshal(raw, &query) == nil && string(raw) != "null" {
		raw, _ = json.Marshal(map[string]string{"query": query, "content": query}) // strings always marshal
	}
	return raw
}

// wantsShow tells a command that a person chose from a menu from one whose sender reads the result.
func wantsShow(params json.RawMessage) bool {
	var p struct {
		Show bool `json:"show"`
	}
	return json.Unmarshal(params, &p) == nil && p.Show
}
