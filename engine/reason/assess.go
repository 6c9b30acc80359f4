package reason

import (
	"context"

	"github.com/aurora-sidecar/aurora/engine/budget"
	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
)

// An Assessment is what would happen to a question.
type Assessment struct {
	Complexity   string
	Score        float64
	Confidence   float64
	Method       string // keyword
	Indicators   []string
	Verification string // that its answer, or its plan, would get: none, self, adversarial, debate
	Route        string // direct (one answer, no plan), soar (all phases), index (no model)
	EstimatedUSD float64
}

// Assess tells how hard a question is, by its words alone, and what it may cost. It asks no model. It fails as Query
// does on what is no question.
func (e *Reasoner) Assess(_ context.Context, query string, by Caller) (*Assessment, error) {
	if err := e.checkQuery(QueryRequest{Query: query}); err != nil {
		return nil, err
	}
	c := soar.Classify(query)
	a := &Assessment{
		Complexity: string(c.Level), Score: c.Score, Confidence: c.Confidence, Method: "keyword", Indicators: c.Matched, Route: "index",
		Verification: string(c.Recommended()),
	}
	m := e.modelsFor(by)
	if m == nil {
		return a, nil
	}
	a.Route = "soar"
	if c.Level == soar.Simple || c.Level == soar.Medium && c.Recommended() == soar.Self {
		a.Route = "direct"
	}
	if !m.Free {
		a.EstimatedUSD = estimate(c.Level, query)
	}
	return a, nil
}

// estimate is what a question may cost in US dollars, before it is asked.
func estimate(level soar.Level, query string) float64 {
	return budget.Estimate(string(level), llm.EstimateTokens(query))
}
