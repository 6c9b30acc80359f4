package protocol

import (
	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// ContextParams are the parameters of aurora/context.
type ContextParams struct {
	Query        string    `json:"query,omitempty"`
	TextDocument *Document `json:"textDocument,omitempty"`
	Range        *Range    `json:"range,omitempty"`
	Goal         string    `json:"goal,omitempty"`
	BudgetTokens int       `json:"budgetTokens,omitempty"` // default 4000
	K            int       `json:"k,omitempty"`            // most snippets
	Scope        *Scope    `json:"scope,omitempty"`
	Diversity    float64   `json:"diversity,omitempty"` // 0..1
	Format       string    `json:"format,omitempty"`    // xml, markdown, json
}

// ToEngine converts the parameters; the selection is found by whoever knows the document.
func (p *ContextParams) ToEngine(selection *engine.Selection) engine.ContextRequest {
	return engine.ContextRequest{
		Query: p.Query, Select: selection, Goal: p.Goal, BudgetTokens: p.BudgetTokens, K: p.K,
		Scope: p.Scope.ToEngine(), Format: p.Format,
	}
}

// ContextResult is the result of aurora/context; tokens.total never exceeds budgetTokens.
type ContextResult struct {
	Text         string        `json:"text"`
	Snippets     []Hit         `json:"snippets"`
	Tokens       ContextTokens `json:"tokens"`
	BudgetTokens int           `json:"budgetTokens"`
	Omitted      int           `json:"omitted"`
	Notes        []string      `json:"notes"`
}

// ContextTokens tells what the tokens were spent on.
type ContextTokens struct {
	Goal     int `json:"goal"`
	Snippets int `json:"snippets"`
	Graph    int `json:"graph"`
	Memory   int `json:"memory"`
	Overhead int `json:"overhead"`
	Total    int `json:"total"`
}

// FromContextResult converts a result.
func FromContextResult(r *engine.ContextResult, enc text.Encoding) *ContextResult {
	return &ContextResult{
		Text: r.Text, Snippets: FromHits(r.Snippets, enc), Tokens: ContextTokens(r.Tokens),
		BudgetTokens: r.BudgetTokens, Omitted: r.Omitted, Notes: list(r.Notes),
	}
}
