package server

import (
	"context"

	"github.com/aurora-sidecar/aurora/lsp/protocol"
)

func (s *session) history(ctx context.Context, p *protocol.HistoryParams) (*protocol.HistoryResult, error) {
	r, err := s.engine.History(ctx, p.ToEngine())
	if err != nil {
		return nil, err
	}
	return protocol.FromHistory(r)
}
