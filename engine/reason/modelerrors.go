package reason

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aurora-sidecar/aurora/engine/budget"
	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
)

// failed is what a query ends with that a phase ended early.
func (q *reasoning) failed(ctx context.Context, err error, mode string, sink func(Progress)) (*QueryResult, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var blocked *soar.Blocked
	if errors.As(err, &blocked) {
		return nil, q.refusal(blocked)
	}
	var failure *llm.Error
	if !errors.As(err, &failure) {
		return nil, fmt.Errorf("query: %w", err)
	}
	q.reasoner.failed.Store(failure.Fault != llm.OverBudget)
	if mode == "soar" {
		return nil, modelError(failure)
	}
	if q.deltas {
		q.progress(sink)(soar.Event{Phase: soar.Synthesize, Status: soar.Again, Void: true, Detail: "the model failed", Done: 1})
	}
	plain := &query{reasoner: q.reasoner, request: q.request, result: &QueryResult{}}
	plain.run = soar.NewRun(time.Now, nil)
	if err := plain.answer(ctx); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("query: %w", err)
	}
	r := q.result
	r.Answer, r.Citations, r.Confidence, r.Verified = plain.result.Answer, plain.result.Citations, plain.result.Confidence, false
	r.FellBack, r.Abstained = soar.ByIndex, plain.result.Abstained
	r.Warnings = append([]string{fmt.Sprintf("The model gave no answer: %s. This one comes from the index, git and memory alone, and nothing has verified it. %s",
		failure, failure.Remedy())}, r.Warnings...)
	return r, nil
}

// refusal is the error of a guardrail.
func (q *reasoning) refusal(b *soar.Blocked) *fault.Error {
	var limit *budget.Blocked
	switch {
	case errors.Is(b.Err, errConfirm):
		return &fault.Error{
			Kind: fault.Budget, Message: q.warning.Short() + ", proceed?", Detail: ConfirmBudget, Remedy: q.warning.Long(),
		}
	case errors.As(b.Err, &limit):
		return &fault.Error{Kind: fault.Budget, Message: limit.Error(), Detail: "cost_budgets.hard_limit_usd", Remedy: limit.Remedy()}
	case b.Err != nil:
		return &fault.Error{Kind: fault.Budget, Message: "The account of costs can't be read, so no model is asked", Err: b.Err, Remedy: "Run: aurora doctor, or set cost_budgets.enabled to false."}
	}
	return &fault.Error{Kind: fault.Guardrail, Message: b.Message, Detail: "query", Remedy: b.Remedy}
}

// modelError is the failure of a model as the doors tell it.
func modelError(e *llm.Error) *fault.Error {
	if e.Fault == llm.OverBudget {
		var limit *budget.Blocked
		if errors.As(e, &limit) {
			return &fault.Error{Kind: fault.Budget, Message: limit.Error(), Detail: "cost_budgets.hard_limit_usd", Remedy: limit.Remedy()}
		}
		return &fault.Error{Kind: fault.Budget, Message: e.Message, Detail: "budgetUsd", Remedy: "Allow more, or ask with mode direct."}
	}
	return &fault.Error{
		Kind: fault.LLMUnavailable, Message: "The model gave no answer", Err: e, Remedy: e.Remedy(),
		Detail: fmt.Sprintf("provider %s, HTTP status %d, attempts %d", e.Provider, e.Status, e.Attempts),
	}
}
