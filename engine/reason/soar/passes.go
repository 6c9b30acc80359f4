package soar

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// The stages of the events by which pass control is seen.
const (
	StagePass     = "PASS"
	StageProfile  = "PROFILE"
	StageValidate = "VALIDATE"
	StageRefine   = "REFINE"
	StageConverge = "CONVERGE"
)

// passControl owns the order of phases, the number of the pass and the time to live, and nothing else: what
// is good enough, what to change and how long to go on, the modules say. One pass is
//
//	A  ASSESS, with the task's profile, from which the time to live follows; in the first pass only
//	B  DECOMPOSE and VERIFY, in later passes the refinement of the plan; then its validation
//	C  ROUTE, COLLECT, SYNTHESIZE, VERIFY; validation and convergence of what came out
//	D  the profile is brought up to date, when the pass has shown that it was wrong
//
// RECORD and RESPOND come once, after the last pass. Time to live is counted in calls of models and agents, so
// that it does not depend on how fast they are. It is looked at between phases and between the steps of COLLECT;
// the first pass always ends with an answer, a later one that has no time left is given up.
type passControl struct {
	q        *query
	state    *State // of q
	modules  Modules
	limits   PassLimits
	profile  TaskProfile
	pass     *ExecutionPass
	best     *saved
	early    []string // warnings from before the first pass
	refining mending
}

// The ends of a pass that have come to nothing.
var (
	errSpent   = errors.New("the time to live ended")
	errStalled = errors.New("another pass would change nothing")
)

// multiPass runs the passes of a query: one, unless it asked for as many as it takes.
func multiPass(ctx context.Context, q *query) error {
	if q.passes != nil {
		return q.passes.loop(ctx)
	}
	p := &ExecutionPass{Number: 1, Best: true, Ended: "one pass was asked for"}
	q.state.Passes = append(q.state.Passes, p)
	err := reasonThrough(ctx, q)
	q.close(p)
	if err != nil {
		p.Ended = err.Error()
	}
	return err
}

func (c *passControl) loop(ctx context.Context) error {
	c.early = slices.Clone(c.state.Warnings)
	for number := 1; ; number++ {
		profile := c.profile
		c.pass = &ExecutionPass{Number: number, Profile: &profile, TTL: c.q.redo.ttl}
		c.state.Passes, c.state.Warnings = append(c.state.Passes, c.pass), slices.Clone(c.early)
		c.note(StagePass, InProgress, fmt.Sprintf("pass %d, %s left", number, tell(max(0, c.q.redo.ttl-c.q.recording.taken()), "call", "calls")))
		err := c.once(ctx)
		c.q.close(c.pass)
		if err != nil && (c.best == nil || ctx.Err() != nil) {
			c.pass.Ended = err.Error()
			return err
		}
		if err == nil {
			c.keep()
		}
		if c.pass.Ended = c.ended(err); c.pass.Ended != "" {
			c.note(StagePass, Complete, fmt.Sprintf("pass %d ends: %s", number, c.pass.Ended))
			c.restore()
			return nil
		}
		c.pass.Ended = "not converged"
		c.note(StagePass, Again, fmt.Sprintf("pass %d did not converge; %d of %s used", number, c.pass.Used, tell(c.q.redo.ttl, "call", "calls")))
		if err := c.boundary(ctx); err != nil {
			return err
		}
	}
}

// once is phases B and C.
func (c *passControl) once(ctx context.Context) error {
	if c.pass.Number == 1 {
		if err := makePlan(ctx, c.q); err != nil {
			return err
		}
		if err := c.validatePlan(ctx); err != nil {
			return err
		}
	}
	if err := c.mend(ctx); err != nil {
		return err
	}
	if c.pass.Number > 1 {
		if err := c.prepare(); err != nil {
			return err
		}
	}
	if err := execute(ctx, c.q); err != nil {
		return err
	}
	clear(c.refining.changed)
	return c.judgeWork(ctx)
}

// ended says why there is no further pass; "" when there is one.
func (c *passControl) ended(err error) string {
	switch judged := c.pass.Convergence; {
	case err != nil:
		return err.Error()
	case judged == nil || slices.Contains(judged.Reasons, ReasonUnread):
		return "how near the work is could not be judged"
	case judged.Converged:
		return "converged"
	case c.q.redo.spent(c.q):
		return errSpent.Error()
	case c.refining.total >= c.limits.Refinements:
		return "all refinements are used up"
	case len(c.open()) == 0:
		return errStalled.Error()
	}
	return ""
}

// boundary is phase D: the profile is inferred again when validation found something wrong and steps are not clear.
func (c *passControl) boundary(ctx context.Context) error {
	unclear := slices.ContainsFunc(c.pass.Steps, func(s Step) bool { return s.Clarity != Clear })
	if !unclear || len(c.refining.issues) == 0 {
		return nil
	}
	profile, err := c.modules.Depth.Update(ctx, c.q.askJSONWith, c.state.Query, c.profile, c.state.Bundle, c.pass)
	if err != nil {
		return c.forgive(ctx, "The task could not be described again, so its time to live stays", err)
	}
	c.setProfile(profile)
	return nil
}

func (c *passControl) setProfile(p TaskProfile) {
	c.profile, c.q.redo.ttl = p, c.modules.Depth.TTL(p)
	c.note(StageProfile, Complete, fmt.Sprintf("depth %d, information %.2f, tools %s, breadth %s, confidence %s: time to live %s",
		p.Depth, p.Information, p.Tools, p.Breadth, p.Confidence, tell(c.q.redo.ttl, "call", "calls")))
}

func (c *passControl) note(stage, status, detail string) { c.q.run.Note(stage, status, detail) }

// forgive turns the failure of a module into a warning: what the modules add is not worth losing an answer for. Only
// the end of the query ends it.
func (c *passControl) forgive(ctx context.Context, what string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	c.state.warn("%s: %v.", what, err)
	return nil
}
