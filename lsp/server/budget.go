package server

import (
	"context"

	"github.com/aurora-sidecar/aurora/lsp/protocol"
)

func (s *session) assess(ctx context.Context, p *protocol.AssessParams) (*protocol.AssessResult, error) {
	a, err := s.engine.Assess(s.lend(ctx), p.Query)
	if err != nil {
		return nil, err
	}
	return protocol.FromAssessment(a), nil
}

func (s *session) budget(ctx context.Context, p *protocol.BudgetParams) (*protocol.BudgetResult, error) {
	period, history, err := s.engine.Budget(ctx, p.Action, p.Month)
	if err != nil {
		return nil, err
	}
	return protocol.FromBudget(period, history), nil
}
