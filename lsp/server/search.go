package server

import (
	"context"

	"github.com/aurora-sidecar/aurora/lsp/protocol"
)

func (s *session) search(ctx context.Context, p *protocol.SearchParams) (*protocol.SearchResult, error) {
	request := p.ToEngine()
	request.From = s.recentPath()
	result, err := s.engine.Search(ctx, request)
	if err != nil {
		return nil, err
	}
	return protocol.FromSearchResult(result, s.encoding()), nil
}
