package server

import (
	"context"
	"errors"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/lsp/protocol"
	lsp "go.lsp.dev/protocol"
)

func (s *session) query(ctx context.Context, p *protocol.QueryParams) (*protocol.QueryResult, error) {
	selection, err := s.selection(p.TextDocument, p.Range)
	if err != nil {
		return nil, err
	}
	ctx = s.withPerson(s.lend(ctx))
	reply, request := s.talks.Hear(ctx, s.engine, p.ToEngine(selection))
	if reply == nil {
		reply, err = s.converse(ctx, request)
	}
	if err != nil {
		return nil, err
	}
	return protocol.FromQueryResult(reply, s.encoding()), nil
}

// converse answers a question of a conversation, which a later message may leave.
func (s *session) converse(ctx context.Context, r engine.QueryRequest) (*engine.QueryResult, error) {
	running, ended := s.talks.Begin(ctx, r.ConversationID)
	result, err := s.ask(running, r)
	left := ended()
	if err == nil {
		s.talks.Answered(r, result)
		return result, nil
	}
	s.talks.Left(r)
	if left && ctx.Err() == nil {
		return engine.LeftAlone(), nil
	}
	return nil, err
}

// ask answers a question; at the budget's soft limit it asks the person first.
func (s *session) ask(ctx context.Context, r engine.QueryRequest) (*engine.QueryResult, error) {
	r.AskBudget = true
	sink := s.tell(ctx)
	result, err := s.engine.Query(ctx, r, sink)
	var refused *engine.Error
	if errors.As(err, &refused) && refused.Detail == engine.ConfirmBudget && s.confirm(ctx, refused) {
		r.BudgetAccepted = true
		return s.engine.Query(ctx, r, sink)
	}
	return result, err
}

// tell returns what passes the events of a query on: to the request's progress, and to a client that announced them.
func (s *session) tell(ctx context.Context) func(engine.Progress) {
	work, announced := workDone(ctx), s.client.Load().aurora.Progress
	return func(event engine.Progress) {
		if event.Delta == "" {
			work.Report(event.Stage+": "+event.Detail, event.Done)
		}
		if !announced || ctx.Err() != nil {
			return
		}
		if err := s.notify(protocol.MethodProgress, protocol.FromProgress(event)); err != nil {
			s.log.Debug("tell progress", "err", err)
		}
	}
}

// proceed is the choice that lets a query run at the budget's soft limit.
const proceed = "Proceed"

// confirm asks the person; no answer is a no. A client that can't ask goes on: the hard limit still holds (C-084).
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
	raw, err := encode(params)
	if err != nil {
		return err
	}
	return s.conn.Notify(s.ctx, method, raw)
}
