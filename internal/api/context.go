package api

import (
	"context"

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
	Task         *Task     `json:"task,omitempty"`         // gives the budget when budgetTokens does not
	K            int       `json:"k,omitempty"`            // most snippets, 1 to 100; default 12, more for a larger budget
	Scope        *Scope    `json:"scope,omitempty"`
	Diversity    *float64  `json:"diversity,omitempty"`      // 0..1, default 0.5: how much repetition counts against relevance
	Format       string    `json:"format,omitempty"`         // xml, markdown, json
	Tokens       string    `json:"tokens,omitempty"`         // how they are counted: exact (default, cl100k_base), estimate (four characters each)
	Conversation string    `json:"conversationId,omitempty"` // what an earlier context of the same name sent is left out
	Known        []string  `json:"known,omitempty"`          // what the reader has: paths, "path:from-to", ids of hits
}

// Task says how hard something is.
type Task struct {
	ID         string `json:"id,omitempty"`         // its name in a tracker, for the figures of usage
	Complexity int    `json:"complexity,omitempty"` // 1 to 10
	Type       string `json:"type,omitempty"`       // architecture, bugfix, or any other
}

// toEngine converts the parameters; the selection is found by the handler, which knows the document.
func (p *ContextParams) toEngine(selection *engine.Selection) engine.ContextRequest {
	return engine.ContextRequest{
		Query: p.Query, Select: selection, Goal: p.Goal, BudgetTokens: p.BudgetTokens, K: p.K, Task: (*engine.Task)(p.Task),
		Scope: p.Scope.toEngine(), Format: p.Format, Diversity: p.Diversity, Tokens: p.Tokens, Conversation: p.Conversation, Known: p.Known,
	}
}

// ContextResult is the result of aurora/context; tokens.total never exceeds budgetTokens.
type ContextResult struct {
	Text         string        `json:"text"`
	Snippets     []Hit         `json:"snippets"` // with the text and the lines that are shown
	Excerpts     int           `json:"excerpts"` // how many of the last snippets are shown by single lines only
	Tokens       ContextTokens `json:"tokens"`
	BudgetTokens int           `json:"budgetTokens"`
	Omitted      int           `json:"omitted"` // found and not shown, for want of room
	Sent         int           `json:"sent"`    // left out because the reader has it
	Notes        []string      `json:"notes"`
	TaskID       string        `json:"taskId,omitempty"`

	Providers map[string][]string `json:"providers,omitempty"` // ids of the snippets by the provider that proposed them
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
		BudgetTokens: r.BudgetTokens, Omitted: r.Omitted, Excerpts: r.Excerpts, Sent: r.Sent, Notes: list(r.Notes),
		TaskID: r.TaskID, Providers: r.Providers,
	}
}

// Context assembles what a task needs.
var Context = Define(Operation{
	Name: "context", Title: "Assemble context", Doors: LSP | HTTP,
	Doc: "Assemble the code and the memory that matter for a task, fitted to a token budget.",
}, func(ctx context.Context, c *Call, p *ContextParams) (*ContextResult, error) {
	selection, err := c.selection(p.TextDocument, p.Range)
	if err != nil {
		return nil, err
	}
	request := p.toEngine(selection)
	request.Agent = c.Agent
	found, err := c.Engine.Context(ctx, request)
	if err != nil {
		return nil, err
	}
	c.seen(found.Snippets)
	return FromContextResult(found, c.encoding()), nil
})
