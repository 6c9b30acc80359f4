package server

import (
	"context"

	"github.com/aurora-sidecar/aurora/lsp/protocol"
)

func (s *session) context(ctx context.Context, p *protocol.ContextParams) (*protocol.ContextResult, error) {
	selection, err := s.selection(p.TextDocument, p.Range)
	if err != nil {
		return nil, err
	}
	result, err := s.engine.Context(ctx, p.ToEngine(selection))
	if err != nil {
		return nil, err
	}
	return protocol.FromContextResult(result, s.encoding()), nil
}
