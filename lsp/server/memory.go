package server

import (
	"context"

	"github.com/aurora-sidecar/aurora/lsp/protocol"
)

func (s *session) remember(ctx context.Context, p *protocol.RememberParams) (*protocol.RememberResult, error) {
	selection, err := s.selection(p.TextDocument, p.Range)
	if err != nil {
		return nil, err
	}
	id, created, err := s.engine.Remember(ctx, p.ToEngine(selection))
	if err != nil {
		return nil, err
	}
	s.hub.onChange()
	return &protocol.RememberResult{ID: id, Created: created}, nil
}

func (s *session) forget(ctx context.Context, p *protocol.ForgetParams) (*protocol.ForgetResult, error) {
	removed, err := s.engine.Forget(ctx, p.IDs)
	if err != nil {
		return nil, err
	}
	s.hub.onChange()
	return protocol.FromRemoval(removed), nil
}

func (s *session) restore(ctx context.Context, p *protocol.RestoreParams) (*protocol.RestoreResult, error) {
	if p.IDs == nil {
		list, total, err := s.engine.Forgotten(ctx, p.Limit)
		if err != nil {
			return nil, err
		}
		return &protocol.RestoreResult{IDs: []string{}, Forgotten: protocol.FromForgotten(list), Total: total}, nil
	}
	back, err := s.engine.Restore(ctx, p.IDs)
	if err != nil {
		return nil, err
	}
	s.hub.onChange()
	return &protocol.RestoreResult{Restored: len(back), IDs: append([]string{}, back...)}, nil
}

// didUse records behind the read loop what a person did with results.
func (s *session) didUse(_ context.Context, p *protocol.DidUseParams) error {
	s.workers.run(func() {
		for _, use := range p.Hits {
			if err := s.engine.Use(s.ctx, []string{use.ID}, use.Action, use.Value); err != nil && s.ctx.Err() == nil {
				s.log.Warn("record a use", "id", use.ID, "action", use.Action, "err", err)
			}
		}
	})
	return nil
}
