package server

import (
	"context"

	"github.com/aurora-sidecar/aurora/lsp/protocol"
)

func (s *session) search(ctx context.Context, p *protocol.SearchParams) (*protocol.SearchResult, error) {
	result, err := s.engine.Search(ctx, p.ToEngine())
	if err != nil {
		return nil, err
	}
	return protocol.FromSearchResult(result, s.encoding()), nil
}
