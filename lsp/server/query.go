package server

import (
	"context"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/lsp/protocol"
)

func (s *session) query(ctx context.Context, p *protocol.QueryParams) (*protocol.QueryResult, error) {
	selection, err := s.selection(p.TextDocument, p.Range)
	if err != nil {
		return nil, err
	}
	work, announced := workDone(ctx), s.client.Load().aurora.Progress
	sink := func(event engine.Progress) {
		work.Report(event.Stage+": "+event.Detail, event.Done)
		if !announced || ctx.Err() != nil {
			return
		}
		if err := s.notify(protocol.MethodProgress, protocol.FromProgress(event)); err != nil {
			s.log.Debug("tell progress", "err", err)
		}
	}
	if p.ConversationID != "" {
		if reply := s.talks.Heed(ctx, s.engine, p.ConversationID, p.Query); reply != nil {
			return protocol.FromQueryResult(reply, s.encoding()), nil
		}
	}
	result, err := s.engine.Query(ctx, p.ToEngine(selection), sink)
	if err != nil {
		return nil, err
	}
	if p.ConversationID != "" {
		s.talks.Answered(p.ConversationID, result)
	}
	return protocol.FromQueryResult(result, s.encoding()), nil
}

// notify sends a notification of the contract. Callers check that the client announced it.
func (s *session) notify(method string, params any) error {
	raw, err := encode(params)
	if err != nil {
		return err
	}
	return s.conn.Notify(s.ctx, method, raw)
}
