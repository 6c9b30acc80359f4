package api

import "github.com/aurora-sidecar/aurora/engine/reason/soar"

// A Pass is one run from the plan to the reviewed answer.
type Pass struct {
	Number      int          `json:"number"`        // one-based
	TTL         int          `json:"ttl,omitempty"` // calls of models and agents that the query may take in all
	Used        int          `json:"used"`          // calls taken at the end of the pass
	Score       float64      `json:"score"`
	Best        bool         `json:"best,omitempty"` // its answer was given
	Ended       string       `json:"ended"`          // why there was no pass after it
	Convergence *Convergence `json:"convergence,omitempty"`
	Actions     []PlanAction `json:"actions,omitempty"`
	Issues      []PassIssue  `json:"issues,omitempty"` // that the validation of its answer found
	Steps       []PassStep   `json:"steps,omitempty"`
}

// Convergence says how near a pass came to the goal.
type Convergence struct {
	Converged    bool     `json:"converged"`
	ReasonCodes  []string `json:"reasonCodes"`
	Completeness float64  `json:"completeness"`
	Coherence    float64  `json:"coherence"`
	Consistency  float64  `json:"consistency"`
}

// A PlanAction is a change of a plan.
type PlanAction struct {
	Op      string `json:"op"` // ADD, MODIFY, REMOVE
	Target  string `json:"target"`
	Reason  string `json:"reason,omitempty"`
	Applied bool   `json:"applied"`
	Refused string `json:"refused,omitempty"` // why it was not applied
}

// A PassIssue is something that a validation found wrong.
type PassIssue struct {
	Fragment string `json:"fragment"` // id of a step, answer, plan
	Kind     string `json:"kind"`
	Severity string `json:"severity"` // low, medium, high
	Message  string `json:"message"`
}

// A PassStep is a step of a plan as it was carried out.
type PassStep struct {
	ID      string  `json:"id"`
	Index   int     `json:"index"` // one-based
	Total   int     `json:"total"`
	Clarity string  `json:"clarity"` // CLEAR, PARTIALLY_CLEAR, BLOCKED
	Score   float64 `json:"score"`
}

// FromPass converts a pass.
func FromPass(p *soar.ExecutionPass) Pass {
	out := Pass{Number: p.Number, TTL: p.TTL, Used: p.Used, Score: finite(p.Score), Best: p.Best, Ended: p.Ended}
	if c := p.Convergence; c != nil {
		out.Convergence = &Convergence{
			Converged: c.Converged, ReasonCodes: list(c.Reasons), Completeness: finite(c.Completeness), Coherence: finite(c.Coherence), Consistency: finite(c.Consistency),
		}
	}
	for _, a := range p.Actions {
		out.Actions = append(out.Actions, PlanAction{Op: a.Op, Target: a.Target, Reason: a.Reason, Applied: a.Applied, Refused: a.Refused})
	}
	if n := len(p.Validations); n > 0 {
		for _, i := range p.Validations[n-1].Issues {
			out.Issues = append(out.Issues, PassIssue{Fragment: i.Fragment, Kind: i.Kind, Severity: i.Severity, Message: i.Message})
		}
	}
	for _, s := range p.Steps {
		out.Steps = append(out.Steps, PassStep{ID: s.ID, Index: s.Index, Total: s.Total, Clarity: string(s.Clarity), Score: finite(s.Score)})
	}
	return out
}
