package engine

import (
	"context"
	"fmt"
	"strings"
	"time"

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
	Verification string // that its plan would get: none, self, adversarial, debate
	Route        string // direct (one call), soar (all phases), index (no model)
	EstimatedUSD float64
}

// Assess tells how hard a question is, by its words alone, and what it may cost. It asks no model. It fails as Query
// does on what is no question.
func (e *Engine) Assess(_ context.Context, query string, by Caller) (*Assessment, error) {
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
	if c.Level == soar.Simple {
		a.Route = "direct"
	}
	if !m.Free {
		a.EstimatedUSD = e.estimate(c.Level, query)
	}
	return a, nil
}

// estimate is what a question may cost in US dollars, before it is asked.
func (e *Engine) estimate(level soar.Level, query string) float64 {
	return budget.Estimate(string(level), llm.EstimateTokens(query))
}

// Budget returns the present period of the account of costs, after a reset if that is the action; with the action
// history those before it, too, of one month when month is not "".
func (e *Engine) Budget(ctx context.Context, action, month string) (p budget.Period, history []budget.Period, err error) {
	t := e.opts.Budget
	if t == nil {
		return p, nil, &Error{Kind: Budget, Message: "no account of costs is kept", Remedy: "Run: aurora doctor"}
	}
	var from time.Time
	if month != "" {
		if from, err = time.Parse("2006-01", month); err != nil {
			return p, nil, &Error{Kind: Invalid, Message: fmt.Sprintf("month must be a year and a month, got %q", month), Detail: "month", Remedy: "Write it as in 2025-12."}
		}
	}
	switch strings.ToLower(action) {
	case "", "status":
	case "reset":
		err = t.Reset(ctx)
	case "history":
		history, err = t.History(ctx, from)
	default:
		return p, nil, &Error{Kind: Invalid, Message: fmt.Sprintf("unknown action %q", action), Detail: "action", Remedy: "Use status, reset or history."}
	}
	if err == nil {
		p, err = t.Status(ctx)
	}
	if err != nil {
		if ctx.Err() != nil {
			return p, nil, ctx.Err()
		}
		return p, nil, &Error{Kind: Storage, Message: "the account of costs can't be read", Err: err, Remedy: "Run: aurora doctor"}
	}
	return p, history, nil
}
