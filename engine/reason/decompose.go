package reason

import (
	"context"

	"github.com/aurora-sidecar/aurora/engine/reason/soar"
)

// A Decomposition is a question broken into subgoals, and what the review says of that plan.
type Decomposition struct {
	Plan   *soar.Plan
	Review *soar.Review
	Cost   Cost
}

// Decompose plans how a question, or a change, would be worked on, and has the plan verified; nothing is carried out.
// It fails with LLMUnavailable without a model and when the model fails, and else as Query does.
func (e *Reasoner) Decompose(ctx context.Context, r QueryRequest, sink func(Progress)) (*Decomposition, error) {
	if err := e.checkQuery(r); err != nil {
		return nil, err
	}
	m := e.modelsFor(r.Caller)
	if m == nil {
		_, refusal := e.withoutModel()
		if e.opts.ModelsError == nil {
			refusal.Message, refusal.Detail = "planning needs a model, and none is configured", ""
			refusal.Remedy = "Plan it yourself, or configure llm.model: see docs/engine.md."
		}
		return nil, refusal
	}
	q := e.newReasoning(m, r)
	pipeline, err := q.pipeline(ctx)
	if err != nil {
		return nil, err
	}
	state, phases, total, err := pipeline.Decompose(ctx, soar.Request{ID: q.result.QueryID, Query: r.Query, Account: q.account}, q.progress(sink))
	q.finish(state, phases, total)
	q.log(state, total, err)
	if err == nil {
		return &Decomposition{Plan: state.Plan, Review: state.PlanReview, Cost: q.result.Cost}, nil
	}
	return nil, q.failure(ctx, "decompose", err)
}
