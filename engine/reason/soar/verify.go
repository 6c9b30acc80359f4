package soar

import (
	"context"

	"github.com/aurora-sidecar/aurora/engine/reason/claims"
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
	problems, err := q.planProblems(ctx, q.state.Plan, q.state.Bundle)
	if err != nil {
		return "", err
	}
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
	}, nil)
	if err != nil {
		return "", err
	}
	q.state.PlanReview = review
	return string(q.state.Option) + ": " + review.line(), nil
}

// planProblems are those that code finds in a plan, names and files included that nothing in the workspace has.
func (q *query) planProblems(ctx context.Context, p *Plan, sources []Source) ([]claims.Problem, error) {
	problems := checkPlan(p, q.agentCards(), sources, q.state.Query)
	named := claims.Statements{Query: q.state.Query, NamesOnly: true}
	for _, s := range p.Subgoals {
		named.Texts = append(named.Texts, s.Description+"\n"+s.Expected)
	}
	if q.opts.Grounds == nil {
		return problems, nil
	}
	wrong, err := q.opts.Grounds.Contradicted(ctx, named)
	for i, problem := range wrong {
		if problem != "" {
			problems = append(problems, claims.Problem{Check: "groundedness", Message: p.Subgoals[i].ID + ": " + problem})
		}
	}
	return problems, err
}

// askReview has a model judge, with the text of what the work cites before it, and computes the score.
func askReview(ctx context.Context, q *query, name string, weights map[string]float64, in prompts.Input, cited []Source) (*Review, error) {
	var reply reviewReply
	if err := q.askJSONWith(ctx, name, in, cited, &reply); err != nil {
		return nil, err
	}
	v := reply.Verification
	r := &Review{Option: q.state.Option, Checks: v.Checks, Critical: append(v.Critical, v.Issues...), Suggestions: v.Suggestions}
	r.settle(weights, nil)
	return r, nil
}
