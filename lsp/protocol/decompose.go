package protocol

import (
	"encoding/json"
	"fmt"

	"github.com/aurora-sidecar/aurora/engine"
)

// DecomposeParams are the parameters of aurora/decompose.
type DecomposeParams struct {
	Query        string    `json:"query"`
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

// FromDecomposition converts a plan and its review.
func FromDecomposition(d *engine.Decomposition) (*DecomposeResult, error) {
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
