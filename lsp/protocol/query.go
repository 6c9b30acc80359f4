package protocol

import (
	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// QueryParams are the parameters of aurora/query.
type QueryParams struct {
	Query          string    `json:"query"`
	TextDocument   *Document `json:"textDocument,omitempty"`
	Range          *Range    `json:"range,omitempty"`
	Mode           string    `json:"mode,omitempty"`         // auto, direct, soar
	Verification   string    `json:"verification,omitempty"` // auto, none, self, adversarial, debate
	ConversationID string    `json:"conversationId,omitempty"`
	BudgetUSD      float64   `json:"budgetUsd,omitempty"`
	Force          bool      `json:"force,omitempty"`
	Adaptive       bool      `json:"adaptive,omitempty"` // as many passes as the work is worth
}

// ToEngine converts the parameters; the selection is found by whoever knows the document.
func (p *QueryParams) ToEngine(selection *engine.Selection) engine.QueryRequest {
	return engine.QueryRequest{
		Query: p.Query, Select: selection, Mode: p.Mode, Force: p.Force, Verification: p.Verification, BudgetUSD: max(0, finite(p.BudgetUSD)),
		Adaptive: p.Adaptive, ConversationID: p.ConversationID,
	}
}

// QueryResult is the result of aurora/query.
type QueryResult struct {
	QueryID         string   `json:"queryId"`
	Answer          string   `json:"answer"`
	Format          string   `json:"format"` // markdown
	Confidence      float64  `json:"confidence"`
	Verified        bool     `json:"verified"`
	Complexity      string   `json:"complexity"`
	Model           string   `json:"model,omitempty"`
	Citations       []Hit    `json:"citations"`
	Warnings        []string `json:"warnings"`
	Phases          []Phase  `json:"phases"`
	Cost            Cost     `json:"cost"`
	Cached          bool     `json:"cached"`
	TotalDurationMs float64  `json:"totalDurationMs"`

	OverallScore *float64  `json:"overallScore,omitempty"` // of the verification
	Subgoals     []Subgoal `json:"subgoals,omitempty"`
	ChunkID      string    `json:"chunkId,omitempty"` // the record that the answer became
	Passes       []Pass    `json:"passes,omitempty"`  // of a question that was planned
}

// A Subgoal is a part of a question as it went.
type Subgoal struct {
	ID          string  `json:"id"`
	Description string  `json:"description"`
	Agent       string  `json:"agent"`
	Status      string  `json:"status"` // success, partial, failed
	Score       float64 `json:"score"`
	Summary     string  `json:"summary,omitempty"`
	Note        string  `json:"note,omitempty"` // why it should not be trusted
}

// A Phase is one of the nine phases as it went.
type Phase struct {
	Phase      string  `json:"phase"`
	Status     string  `json:"status"` // ok, skipped, retried, failed
	StartedAt  string  `json:"startedAt,omitempty"`
	DurationMs float64 `json:"durationMs"`
	Percentage float64 `json:"percentage"`
	Detail     string  `json:"detail,omitempty"`
}

// Cost is what the models of a query cost.
type Cost struct {
	USD              float64 `json:"usd"`
	PromptTokens     int     `json:"promptTokens"`
	CompletionTokens int     `json:"completionTokens"`
	Calls            int     `json:"calls"`
}

// FromQueryResult converts a result.
func FromQueryResult(r *engine.QueryResult, enc text.Encoding) *QueryResult {
	phases := make([]Phase, len(r.Phases))
	for i, p := range r.Phases {
		phases[i] = Phase{
			Phase: p.Name, Status: p.Status, StartedAt: moment(p.StartedAt), DurationMs: milliseconds(p.Duration),
			Percentage: finite(p.Percentage), Detail: p.Detail,
		}
	}
	result := &QueryResult{
		QueryID: r.QueryID, Answer: r.Answer, Format: "markdown", Confidence: finite(r.Confidence),
		Verified: r.Verified, Complexity: r.Complexity, Model: r.Model, Citations: FromHits(r.Citations, enc),
		Warnings: list(r.Warnings), Phases: phases, TotalDurationMs: milliseconds(r.Total),
		Cost: Cost(r.Cost), Cached: r.Cached, ChunkID: r.ChunkID,
	}
	if r.OverallScore != nil {
		score := finite(*r.OverallScore)
		result.OverallScore = &score
	}
	for _, p := range r.Passes {
		result.Passes = append(result.Passes, FromPass(p))
	}
	for _, s := range r.Subgoals {
		s.Score = finite(s.Score)
		result.Subgoals = append(result.Subgoals, Subgoal(s))
	}
	return result
}

// ProgressParams are the parameters of the notification aurora/progress.
type ProgressParams struct {
	QueryID  string   `json:"queryId"`
	Stage    string   `json:"stage"`
	Status   string   `json:"status"` // in_progress, complete, retry, failed
	Detail   string   `json:"detail"`
	Progress *float64 `json:"progress,omitempty"` // 0..1
	Data     *Delta   `json:"data,omitempty"`
}

// A Delta is the next piece of an answer, while a model writes it.
type Delta struct {
	Delta string `json:"delta"`
	Void  bool   `json:"void,omitempty"` // what came so far does not count
}

// FromProgress converts an event.
func FromProgress(p engine.Progress) ProgressParams {
	params := ProgressParams{QueryID: p.QueryID, Stage: p.Stage, Status: p.Status, Detail: p.Detail}
	if p.Done >= 0 {
		done := min(1, finite(p.Done))
		params.Progress = &done
	}
	if p.Delta != "" || p.Void {
		params.Data = &Delta{Delta: p.Delta, Void: p.Void}
	}
	return params
}
