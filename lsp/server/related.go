package server

import (
	"context"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/lsp/protocol"
)

func (s *session) related(ctx context.Context, p *protocol.RelatedParams) (*protocol.RelatedResult, error) {
	if p.TextDocument == nil {
		return nil, protocol.InvalidParams("textDocument", "is missing")
	}
	if p.Position == nil {
		return nil, protocol.InvalidParams("position", "is missing")
	}
	path, err := requirePath(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	lines, err := s.lines(path)
	if err != nil {
		return nil, err
	}
	offset, ok := protocol.ToOffset(lines, *p.Position, s.encoding())
	if !ok {
		return nil, protocol.InvalidParams("position", "must not be negative")
	}
	result, err := s.engine.Related(ctx, engine.RelatedRequest{
		Place: engine.Place{Path: path, Offset: offset}, Direction: p.Direction, Depth: p.Depth, Limit: p.Limit,
	})
	if err != nil {
		return nil, err
	}
	return protocol.FromRelatedResult(result, s.encoding()), nil
}
