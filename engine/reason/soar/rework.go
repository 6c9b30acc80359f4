package soar

import (
	"slices"
)

// rework is what a pass does again, and how long it may. The zero value does everything, for as long as it takes.
type rework struct {
	ttl      int               // calls that the query may take in all; 0 for no limit
	later    bool              // than the first pass
	feedback map[string]string // for steps, by id
	answer   string            // feedback for the answer
	old      []*Outcome        // of the pass before
}

// spent reports whether the time to live has ended.
func (r *rework) spent(q *query) bool { return r.ttl > 0 && q.recording.taken() >= r.ttl }

// due are the steps of a wave that are to be worked on: those without an outcome. When the time to live has ended none
// is, and those that are left keep what an earlier pass brought; the first wave always runs.
func (q *query) due(wave []Subgoal) []Subgoal {
	wave = slices.DeleteFunc(slices.Clone(wave), func(s Subgoal) bool { return q.outcome(s.ID) != nil })
	if len(q.state.Outcomes) == 0 || !q.redo.spent(q) {
		return wave
	}
	for _, s := range wave {
		at := slices.IndexFunc(q.redo.old, func(o *Outcome) bool { return o.Subgoal.ID == s.ID })
		if at >= 0 {
			q.state.Outcomes = append(q.state.Outcomes, q.redo.old[at])
		} else {
			q.state.Outcomes = append(q.state.Outcomes, &Outcome{Subgoal: s, Note: errSpent.Error() + " before it"})
		}
	}
	return nil
}

// inOrder sorts the outcomes as their steps are carried out.
func (q *query) inOrder() {
	order := slices.Concat(q.state.Plan.waves()...)
	place := func(o *Outcome) int {
		return slices.IndexFunc(order, func(s Subgoal) bool { return s.ID == o.Subgoal.ID })
	}
	slices.SortStableFunc(q.state.Outcomes, func(a, b *Outcome) int { return place(a) - place(b) })
}

// saved is what the best pass so far came to.
type saved struct {
	number int
	Work
	Conclusion
	warnings []string
	near     *Convergence
}

// keep remembers the pass if none was better: by the score of the answer's review, then by how near it is to the goal.
func (c *passControl) keep() {
	near := c.pass.Convergence
	if b := c.best; b != nil {
		if c.state.Review.Overall < b.Review.Overall || c.state.Review.Overall == b.Review.Overall && near.mean() < b.near.mean() {
			return
		}
	}
	c.best = &saved{c.pass.Number, c.state.Work, c.state.Conclusion, c.state.Warnings, near}
}

// restore makes the best pass the one that is answered with, and says so when the work did not converge.
func (c *passControl) restore() {
	b, last := c.best, c.pass
	c.state.Work, c.state.Conclusion, c.state.Warnings = b.Work, b.Conclusion, b.warnings
	c.state.Passes[b.number-1].Best = true
	if last.Convergence != nil && last.Convergence.Converged && b.number == last.Number {
		return
	}
	if b.near != nil && len(b.near.Reasons) > 0 && !b.near.Converged {
		c.state.warn("The work did not converge (%s); %s after %s. The best pass, number %d, is shown.",
			b.near.line(), last.Ended, tell(last.Number, "pass", "passes"), b.number)
		return
	}
	c.state.warn("Pass %d ended early: %s. Pass %d is shown.", last.Number, last.Ended, b.number)
}
