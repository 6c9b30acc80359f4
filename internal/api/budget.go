package api

import (
	"context"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/budget"
)

// AssessParams are the parameters of aurora/assess.
type AssessParams struct {
	Query string `json:"query"`
}

// AssessResult is the result of aurora/assess: what would happen to a question. No model is asked.
type AssessResult struct {
	Complexity       string   `json:"complexity"`
	Score            float64  `json:"score"`
	Confidence       float64  `json:"confidence"`
	Method           string   `json:"method"` // keyword
	Indicators       []string `json:"indicators"`
	Route            string   `json:"route"` // direct, soar, index
	EstimatedCostUSD float64  `json:"estimatedCostUsd"`
	Verification     string   `json:"verification"` // that its plan would get: none, self, adversarial, debate
}

// FromAssessment converts an assessment.
func FromAssessment(a *engine.Assessment) *AssessResult {
	return &AssessResult{
		Complexity: a.Complexity, Score: a.Score, Confidence: a.Confidence, Method: a.Method, Indicators: list(a.Indicators),
		Route: a.Route, EstimatedCostUSD: finite(a.EstimatedUSD),
		Verification: a.Verification,
	}
}

// BudgetParams are the parameters of aurora/budget.
type BudgetParams struct {
	Action string `json:"action,omitempty"` // status, reset, history
	Month  string `json:"month,omitempty"`  // 2025-12; history only
}

// BudgetResult is the result of aurora/budget.
type BudgetResult struct {
	Period       string         `json:"period"` // first and last day
	LimitUSD     float64        `json:"limitUsd"`
	ConsumedUSD  float64        `json:"consumedUsd"`
	RemainingUSD float64        `json:"remainingUsd"`
	Queries      int            `json:"queries"`
	History      []BudgetPeriod `json:"history,omitempty"`
}

// A BudgetPeriod is what was spent in one period.
type BudgetPeriod struct {
	Start       string  `json:"start"`
	End         string  `json:"end"`
	LimitUSD    float64 `json:"limitUsd"`
	ConsumedUSD float64 `json:"consumedUsd"`
	Queries     int     `json:"queries"`
}

// FromBudget converts the present period and past ones.
func FromBudget(p budget.Period, history []budget.Period) *BudgetResult {
	r := &BudgetResult{
		Period: p.Start.Format(time.DateOnly) + "/" + p.End.Format(time.DateOnly), LimitUSD: finite(p.LimitUSD),
		ConsumedUSD: finite(p.Consumed), RemainingUSD: finite(p.Remaining), Queries: p.Queries,
	}
	for _, h := range history {
		r.History = append(r.History, BudgetPeriod{
			Start: timestamp(h.Start), End: timestamp(h.End), LimitUSD: finite(h.LimitUSD), ConsumedUSD: finite(h.Consumed), Queries: h.Queries,
		})
	}
	return r
}

// Budget tells what was spent.
var Budget = Define(Operation{
	Name: "budget", Title: "Budget", Doors: LSP | HTTP, Effect: Adds,
	Doc: "Tell what models have cost in this period and in earlier ones, or begin the period again.",
}, func(ctx context.Context, c *Call, p *BudgetParams) (*BudgetResult, error) {
	if err := c.readsJournal(); err != nil {
		return nil, err
	}
	period, history, err := c.Engine.Budget(ctx, p.Action, p.Month)
	if err != nil {
		return nil, err
	}
	return FromBudget(period, history), nil
})
