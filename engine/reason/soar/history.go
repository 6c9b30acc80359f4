package soar

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/reason/claims"
)

// An ExecutionPass is one run from the plan to the reviewed answer, as it went.
type ExecutionPass struct {
	Number      int          `json:"number"`            // one-based
	Profile     *TaskProfile `json:"profile,omitempty"` // nil when passes were not adaptive
	TTL         int          `json:"ttl,omitempty"`     // calls that the query may take in all
	Used        int          `json:"used"`              // calls that it had taken at the end of the pass
	Plan        *Plan        `json:"plan,omitempty"`    // as it was carried out
	Steps       []Step       `json:"steps,omitempty"`
	Validations []Report     `json:"validations,omitempty"`
	Actions     []Action     `json:"actions,omitempty"`
	Convergence *Convergence `json:"convergence,omitempty"`
	Score       float64      `json:"score"` // of the answer's review
	Verdict     Verdict      `json:"verdict,omitempty"`
	Answer      string       `json:"answer,omitempty"`
	Best        bool         `json:"best,omitempty"` // its answer is the one that was given
	Ended       string       `json:"ended"`          // why there was no pass after it
}

// close notes what a pass came to.
func (q *query) close(p *ExecutionPass) {
	p.Used, p.Steps = q.recording.taken(), q.steps()
	p.Plan = q.state.Plan.clone()
	if q.state.Review != nil {
		p.Score, p.Verdict, p.Answer = q.state.Review.Overall, q.state.Review.Verdict, q.state.Answer
	}
}

// steps are the outcomes so far, in the order of execution.
func (q *query) steps() []Step {
	if q.state.Plan == nil {
		return nil
	}
	var out []Step
	for i, s := range slices.Concat(q.state.Plan.waves()...) {
		o := q.outcome(s.ID)
		if o == nil {
			continue
		}
		step := Step{ID: s.ID, Index: i + 1, Total: len(q.state.Plan.Subgoals), Incoming: strings.Join(q.incoming(s), "\n\n"), Clarity: o.clarity(), Note: o.Note}
		if !o.Failed() {
			step.Summary, step.Handoff = o.Envelope.Output.Summary, o.Envelope.Handoff
		}
		if o.Review != nil {
			step.Score = o.Review.Overall
		}
		out = append(out, step)
	}
	return out
}

func (o *Outcome) clarity() Clarity {
	switch {
	case o.Failed():
		return Stuck
	case o.Note != "" || o.Envelope.Status != "success":
		return PartiallyClear
	}
	return Clear
}

// clone copies a plan so that later changes do not reach the copy.
func (p *Plan) clone() *Plan {
	if p == nil {
		return nil
	}
	c := *p
	c.Given, c.ExecutionOrder = slices.Clone(p.Given), slices.Clone(p.ExecutionOrder)
	c.Subgoals = slices.Clone(p.Subgoals)
	for i, s := range c.Subgoals {
		c.Subgoals[i].Requires, c.Subgoals[i].DependsOn = slices.Clone(s.Requires), slices.Clone(s.DependsOn)
	}
	c.Parallelizable = slices.Clone(p.Parallelizable)
	return &c
}

// subgoal returns the subgoal with an id, nil when there is none.
func (p *Plan) subgoal(id string) *Subgoal {
	at := slices.IndexFunc(p.Subgoals, func(s Subgoal) bool { return s.ID == id })
	if at < 0 {
		return nil
	}
	return &p.Subgoals[at]
}

// nesting is how many levels above a step there are: 0 for one of the plan itself.
func (p *Plan) nesting(id string) int {
	level := 0
	for s := p.subgoal(id); s != nil && s.Parent != "" && level < len(p.Subgoals); s = p.subgoal(s.Parent) {
		level++
	}
	return level
}

// line is a convergence on one line.
func (c *Convergence) line() string {
	word := "not converged"
	if c.Converged {
		word = "converged"
	}
	return fmt.Sprintf("%s (completeness %.2f, coherence %.2f, consistency %.2f): %s", word, c.Completeness, c.Coherence, c.Consistency, strings.Join(c.Reasons, ", "))
}

// line is an action on one line.
func (a *Action) line() string {
	text := a.Op + " " + a.Target
	if a.Refused != "" {
		return text + " refused: " + a.Refused
	}
	if a.Reason != "" {
		text += ": " + claims.Excerpt(a.Reason)
	}
	return text
}
