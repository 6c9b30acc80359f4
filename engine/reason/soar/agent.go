package soar

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/reason/claims"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
	"github.com/aurora-sidecar/aurora/prompts"
)

// A Card says what an agent can do.
type Card struct {
	ID           string
	Type         string // builtin, executable, http, mcp
	Path         string // or endpoint; "" for built-in ones
	Capabilities []string
	Domains      []string
	SuccessRate  float64 // 0..1
	Description  string  // for planning; "" when the capabilities say it all
}

// can reports whether the agent has a capability.
func (c Card) can(capability string) bool {
	return slices.Contains(c.Capabilities, capability) || slices.Contains(c.Capabilities, "all")
}

// An Agent works on subgoals.
type Agent interface {
	Card() Card
	// Run returns what was found out. It ends with its context.
	Run(ctx context.Context, t Task) (*Envelope, error)
}

// A Task is a subgoal as an agent gets it.
type Task struct {
	Subgoal  Subgoal
	Query    string
	Sources  []Source
	Incoming []string // from the subgoals it depends on
	Feedback string   // JSON; why an earlier attempt did not pass
	Step     int      // one-based
	Steps    int
	Model    string
	Ask      Asker // puts a question to the person; nil when there is nobody to ask
}

// question is what the output of the task is about.
func (t *Task) question() string { return t.Query + " " + t.Subgoal.Description }

// An Envelope is an agent's answer (the register's Annex E).
type Envelope struct {
	SubgoalID string `json:"subgoal_id"`
	AgentID   string `json:"agent_id"`
	Status    string `json:"status"` // success, partial, error
	Output    Output `json:"output"`
	Handoff   string `json:"handoff_to_next,omitempty"`
	Error     string `json:"error,omitempty"`

	Interactions []Interaction `json:"user_interactions,omitempty"`
	Metadata     Metadata      `json:"metadata,omitzero"`
	Places       []Place       `json:"sources,omitempty"` // what the summary cites as [A1], [A2], ...

	found []Source // by tools
}

// An Interaction is a question of an agent's to the person, and the answer.
type Interaction struct {
	Turn      int       `json:"turn"` // one-based
	Question  string    `json:"agent_question"`
	Response  string    `json:"user_response"`
	Timestamp time.Time `json:"timestamp"`
}

// Metadata says how an agent worked.
type Metadata struct {
	ToolsUsed  []string `json:"tools_used,omitempty"`
	DurationMs int64    `json:"duration_ms,omitempty"`
	ModelUsed  string   `json:"model_used,omitempty"`
	TokensUsed int      `json:"tokens_used,omitempty"` // by the agent's own models, as it says
}

// A Place is code that an agent looked at by itself.
type Place struct {
	Path string `json:"path"` // relative to the workspace folder
	Line int    `json:"line"` // one-based; 0 means the file
}

// Output is the part of an Envelope that answers.
type Output struct {
	Summary    string         `json:"summary"`
	Data       map[string]any `json:"data"`
	Confidence float64        `json:"confidence"`
}

// Modified are the files that the agent says it has changed: the list files_modified of its data.
func (e *Envelope) Modified() []string {
	list, _ := e.Output.Data["files_modified"].([]any)
	var out []string
	for _, v := range list {
		if path, ok := v.(string); ok && path != "" {
			out = append(out, path)
		}
	}
	return out
}

// maxSummary is the most bytes of a summary that later prompts carry, about 1000 tokens.
const maxSummary = 4000

// short is the envelope as a prompt carries it: a long summary is cut, data that are too long are left out.
func (e *Envelope) short() Envelope {
	c := *e
	c.Output.Summary, c.Handoff = CutText(c.Output.Summary, 2*maxSummary), CutText(c.Handoff, maxSummary)
	c.Places = nil                                         // the summary cites them as sources
	c.Metadata = Metadata{ToolsUsed: c.Metadata.ToolsUsed} // times differ from run to run, and say nothing of the work
	if len(encode(c.Output.Data)) > maxSummary {
		c.Output.Data = map[string]any{"left_out": "it is too long"}
	}
	return c
}

// gaveUp is how a summary says that nothing came of it.
var gaveUp = lazyregexp.New(`(?i)^\s*(?:sorry,\s*)?(?:i|we)\s+(?:could\s+not|couldn't|can\s*not|can't|was\s+not\s+able|were\s+not\s+able|was\s+unable|were\s+unable|am\s+unable|are\s+unable|failed)\b`)

// checkEnvelope is what needs no model to be judged: form, and the claims of the summary, which are checked before.
func checkEnvelope(e *Envelope, t Task, held claims.Report) []claims.Problem {
	var problems []claims.Problem
	fault := func(check, format string, args ...any) {
		problems = append(problems, claims.Problem{Check: check, Message: fmt.Sprintf(format, args...)})
	}
	if e.SubgoalID != t.Subgoal.ID {
		fault("relevance", "the output is for %q, not for %s", e.SubgoalID, t.Subgoal.ID)
	}
	if !slices.Contains([]string{"success", "partial", "error"}, e.Status) {
		fault("completeness", "the status %q is unknown", e.Status)
	}
	if strings.TrimSpace(e.Output.Summary) == "" {
		fault("completeness", "the summary is empty")
	}
	if c := e.Output.Confidence; !(c >= 0 && c <= 1) {
		fault("groundedness", "the confidence %v is not between 0 and 1", c)
	}
	if e.Status == "error" && e.Output.Confidence > surest {
		fault("groundedness", "an error with confidence %.2f contradicts itself", e.Output.Confidence)
	}
	if e.Status == "success" && gaveUp.MatchString(e.Output.Summary) {
		fault("consistency", "the status is success, and the summary says that it was none")
	}
	for _, p := range held.Problems {
		fault("groundedness", "%s", p.Message)
	}
	return problems
}

const (
	surest          = 0.5 // an agent can be that it found nothing out, without contradicting itself
	foundConfidence = 0.8 // of what the search found
)

// The built-in agents.
const (
	searchAgentID = "code-search"
	modelAgentID  = "llm-executor"
)

func (q *query) builtin() []Agent {
	agents := []Agent{searchAgent{}, modelAgent{q: q, card: Card{
		ID: modelAgentID, Type: "builtin", Capabilities: []string{"all"}, Domains: []string{"general"}, SuccessRate: 1,
	}}}
	for _, p := range q.opts.Personas {
		agents = append(agents, modelAgent{q, p.Card, p.Instructions})
	}
	return agents
}

// BuiltinIDs are the ids of the agents that are always there; no other agent can have them.
func BuiltinIDs() []string { return []string{searchAgentID, modelAgentID} }

// searchAgent answers from what AURORA's own search found for the subgoal, without a model.
type searchAgent struct{}

// Card implements Agent.
func (searchAgent) Card() Card {
	return Card{ID: searchAgentID, Type: "builtin", Capabilities: []string{"code_search", "find_definitions", "find_usages"}, Domains: []string{"general"}, SuccessRate: 1}
}

// Run implements Agent.
func (searchAgent) Run(_ context.Context, t Task) (*Envelope, error) {
	e := &Envelope{SubgoalID: t.Subgoal.ID, AgentID: searchAgentID, Status: "success", Output: Output{Confidence: foundConfidence}}
	var b strings.Builder
	for _, s := range t.Sources {
		switch {
		case s.Line == 0:
			fmt.Fprintf(&b, "Remembered: %s [%s].\n", strings.TrimRight(firstLine(s.Text), "."), s.ID)
		case s.Name == "":
			fmt.Fprintf(&b, "%s:%d matches [%s].\n", s.Path, s.Line, s.ID)
		default:
			fmt.Fprintf(&b, "`%s` is in %s:%d [%s].\n", s.Name, s.Path, s.Line, s.ID)
		}
	}
	e.Output.Summary = strings.TrimSpace(b.String())
	if e.Output.Summary == "" {
		e.Status, e.Output.Confidence = "error", 0
		e.Output.Summary, e.Error = "Nothing was found.", "nothing was found"
	}
	return e, nil
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return claims.Excerpt(strings.TrimSpace(line))
}

// A Persona is an agent that is the solving model with instructions of its own, such as one that another tool keeps as
// a Markdown file.
type Persona struct {
	Card         Card
	Instructions string
}

// modelAgent has the solving model work on the subgoal from the sources.
type modelAgent struct {
	q            *query
	card         Card
	instructions string
}

// Card implements Agent.
func (a modelAgent) Card() Card { return a.card }

// solvingTemperature is that of calls which work on subgoals.
const solvingTemperature = 0.7

// Run implements Agent.
func (a modelAgent) Run(ctx context.Context, t Task) (*Envelope, error) {
	if a.instructions != "" {
		a.q.recording.worked(a.card.ID, a.instructions)
	}
	r, err := a.q.requestWith(prompts.Solve, prompts.Input{
		Query:    t.Query,
		Work:     prompts.Work{Subgoal: encode(t.Subgoal), Incoming: t.Incoming, Step: t.Step, Steps: t.Steps, Instructions: a.instructions},
		Planning: prompts.Planning{Feedback: t.Feedback},
	}, t.Sources)
	if err != nil {
		return nil, err
	}
	r.Temperature, r.Model = solvingTemperature, "" // the solving model is its own, routing does not touch it
	e := &Envelope{}
	l := a.q.newLoop(a.q.opts.Solving, Collect, t.Step)
	response, err := llm.JSON(ctx, l.asks(), r, e)
	if err != nil {
		return nil, err
	}
	e.SubgoalID, e.AgentID = t.Subgoal.ID, a.card.ID // it does not choose whom it speaks for
	e.Interactions, e.Places, e.Metadata, e.found = nil, nil, Metadata{ModelUsed: response.Model}, l.found
	return e, nil
}
