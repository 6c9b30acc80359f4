package api

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/conversation"
	"github.com/aurora-sidecar/aurora/engine/proposal"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/internal/text"
	"github.com/aurora-sidecar/aurora/internal/workload"
)

// QueryParams are the parameters of aurora/query.
type QueryParams struct {
	Query          string    `json:"query"`
	TextDocument   *Document `json:"textDocument,omitempty"`
	Range          *Range    `json:"range,omitempty"`
	Mode           string    `json:"mode,omitempty"`         // auto, direct, soar
	Verification   string    `json:"verification,omitempty"` // auto, none, self, adversarial, debate
	ConversationID string    `json:"conversationId,omitempty"`
	QueryLimits
	Assess   string `json:"assess,omitempty"`   // auto, keyword, llm: who tells how hard the question is
	Adaptive bool   `json:"adaptive,omitempty"` // as many passes as the work is worth
	TaskID   string `json:"taskId,omitempty"`   // for the figures of usage
	Changes  bool   `json:"changes,omitempty"`  // the answer may propose changes of files; needs a model
	Text     bool   `json:"text,omitempty"`     // fill in Hit.text of the citations
}

// QueryLimits say what a query may cost.
type QueryLimits struct {
	BudgetUSD      float64 `json:"budgetUsd,omitempty"`
	Force          bool    `json:"force,omitempty"`          // no kept replies, and past the hard limit of the budget where the settings allow that
	Fresh          bool    `json:"fresh,omitempty"`          // no kept replies
	AskBudget      bool    `json:"askBudget,omitempty"`      // at the soft limit of the budget, fail with 1002 and the detail "confirm"
	BudgetAccepted bool    `json:"budgetAccepted,omitempty"` // the person was asked and agreed to go beyond it
}

// toEngine converts the parameters; the selection is found by the handler, which knows the document.
func (p *QueryParams) toEngine(selection *engine.Selection) engine.QueryRequest {
	return engine.QueryRequest{
		Query: p.Query, Select: selection, Mode: p.Mode, Force: p.Force, Verification: p.Verification, BudgetUSD: max(0, finite(p.BudgetUSD)),
		Assess: p.Assess, Adaptive: p.Adaptive, ConversationID: p.ConversationID,
		Consent: engine.Consent{AskBudget: p.AskBudget, BudgetAccepted: p.BudgetAccepted}, Changes: p.Changes, Fresh: p.Fresh, Caller: engine.Caller{TaskID: p.TaskID},
	}
}

// QueryResult is the result of aurora/query.
type QueryResult struct {
	QueryID string `json:"queryId"`
	Answer  string `json:"answer"`
	Format  string `json:"format"` // markdown
	QueryJudgement
	Citations []Hit    `json:"citations"`
	Warnings  []string `json:"warnings"`
	QueryCourse
	Changes      []FileChange `json:"changes,omitempty"`      // that it proposes; nothing has been written
	OverallScore *float64     `json:"overallScore,omitempty"` // of the verification
	Subgoals     []Subgoal    `json:"subgoals,omitempty"`
	ChunkID      string       `json:"chunkId,omitempty"` // the record that the answer became
	QueryWork
}

// A FileChange is what an answer proposes for a file.
type FileChange struct {
	Path    string     `json:"path"`
	URI     string     `json:"uri"`
	Created bool       `json:"created,omitempty"` // there is no such file yet
	Deleted bool       `json:"deleted,omitempty"` // the file goes; its one edit, if it has text, takes all of it
	Patch   string     `json:"patch"`             // as git diff writes it
	Edits   []TextEdit `json:"edits"`             // one for each place, in their order; one at 0:0 for a new file
}

// A TextEdit takes the place of whole lines.
type TextEdit struct {
	Range   Range  `json:"range"`
	OldText string `json:"oldText"` // what must stand there for the edit to be made
	NewText string `json:"newText"`
}

// QueryJudgement says what to think of an answer.
type QueryJudgement struct {
	Confidence float64 `json:"confidence"`
	Verified   bool    `json:"verified"`
	Complexity string  `json:"complexity"`
	Model      string  `json:"model,omitempty"`
	// What the answer was made of when the models gave no whole one: partial, a part of it, as it was cut off or some of the work failed; findings, what
	// the parts of the work had found; index, what the index, git and memory have.
	FellBack string `json:"fellBack,omitempty"`
}

// QueryCourse says how an answer came to be.
type QueryCourse struct {
	Phases          []Phase `json:"phases"`
	Cost            Cost    `json:"cost"`
	Cached          bool    `json:"cached"`
	TotalDurationMs float64 `json:"totalDurationMs"`
}

// QueryWork says what models did for an answer.
type QueryWork struct {
	TokensUsed *TokensUsed `json:"tokensUsed,omitempty"` // when a model was asked
	Passes     []Pass      `json:"passes,omitempty"`     // of a question that was planned
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

// TokensUsed says who took the tokens of a query.
type TokensUsed struct {
	ReasoningLLM int `json:"reasoningLlm"`
	Agents       int `json:"agents"` // the work on subgoals
}

// Cost is what the models of a query cost.
type Cost struct {
	USD              float64 `json:"usd"`
	PromptTokens     int     `json:"promptTokens"`
	CachedTokens     int     `json:"cachedTokens,omitempty"` // of promptTokens: the provider had them from an earlier call
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
		QueryID: r.QueryID, Answer: r.Answer, Format: "markdown", Citations: FromHits(r.Citations, enc), Warnings: list(r.Warnings), ChunkID: r.ChunkID,
		QueryJudgement: QueryJudgement{Confidence: finite(r.Confidence), Verified: r.Verified, Complexity: r.Complexity, Model: r.Model, FellBack: string(r.FellBack)},
		QueryCourse:    QueryCourse{Phases: phases, TotalDurationMs: milliseconds(r.Total), Cost: Cost(r.Cost), Cached: r.Cached},
	}
	if r.Tokens != (engine.Tokens{}) {
		result.TokensUsed = &TokensUsed{r.Tokens.Reasoning, r.Tokens.Agents}
	}
	if r.OverallScore != nil {
		score := finite(*r.OverallScore)
		result.OverallScore = &score
	}
	for i := range r.Changes {
		result.Changes = append(result.Changes, fromChange(&r.Changes[i], enc))
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

func fromChange(f *proposal.File, enc text.Encoding) FileChange {
	c := FileChange{Path: f.Path, URI: FileURI(f.Abs), Created: f.Created, Deleted: f.Deleted, Patch: f.Patch()}
	lines := text.NewLines([]byte(f.Before))
	for _, e := range f.Edits() {
		c.Edits = append(c.Edits, TextEdit{Range: FromOffsets(lines, e.Start, e.End, enc), OldText: f.Before[e.Start:e.End], NewText: e.New})
	}
	return c
}

// ProgressParams are the parameters of the notification aurora/progress.
type ProgressParams struct {
	QueryID  string          `json:"queryId"`
	Stage    string          `json:"stage"`
	Status   string          `json:"status"` // in_progress, complete, retry, failed
	Detail   string          `json:"detail"`
	Progress *float64        `json:"progress,omitempty"` // 0..1
	Data     *Delta          `json:"data,omitempty"`
	Facts    json.RawMessage `json:"facts,omitempty"` // what a phase that ended well found out
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
	if p.Facts != nil {
		params.Facts, _ = json.Marshal(p.Facts) // strings and numbers only
	}
	if p.Delta != "" || p.Void {
		params.Data = &Delta{Delta: p.Delta, Void: p.Void}
	}
	return params
}

// Query answers a question.
var Query = Define(Operation{
	Name: "query", Title: "Ask AURORA", Doors: LSP | HTTP, Class: workload.Patient,
	Doc: "Answer a question about the workspace from code, history and memory, with citations; reasoned and verified when a model is configured.",
}, func(ctx context.Context, c *Call, p *QueryParams) (*QueryResult, error) {
	selection, err := c.selection(p.TextDocument, p.Range)
	if err != nil {
		return nil, err
	}
	request := p.toEngine(selection)
	request.Caller = c.caller()
	request.TaskID = p.TaskID
	answer, err := c.answer(ctx, request)
	if err != nil {
		return nil, err
	}
	c.seen(answer.Citations)
	result := FromQueryResult(answer, c.encoding())
	if p.Text {
		addText(result.Citations, answer.Citations)
	}
	return result, nil
})

// answer answers a question, as part of a conversation when the caller keeps those.
func (c *Call) answer(ctx context.Context, r engine.QueryRequest) (*engine.QueryResult, error) {
	if c.Talks == nil {
		return c.ask(ctx, r)
	}
	reply, r := c.Talks.Receive(ctx, c.Engine.Reasoner(), r)
	if reply != nil {
		return reply, nil
	}
	running, ended := c.Talks.Begin(ctx, r.ConversationID)
	result, err := c.ask(running, r)
	left := ended()
	if err == nil {
		c.Talks.Answered(r, result)
		return result, nil
	}
	c.Talks.Left(r)
	if left && ctx.Err() == nil {
		return conversation.LeftAlone(), nil // a later message left the question
	}
	return nil, err
}

// ask answers a question; at the soft limit of the budget the caller decides, if it can.
func (c *Call) ask(ctx context.Context, r engine.QueryRequest) (*engine.QueryResult, error) {
	if c.Confirm == nil {
		return c.Engine.Query(ctx, r, c.Progress)
	}
	r.AskBudget = true
	result, err := c.Engine.Query(ctx, r, c.Progress)
	var refused *engine.Error
	if errors.As(err, &refused) && refused.Detail == engine.ConfirmBudget && c.Confirm(ctx, refused) {
		r.BudgetAccepted = true
		return c.Engine.Query(ctx, r, c.Progress)
	}
	return result, err
}

// ToProgress converts it back.
func (p *ProgressParams) ToProgress() engine.Progress {
	event := engine.Progress{QueryID: p.QueryID, Stage: p.Stage, Status: p.Status, Detail: p.Detail, Done: -1}
	if p.Progress != nil {
		event.Done = *p.Progress
	}
	if p.Data != nil {
		event.Delta, event.Void = p.Data.Delta, p.Data.Void
	}
	if p.Facts != nil {
		event.Facts = new(soar.Facts)
		_ = json.Unmarshal(p.Facts, event.Facts) // what newer versions add is left out
	}
	return event
}
