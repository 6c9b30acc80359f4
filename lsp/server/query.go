package server

import (
	"context"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/api/jsonrpc"
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

// progress returns what passes the events of a query on: to the request's progress, and to a client that announced them.
func (s *session) progress(ctx context.Context, work *progress.WorkDone) func(engine.Progress) {
	announced := s.client.Load().aurora.Progress
	return func(event engine.Progress) {
		if event.Delta == "" {
			work.Report(event.Stage+": "+event.Detail, event.Done)
		}
		if !announced || ctx.Err() != nil {
			return
		}
		if err := s.notify(api.MethodProgress, api.FromProgress(event)); err != nil {
			s.log.Debug("tell progress", "err", err)
		}
	}
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

// notify sends a notification of the contract. Callers check that the client announced it.
func (s *session) notify(method string, params any) error {
	raw, err := jsonrpc.Encode(params)
	if err != nil {
		return err
	}
	return s.conn.Notify(s.ctx, method, raw)
}
