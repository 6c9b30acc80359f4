package api

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/workload"
)

// DecomposeParams are the parameters of aurora/decompose.
type DecomposeParams struct {
	Query        string    `json:"query"`
	Context      string    `json:"context,omitempty"` // what is known already, at most 4000 bytes
	TextDocument *Document `json:"textDocument,omitempty"`
	Range        *Range    `json:"range,omitempty"`
}

// DecomposeResult is the result of aurora/decompose. Both parts have the keys of the prompts: given, goal, subgoals,
// execution_order, parallelizable; and checks, overall_score, verdict, critical_issues, suggestions.
type DecomposeResult struct {
	Decomposition json.RawMessage `json:"decomposition"`
	Verification  json.RawMessage `json:"verification,omitempty"`
	Cost          Cost            `json:"cost"`
}

// fromDecomposition converts a plan and its review.
func fromDecomposition(d *engine.Decomposition) (*DecomposeResult, error) {
	plan, err := json.Marshal(d.Plan)
	if err != nil {
		return nil, fmt.Errorf("encode the plan: %w", err)
	}
	review, err := json.Marshal(d.Review)
	if err != nil {
		return nil, fmt.Errorf("encode the review: %w", err)
	}
	return &DecomposeResult{Decomposition: plan, Verification: review, Cost: Cost(d.Cost)}, nil
}

// Decompose plans.
var Decompose = Define(Operation{
	Name: "decompose", Title: "Plan", Doors: LSP | HTTP, Class: workload.Patient,
	Doc: "Break a question or a change into subgoals, and review that plan. Nothing is carried out; needs a model.",
}, func(ctx context.Context, c *Call, p *DecomposeParams) (*DecomposeResult, error) {
	selection, err := c.selection(p.TextDocument, p.Range)
	if err != nil {
		return nil, err
	}
	if len(p.Context) > maxPlanContext {
		return nil, Invalid("context", fmt.Sprintf("has %d bytes, at most %d are read", len(p.Context), maxPlanContext))
	}
	query := p.Query
	if known := strings.TrimSpace(p.Context); known != "" && strings.TrimSpace(query) != "" {
		query += "\n\nKnown already:\n" + known
	}
	d, err := c.Engine.Reasoner().Decompose(ctx, engine.QueryRequest{Query: query, Select: selection, Caller: c.caller()}, c.Progress)
	if err != nil {
		return nil, err
	}
	return fromDecomposition(d)
})

// maxPlanContext is the most bytes of what is known before a plan is made.
const maxPlanContext = 4000

// VerifyParams are the parameters of aurora/verify: one of decomposition, output and synthesis.
type VerifyParams struct {
	Query         string          `json:"query,omitempty"`         // that was worked on; default: the goal of the decomposition
	Decomposition json.RawMessage `json:"decomposition,omitempty"` // as aurora/decompose returns it
	Output        string          `json:"output,omitempty"`        // a text; places as path:line, names in backticks
	Synthesis     string          `json:"synthesis,omitempty"`     // an answer made of several outputs; reviewed as output is
	Option        string          `json:"option,omitempty"`        // auto (default), none, self, adversarial, debate
}

// VerifyResult is the result of aurora/verify.
type VerifyResult struct {
	Verification json.RawMessage `json:"verification"` // the keys of the prompts, as in aurora/decompose
	Issues       []string        `json:"issues"`
	ByModel      bool            `json:"byModel"` // a model judged, besides the checks by code
	Cost         Cost            `json:"cost"`
}

// Verify reviews work.
var Verify = Define(Operation{
	Name: "verify", Title: "Verify", Doors: LSP | HTTP, Class: workload.Patient,
	Doc: "Review a plan, a text or an answer: references and order, the places and names it tells; by a model, too, if there is one.",
}, func(ctx context.Context, c *Call, p *VerifyParams) (*VerifyResult, error) {
	request, err := p.toEngine()
	if err != nil {
		return nil, err
	}
	request.Caller = c.caller()
	v, err := c.Engine.Reasoner().Verify(ctx, request, c.Progress)
	if err != nil {
		return nil, err
	}
	review, err := json.Marshal(v.Review)
	if err != nil {
		return nil, fmt.Errorf("encode the review: %w", err)
	}
	return &VerifyResult{Verification: review, Issues: list(v.Review.Issues()), ByModel: v.ByModel, Cost: Cost(v.Cost)}, nil
})

// unnamedWork is the question of work that came without one.
const unnamedWork = "Is this right and complete?"

func (p *VerifyParams) toEngine() (engine.VerifyRequest, error) {
	r := engine.VerifyRequest{Query: p.Query, Plan: p.Decomposition, Output: cmp.Or(p.Output, p.Synthesis), Verification: p.Option}
	if absent(r.Plan) {
		r.Plan = nil
	}
	given := 0
	for _, there := range []bool{r.Plan != nil, p.Output != "", p.Synthesis != ""} {
		if there {
			given++
		}
	}
	if given != 1 {
		return r, Invalid("decomposition", "exactly one of decomposition, output and synthesis must be given")
	}
	if strings.TrimSpace(r.Query) == "" {
		var plan struct{ Goal string }
		_ = json.Unmarshal(r.Plan, &plan) // the engine says what is wrong with it
		r.Query = cmp.Or(plan.Goal, unnamedWork)
	}
	return r, nil
}

// Assess tells how hard a question is.
var Assess = Define(Operation{
	Name: "assess", Title: "Assess", Doors: LSP | HTTP, Class: workload.Patient,
	Doc: "Tell how complex a question is, which route it would take and what it would cost. No model is asked.",
}, func(ctx context.Context, c *Call, p *AssessParams) (*AssessResult, error) {
	a, err := c.Engine.Reasoner().Assess(ctx, p.Query, c.caller())
	if err != nil {
		return nil, err
	}
	return FromAssessment(a), nil
})
