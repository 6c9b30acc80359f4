package server

import (
	"context"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/lsp/protocol"
)

func (s *session) rebuild(ctx context.Context, p *protocol.RebuildParams) (*protocol.RebuildResult, error) {
	req := engine.RebuildRequest{Confirm: p.Confirm, Validate: p.Options.ValidateOnly}
	for _, path := range p.Paths {
		req.Paths = append(req.Paths, s.resolve(path))
	}
	result, err := s.engine.Rebuild(ctx, req)
	if err != nil {
		return nil, err
	}
	return protocol.FromRebuild(result), nil
}

func (s *session) job(_ context.Context, p *protocol.JobParams) (*protocol.Job, error) {
	job, err := s.engine.Job(p.JobID)
	if err != nil {
		return nil, err
	}
	return protocol.FromJob(job, time.Now()), nil
}

func (s *session) cancelRebuild(_ context.Context, p *protocol.JobParams) (*protocol.Job, error) {
	job, err := s.engine.CancelRebuild(p.JobID)
	if err != nil {
		return nil, err
	}
	return protocol.FromJob(job, time.Now()), nil
}
