package server

import (
	"context"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/lsp/progress"
	lsp "go.lsp.dev/protocol"
)

// caller is the client as an operation of the request of ctx knows it. work shows how far it is; nil shows nothing.
func (s *session) caller(ctx context.Context, work *progress.WorkDone) api.Caller {
	c := api.Caller{
		Progress: s.progress(ctx, work), Ask: s.askPerson, Models: s.lentModels(), Confirm: s.confirm, Talks: &s.talks, Documents: s,
		Changed: s.hub.onChange,
	}
	if !s.client.Load().aurora.Restricted {
		c.Approve = s.approve
	}
	return c
}

// proceed is the choice that lets a query run at the budget's soft limit.
const proceed = "Proceed"

// confirm asks the person; no answer is a no. A client that can't ask goes on: the hard limit still holds.
func (s *session) confirm(ctx context.Context, refused *engine.Error) bool {
	chosen, err := s.conn.Client().ShowMessageRequest(ctx, &lsp.ShowMessageRequestParams{
		Type: lsp.MessageTypeWarning, Message: refused.Message + "\n" + refused.Remedy, Actions: []lsp.MessageActionItem{{Title: proceed}, {Title: "Cancel"}},
	})
	if err != nil {
		s.log.Info("the client did not ask about the budget", "err", err)
		return ctx.Err() == nil
	}
	return chosen != nil && chosen.Title == proceed
}
