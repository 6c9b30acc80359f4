package reason

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
)

// A VerifyRequest has the work of somebody else reviewed: a plan as Decompose makes them, or else a text.
type VerifyRequest struct {
	Query        string          // the question that was worked on
	Plan         json.RawMessage `json:",omitempty"` // nil when Output is to be reviewed
	Output       string
	Verification string // as in QueryRequest

	Caller
}

// A Verification is what the review says.
type Verification struct {
	Review  *soar.Review
	ByModel bool // a model judged it, too
	Cost    Cost
}

// Of work that is reviewed.
const (
	maxOutput = 100_000 // bytes
)

// Verify reviews work that was done elsewhere. What code can check, code checks: the order and the references of a plan;
// the places and the names that a text tells. A model, when there is one and code found nothing wrong, judges the rest.
// It fails with Invalid on what is neither a plan nor a text, and else as Decompose does, but for a missing model.
func (e *Reasoner) Verify(ctx context.Context, r VerifyRequest, sink func(Progress)) (*Verification, error) {
	ask := QueryRequest{Query: r.Query, Verification: r.Verification, Caller: r.Caller}
	if err := e.checkQuery(ask); err != nil {
		return nil, err
	}
	option, err := optionOf(r.Verification)
	if err != nil {
		return nil, err
	}
	work, err := e.workOf(r)
	if err != nil {
		return nil, err
	}
	request := soar.Request{Query: r.Query, Option: option}
	m := e.modelsFor(r.Caller)
	if m == nil {
		m, request.Option, request.Assess = &Models{PII: "redact"}, soar.NoReview, "keyword"
	}
	q := e.newReasoning(m, ask)
	request.ID, request.Account = q.result.QueryID, q.account
	pipeline, err := q.pipeline(ctx)
	if err != nil {
		return nil, err
	}
	state, phases, total, err := pipeline.VerifyWork(ctx, request, work, q.progress(sink))
	q.finish(state, phases, total)
	if err != nil {
		return nil, q.failure(ctx, "verify", err)
	}
	v := &Verification{Review: state.Review, Cost: q.result.Cost}
	if work.Plan != nil {
		v.Review = state.PlanReview
	}
	v.ByModel = v.Review.Option != soar.NoReview && len(v.Review.Problems) == 0
	return v, nil
}

// workOf reads what is to be reviewed.
func (e *Reasoner) workOf(r VerifyRequest) (soar.ForeignWork, error) {
	switch text := strings.TrimSpace(r.Output); {
	case len(r.Plan) > 0 && text != "", len(r.Plan) == 0 && text == "":
		return soar.ForeignWork{}, &fault.Error{Kind: fault.Invalid, Message: "verify takes a decomposition or an output, one of them", Detail: "decomposition"}
	case len(text) > maxOutput:
		return soar.ForeignWork{}, &fault.Error{Kind: fault.Invalid, Message: fmt.Sprintf("the output has %d bytes, at most %d are reviewed", len(text), maxOutput), Detail: "output"}
	case text != "":
		return soar.ForeignWork{Output: text}, nil
	}
	plan := new(soar.Plan)
	if err := json.Unmarshal(r.Plan, plan); err != nil || len(plan.Subgoals) == 0 {
		return soar.ForeignWork{}, &fault.Error{
			Kind: fault.Invalid, Message: "the decomposition is no plan with subgoals", Detail: "decomposition",
			Remedy: "Give the object that aurora_decompose returns: given, goal, subgoals, execution_order, parallelizable.",
		}
	}
	return soar.ForeignWork{Plan: plan}, nil
}

// failure is the error of a pipeline as the facade has it.
func (q *reasoning) failure(ctx context.Context, doing string, err error) error {
	var blocked *soar.Blocked
	var failure *llm.Error
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &blocked):
		return q.refusal(blocked)
	case errors.As(err, &failure):
		return modelError(failure)
	}
	return fmt.Errorf("%s: %w", doing, err)
}
