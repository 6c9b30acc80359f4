package soar

import (
	"context"

	"github.com/aurora-sidecar/aurora/prompts"
)

// A reviewReply is what the prompts for reviews are answered with. Its own sum and verdict are not read.
type reviewReply struct {
	Verification struct {
		Checks      map[string]Check `json:"checks"`
		Critical    []string         `json:"critical_issues"`
		Issues      []string         `json:"issues"`
		Suggestions []string         `json:"suggestions"`
	} `json:"verification"`
}

// verifyPlan is phase 4: code first; a model reviews only what code found nothing wrong with.
func verifyPlan(ctx context.Context, q *query) (string, error) {
	problems := checkPlan(q.state.Plan, q.agentCards(), q.state.Bundle, q.state.Query)
	if len(problems) > 0 || q.state.Option == NoReview {
		q.state.PlanReview = byCode(q.state.Option, planWeights, problems)
		return q.state.PlanReview.line(), nil
	}
	name := prompts.VerifyDecomposition
	if q.state.Option != Self {
		name = prompts.Critic
	}
	review, err := askReview(ctx, q, name, planWeights, prompts.Input{
		Query:    q.state.Query,
		Planning: prompts.Planning{Decomposition: CutText(encode(q.state.Plan), 4*maxSummary), Examples: q.examples(prompts.DecompositionSet)},
		Agents:   q.cards(),
	})
	if err != nil {
		return "", err
	}
	q.state.PlanReview = review
	return string(q.state.Option) + ": " + review.line(), nil
}

// askReview has a model judge and computes the score.
func askReview(ctx context.Context, q *query, name string, weights map[string]float64, in prompts.Input) (*Review, error) {
	var reply reviewReply
	if err := q.askJSON(ctx, name, in, &reply); err != nil {
		return nil, err
	}
	v := reply.Verification
	r := &Review{Option: q.state.Option, Checks: v.Checks, Critical: append(v.Critical, v.Issues...), Suggestions: v.Suggestions}
	r.settle(weights, nil)
	return r, nil
}
