package soar

import (
	"context"

	"github.com/aurora-sidecar/aurora/prompts"
)

// Modules are what pass control consults (see passes). Each takes and returns plain data, knows nothing of phases, and
// can be replaced by itself.
type Modules struct {
	Depth     Depth
	Planner   Planner
	Validator Validator
	Converger Converger
	Limits    PassLimits
}

// PassLimits bound refinement over all passes of a query. Zero fields have the defaults.
type PassLimits struct {
	Nesting     int // levels of steps within steps; 0 means 5
	PerFragment int // refinements of one step; 0 means 3
	Refinements int // refinements in all; 0 means 10
}

func (l PassLimits) orDefaults() PassLimits {
	for _, f := range []struct {
		at    *int
		usual int
	}{{&l.Nesting, 5}, {&l.PerFragment, 3}, {&l.Refinements, 10}} {
		if *f.at <= 0 {
			*f.at = f.usual
		}
	}
	return l
}

// Ask has the query's model answer the prompt called name, with as many of the sources as fit, and decodes the reply.
type Ask func(ctx context.Context, name string, in prompts.Input, sources []Source, target any) error

// Depth decides how much work a task is worth.
type Depth interface {
	// Infer describes a task by a model, before anything was retrieved.
	Infer(ctx context.Context, ask Ask, query string) (TaskProfile, error)
	// Update corrects the description by what a pass has shown.
	Update(ctx context.Context, ask Ask, query string, old TaskProfile, sources []Source, p *ExecutionPass) (TaskProfile, error)
	// TTL is how many calls of models and agents a task may take, at least 1. The same profile has the same TTL.
	TTL(p TaskProfile) int
}

// Planner changes plans by small steps.
type Planner interface {
	// Refine proposes changes that answer the issues.
	Refine(ctx context.Context, ask Ask, p *Plan, agents []Card, issues []Issue) ([]Action, error)
	// Subplan proposes 2 to 5 steps that a step is worked on by. Their ids are new.
	Subplan(ctx context.Context, ask Ask, p *Plan, agents []Card, step Subgoal, issues []Issue) ([]Subgoal, error)
}

// Validator judges the meaning of a plan or, when work has steps, of plan, findings and answer.
type Validator interface {
	Validate(ctx context.Context, ask Ask, w Findings) (Report, error)
}

// Converger judges how near work is to its goal. It does not change the report.
type Converger interface {
	Assess(ctx context.Context, ask Ask, w Findings, r Report) (Convergence, error)
}

// A TaskProfile describes a task on five dimensions.
type TaskProfile struct {
	Depth       int     `json:"reasoning_depth"`         // levels of steps within steps, 1..5
	Information float64 `json:"information_sufficiency"` // share of what is needed that is at hand, 0..1
	Tools       string  `json:"expected_tool_usage"`     // none, light, moderate, heavy
	Breadth     string  `json:"output_breadth"`          // narrow, moderate, broad
	Confidence  string  `json:"confidence_requirement"`  // low, medium, high
}

// Findings are what the validator and the converger look at.
type Findings struct {
	Plan   *Plan
	Steps  []Step // none before anything was carried out
	Answer string
}

// A Step is a subgoal as it was carried out.
type Step struct {
	ID       string  `json:"id"`
	Index    int     `json:"step_index"` // one-based, in the order of execution
	Total    int     `json:"total_steps"`
	Incoming string  `json:"incoming_context,omitempty"` // from the steps it depends on
	Handoff  string  `json:"handoff_to_next,omitempty"`
	Clarity  Clarity `json:"clarity_state"`
	Score    float64 `json:"score"`
	Summary  string  `json:"summary,omitempty"`
	Note     string  `json:"note,omitempty"`
}

// Clarity says how much of a step is settled. It follows from the review of what the step brought, not from what its
// author says.
type Clarity string

// The states of a step.
const (
	Clear          Clarity = "CLEAR"           // the review passed
	PartiallyClear Clarity = "PARTIALLY_CLEAR" // it was accepted in part
	Stuck          Clarity = "BLOCKED"         // it brought nothing
)

// An Issue is something that the validator, or pass control, found wrong.
type Issue struct {
	Fragment string `json:"fragment"` // id of a step, "answer", or "plan"
	Kind     string `json:"kind"`     // specificity, relevance, consistency, hallucination; completeness from convergence
	Severity string `json:"severity"` // low, medium, high
	Message  string `json:"message"`
	Split    bool   `json:"split,omitempty"` // the step holds several
}

// A Report is what the validator found.
type Report struct {
	Of     string             `json:"of"` // plan, refinement, answer
	Scores map[string]float64 `json:"scores,omitempty"`
	Issues []Issue            `json:"issues"`
	Note   string             `json:"note,omitempty"` // why there is nothing in it
}

// The kinds of an Action.
const (
	Add    = "ADD"
	Modify = "MODIFY"
	Remove = "REMOVE"
)

// An Action changes one step of a plan.
type Action struct {
	Op      string   `json:"op"`
	Target  string   `json:"target"` // id of the step
	Changes *Changes `json:"changes,omitempty"`
	Reason  string   `json:"reason,omitempty"`
	Applied bool     `json:"applied"`
	Refused string   `json:"refused,omitempty"` // why it was not applied
}

// Changes are what becomes different in a step. What is empty, or nil, stays.
type Changes struct {
	Parent      string   `json:"parent,omitempty"` // of a step of a sub-plan
	Description string   `json:"description,omitempty"`
	Requires    []string `json:"requires,omitempty"`
	Agent       string   `json:"agent,omitempty"`
	Capability  string   `json:"capability,omitempty"`
	Expected    string   `json:"expected_output,omitempty"`
	DependsOn   []string `json:"depends_on,omitempty"`
}

// A Convergence is the judgement whether work is done.
type Convergence struct {
	Converged    bool     `json:"converged"`
	Reasons      []string `json:"reason_codes"`
	Completeness float64  `json:"completeness"`
	Coherence    float64  `json:"coherence"`
	Consistency  float64  `json:"consistency"`
	Missing      []string `json:"missing,omitempty"`
}

// mean is one figure for comparing passes.
func (c *Convergence) mean() float64 {
	if c == nil {
		return 0
	}
	return (c.Completeness + c.Coherence + c.Consistency) / 3
}

// The reason codes of a Convergence that pass control adds.
const (
	ReasonUnverified = "unverified" // the answer's review did not pass: scores of models do not outvote it
	ReasonUnread     = "unreadable" // the judgement could not be read
)
