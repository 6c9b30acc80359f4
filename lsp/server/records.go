package server

import (
	"context"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/lsp/protocol"
)

func (s *session) records(ctx context.Context, p *protocol.RecordsParams) (*protocol.RecordsResult, error) {
	if p.ID != "" {
		entry, err := s.engine.RecordEntry(ctx, p.ID)
		if err != nil {
			return nil, err
		}
		return protocol.FromRecords([]engine.RecordEntry{*entry}, 1, s.encoding()), nil
	}
	entries, total, err := s.engine.ListRecords(ctx, p.View, p.Limit)
	if err != nil {
		return nil, err
	}
	return protocol.FromRecords(entries, total, s.encoding()), nil
}

func (s *session) revise(ctx context.Context, p *protocol.ReviseParams) (*protocol.ReviseResult, error) {
	id, err := s.engine.Revise(ctx, p.ID, p.ToEngine())
	if err != nil {
		return nil, err
	}
	s.hub.onChange()
	return &protocol.ReviseResult{ID: id}, nil
}

func (s *session) feedback(ctx context.Context, p *protocol.FeedbackParams) (*protocol.FeedbackResult, error) {
	result, err := s.talks.Feedback(ctx, s.engine, engine.Feedback{QueryID: p.QueryID, Text: p.Text, Signal: p.Signal})
	if err != nil {
		return nil, err
	}
	return &protocol.FeedbackResult{Signal: result.Signal, Action: result.Action, Applied: result.Applied}, nil
}
