package reason

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/chunkschema"
	"github.com/aurora-sidecar/aurora/memory/convlog"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// A reasoningChunk is a query's plan and outcome as an exported chunk has it.
type reasoningChunk struct {
	ID         string                 `json:"id"`
	Type       string                 `json:"type"`
	Content    reasoningContent       `json:"content"`
	Metadata   reasoningMeta          `json:"metadata"`
	Governance chunkschema.Governance `json:"governance"`
	Log        *logReference          `json:"conversation_log_reference,omitempty"`
}

type reasoningContent struct {
	Pattern   string            `json:"pattern"`
	Query     string            `json:"original_query"`
	Signature string            `json:"query_signature"`
	Level     string            `json:"complexity"`
	Subgoals  []object          `json:"subgoals"`
	Tools     []object          `json:"tools_used"`
	Sequence  []string          `json:"tool_sequence"`
	Routing   map[string]string `json:"routing"`
	Score     float64           `json:"success_score"`
	Option    string            `json:"verification_option"`
}

type reasoningMeta struct {
	Timestamp string   `json:"timestamp"`
	TimeMs    float64  `json:"execution_time_ms"`
	CostUSD   float64  `json:"total_cost_usd"`
	Role      string   `json:"semantic_role,omitempty"`
	Keywords  []string `json:"keywords,omitempty"`
	Domain    string   `json:"domain,omitempty"`
}

type logReference struct {
	Date    string `json:"date"`
	File    string `json:"file"`
	Section string `json:"section"`
	Lines   [2]int `json:"line_range"`
}

// chunk is the reasoning chunk of the record that the answer became, nil when it became none.
func (x *exchange) chunk() *reasoningChunk {
	s := x.state
	if s == nil || x.result.ChunkID == "" {
		return nil
	}
	c := &reasoningChunk{ID: x.result.ChunkID, Type: "reasoning", Content: reasoningContent{
		Pattern: strings.Join(convlog.Keywords(x.query(), 3), "-"), Query: x.query(), Signature: memory.QuerySignature(x.query()),
		Level: strings.ToLower(x.result.Complexity), Score: s.Score, Option: string(s.Option), Routing: map[string]string{},
		Subgoals: []object{}, Tools: []object{}, Sequence: []string{},
	}}
	if c.Content.Pattern == "" {
		c.Content.Pattern = "query"
	}
	if s.Plan != nil {
		for _, g := range s.Plan.Subgoals {
			c.Content.Subgoals = append(c.Content.Subgoals, object{"id": g.ID, "description": g.Description, "agent": g.Agent})
		}
	}
	for _, a := range s.Routes {
		c.Content.Routing[a.SubgoalID] = a.AgentID
	}
	for _, o := range s.Outcomes {
		if o.Failed() {
			continue
		}
		tools := o.Envelope.Metadata.ToolsUsed
		if len(tools) == 0 { // then the agent is the tool that a subgoal was worked on with
			tools = []string{o.Envelope.AgentID}
		}
		c.Content.Tools = append(c.Content.Tools, object{"subgoal": o.Subgoal.ID, "agent": o.Envelope.AgentID, "tools": tools})
		c.Content.Sequence = append(c.Content.Sequence, tools...)
	}
	c.Metadata = reasoningMeta{
		Timestamp: x.events.asked.UTC().Format(time.RFC3339), TimeMs: float64(x.result.Total.Microseconds()) / 1000, CostUSD: x.result.Cost.USD,
	}
	c.Governance = chunkschema.Governance{Tags: []string{}, Policy: "conditional", Rules: []any{}, Decision: x.policy}
	return c
}

// policyOf returns the policy that decides how long the record of an answer is kept. Its chunk and the conversation name
// it, so that decisions can be looked up later. It is "" without a record.
func (e *Reasoner) policyOf(ctx context.Context, x *exchange) string {
	if x.answer == nil || e.opts.Facts.Records.Lifespan == nil {
		return ""
	}
	known, err := e.opts.Memory.Get(ctx, x.result.ChunkID)
	if err != nil {
		known.CreatedAt = e.opts.Now()
	}
	hit := memory.Hit{Record: *x.answer, AccessCount: known.AccessCount + 1, LastUsed: e.opts.Now()}
	hit.CreatedAt, hit.UpdatedAt = known.CreatedAt, e.opts.Now()
	return e.opts.Facts.Records.Lifespan.Decide(hit, e.opts.Now()).Policy
}

// annotate gives the record of an answer its chunk, with the place in the log where the plan stands.
func (e *Reasoner) annotate(ctx context.Context, id string, c *reasoningChunk, written *convlog.Conversation) {
	if c == nil || e.opts.Memory == nil {
		return
	}
	record, err := e.opts.Memory.Get(ctx, id)
	if err != nil {
		e.opts.Log.Warn("the record of an answer is gone", "id", id, "err", err)
		return
	}
	c.Metadata.Role, c.Metadata.Keywords, c.Metadata.Domain = record.SemanticRole, record.Keywords, record.Domain
	c.Log = referenceTo(written)
	text, err := json.Marshal(c)
	if err == nil {
		err = chunkschema.Validate(text)
	}
	if err == nil {
		err = e.opts.Memory.Annotate(ctx, id, text)
	}
	if err != nil {
		e.opts.Log.Warn("a record is kept without its chunk", "id", id, "err", err)
	}
}

// referenceTo is the place of the plan, else of the answer.
func referenceTo(c *convlog.Conversation) *logReference {
	if c == nil {
		return nil
	}
	for _, name := range []string{"DECOMPOSE", "RESPOND"} {
		for _, s := range c.Sections {
			if s.Name == name {
				return &logReference{Date: c.File.Date.Format(time.DateOnly), File: c.File.Name, Section: s.Title, Lines: [2]int{s.Start, s.End}}
			}
		}
	}
	return &logReference{Date: c.File.Date.Format(time.DateOnly), File: c.File.Name, Section: c.Topic, Lines: [2]int{1, max(1, c.Lines)}}
}

// lesson is what memory learns from how a question went: what the answer cites has helped, what else was found has not.
// Only answers that a model has reviewed teach, and none that came from the cache, which taught already.
func (e *Reasoner) lesson(x *exchange) *memory.Outcome {
	s := x.state
	if e.opts.Memory == nil || s == nil || x.failure != nil || s.Option == soar.NoReview || x.asked.Cached || s.Review == nil && !s.Rejected {
		return nil
	}
	outcome := &memory.Outcome{Query: s.Query, Score: max(0, min(1, s.Score))}
	for _, source := range s.Cited {
		outcome.Helpful = append(outcome.Helpful, source.Key)
	}
	for _, source := range s.Bundle {
		if !slices.Contains(outcome.Helpful, source.Key) {
			outcome.Unhelpful = append(outcome.Unhelpful, source.Key)
		}
	}
	return outcome
}
