package server

import (
	"context"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/lsp/protocol"
)

func (s *session) decompose(ctx context.Context, p *protocol.DecomposeParams) (*protocol.DecomposeResult, error) {
	selection, err := s.selection(p.TextDocument, p.Range)
	if err != nil {
		return nil, err
	}
	d, err := s.engine.Decompose(s.lend(ctx), engine.QueryRequest{Query: p.Query, Select: selection}, s.tell(ctx))
	if err != nil {
		return nil, err
	}
	return protocol.FromDecomposition(d)
}
