package prompts

import (
	"embed"
	"fmt"
	"strings"
)

// The prompts of the phases.
const (
	Assess              = "assess"
	Decompose           = "decompose"
	VerifyDecomposition = "verify_decomposition" // option A: the author reviews
	Critic              = "critic"               // option B: a sceptic reviews
	Advocate            = "advocate"             // option C
	Judge               = "judge"                // option C
	Solve               = "solve"
	VerifyAgentOutput   = "verify_agent_output"
	Synthesize          = "synthesize"
	VerifySynthesis     = "verify_synthesis"
	RetryFeedback       = "retry_feedback"
	Direct              = "direct"
	TaskProfile         = "task_profile"
	SemanticValidation  = "semantic_validation"
	Convergence         = "convergence"
	Refinement          = "refinement"
	Subplan             = "subplan"
	GoalCheck           = "goal_check"
	HeadlessStep        = "headless_step"
	ReviewSummary       = "review_summary"
)

//go:embed schemas/*.json
var schemaFiles embed.FS

// A Prompt is what a model is sent for one phase.
type Prompt struct {
	Name   string
	System string
	User   string
	Schema []byte // nil when the reply is prose
	Limit  Limit
}

// A Limit is what a prompt may take, in tokens of about four characters.
type Limit struct {
	Frame int // the template with its schema, and without what is put into it
	Data  int // all that is put into it
	Reply int
}

// limits are those of each prompt. Frames are measured by a test.
var limits = map[string]Limit{
	Assess:              {Frame: 500, Data: 3000, Reply: 400},
	Decompose:           {Frame: 900, Data: 8000, Reply: 2000},
	VerifyDecomposition: {Frame: 900, Data: 8000, Reply: 1200},
	Critic:              {Frame: 1000, Data: 8000, Reply: 1500},
	Advocate:            {Frame: 400, Data: 9000, Reply: 1000},
	Judge:               {Frame: 800, Data: 12000, Reply: 2500},
	Solve:               {Frame: 600, Data: 8000, Reply: 1500},
	VerifyAgentOutput:   {Frame: 700, Data: 6000, Reply: 1000},
	Synthesize:          {Frame: 400, Data: 12000, Reply: 2000},
	VerifySynthesis:     {Frame: 900, Data: 8000, Reply: 1200},
	RetryFeedback:       {Frame: 500, Data: 4000, Reply: 800},
	Direct:              {Frame: 300, Data: 8000, Reply: 1500},
	TaskProfile:         {Frame: 500, Data: 6000, Reply: 400},
	SemanticValidation:  {Frame: 700, Data: 10000, Reply: 1500},
	Convergence:         {Frame: 400, Data: 12000, Reply: 800},
	Refinement:          {Frame: 600, Data: 8000, Reply: 2000},
	Subplan:             {Frame: 500, Data: 8000, Reply: 1500},
	GoalCheck:           {Frame: 300, Data: 8000, Reply: 400},
	HeadlessStep:        {Frame: 600, Data: 16000, Reply: 8000},
	ReviewSummary:       {Frame: 500, Data: 8000, Reply: 600},
}

// LimitOf returns what a prompt may take.
func LimitOf(name string) Limit { return limits[name] }

// Schema returns the JSON Schema of a prompt's reply, nil for prose.
func Schema(name string) []byte {
	source, err := schemaFiles.ReadFile("schemas/" + name + ".json")
	if err != nil {
		return nil
	}
	return source
}

// divider parts the system message from the user's. Only templates stand before it, so no data can imitate it.
const divider = "\n--- user ---\n"

// Build renders the prompt called name.
func Build(name string, in Input) (Prompt, error) {
	p := Prompt{Name: name, Schema: Schema(name), Limit: limits[name]}
	in.Thresholds = thresholds{RetryScore, PassScore, PatternScore, excellentScore}
	in.Schema = strings.TrimSpace(string(p.Schema))
	rendered, err := Render(name, in)
	if err != nil {
		return p, err
	}
	system, user, found := strings.Cut(rendered, divider)
	if !found {
		return p, fmt.Errorf("render %s: the template has no user message", name)
	}
	p.System, p.User = system, user
	return p, nil
}
