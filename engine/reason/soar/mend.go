package soar

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/reason/claims"
)

// mending is what pass control remembers of refinements over all passes.
type mending struct {
	issues   []Issue         // that are to be answered
	attempts map[string]int  // refinements by fragment
	total    int             // refinements in all
	used     map[string]bool // ids that steps have or had
	changed  map[string]bool // steps that were changed or added since they were carried out
}

// infer is phase A: the task's profile and the time to live that follows from it.
func infer(ctx context.Context, q *query) error {
	if q.state.Direct || !q.state.Request.Adaptive || q.opts.Adaptive == nil {
		return nil
	}
	c := &passControl{q: q, state: q.state, modules: *q.opts.Adaptive, limits: q.opts.Adaptive.Limits.orDefaults()}
	c.refining = mending{attempts: map[string]int{}, used: map[string]bool{}, changed: map[string]bool{}}
	q.passes = c
	profile, err := c.modules.Depth.Infer(ctx, q.askJSONWith, q.state.Query)
	if err != nil {
		if err := c.forgive(ctx, "The task could not be described, so the usual time to live holds", err); err != nil {
			return err
		}
	}
	c.setProfile(profile)
	return nil
}

// open are the issues that can still be answered: those that matter, of fragments with attempts left.
func (c *passControl) open() []Issue {
	return slices.DeleteFunc(slices.Clone(c.refining.issues), func(i Issue) bool {
		return i.Severity == "low" || c.refining.attempts[i.Fragment] >= c.limits.PerFragment
	})
}

// count notes an attempt at each fragment of the issues.
func (c *passControl) count(issues []Issue) {
	seen := map[string]bool{}
	for _, i := range issues {
		if !seen[i.Fragment] {
			seen[i.Fragment] = true
			c.refining.attempts[i.Fragment]++
			c.refining.total++
		}
	}
}

// validate has work judged and keeps the report in the history.
func (c *passControl) validate(ctx context.Context, of string, w Findings) (Report, error) {
	report, err := c.modules.Validator.Validate(ctx, c.q.askJSONWith, w)
	if err != nil {
		report = Report{Note: err.Error()}
		if err := c.forgive(ctx, "The validation of the "+of+" gave nothing", err); err != nil {
			return report, err
		}
	}
	report.Of = of
	c.pass.Validations = append(c.pass.Validations, report)
	var lines []string
	for _, i := range report.Issues {
		lines = append(lines, fmt.Sprintf("%s %s (%s): %s", i.Fragment, i.Kind, i.Severity, claims.Excerpt(i.Message)))
	}
	c.note(StageValidate, Complete, of+": "+tell(len(report.Issues), "issue", "issues")+strings.Join(append([]string{""}, lines...), "; "))
	return report, nil
}

// validatePlan is the first validation of a plan.
func (c *passControl) validatePlan(ctx context.Context) error {
	for _, s := range c.state.Plan.Subgoals {
		c.refining.used[s.ID] = true
	}
	report, err := c.validate(ctx, "plan", Findings{Plan: c.state.Plan})
	c.refining.issues = report.Issues
	return err
}

// judgeWork ends phase C: what came out is validated, and it is judged how near it is to the goal.
func (c *passControl) judgeWork(ctx context.Context) error {
	w := Findings{Plan: c.state.Plan, Steps: c.q.steps(), Answer: c.state.Answer}
	report, err := c.validate(ctx, "answer", w)
	if err != nil {
		return err
	}
	judged, err := c.modules.Converger.Assess(ctx, c.q.askJSONWith, w, report)
	if err != nil {
		judged = Convergence{Reasons: []string{ReasonUnread}}
		if err := c.forgive(ctx, "How near the work is to its goal could not be judged", err); err != nil {
			return err
		}
	} else if c.state.Review.Verdict != Pass {
		judged.Converged = false
		judged.Reasons = append(slices.DeleteFunc(judged.Reasons, func(r string) bool { return r == "converged" }), ReasonUnverified)
	}
	c.pass.Convergence = &judged
	c.note(StageConverge, Complete, judged.line())
	c.refining.issues = slices.Clone(report.Issues)
	for _, text := range judged.Missing {
		c.refining.issues = append(c.refining.issues, Issue{Fragment: "plan", Kind: "completeness", Severity: "medium", Message: text})
	}
	if c.state.Review.Verdict != Pass {
		c.refining.issues = append(c.refining.issues, Issue{Fragment: "answer", Kind: "consistency", Severity: "high", Message: c.state.Review.because()})
	}
	return nil
}

// mend is the refinement of phase B: the smallest changes that answer the issues, each checked by code and validated
// before it is taken over; then the changed plan has to pass the review of its option, or the plan
// stays as it was.
func (c *passControl) mend(ctx context.Context) error {
	before, review, first := c.state.Plan, c.state.PlanReview, len(c.pass.Actions)
	for {
		issues := slices.DeleteFunc(c.open(), func(i Issue) bool { return i.Fragment == "answer" })
		if len(issues) == 0 || c.refining.total >= c.limits.Refinements || c.q.redo.spent(c.q) {
			break
		}
		c.count(issues)
		accepted, err := c.refineOnce(ctx, issues)
		if err != nil {
			return err
		}
		if accepted && c.pass.Number > 1 {
			break // whether it was enough, the next validation tells
		}
	}
	if c.state.Plan == before {
		return nil
	}
	if err := c.q.run.Do(Verify, func() (string, error) { return verifyPlan(ctx, c.q) }); err != nil {
		return err
	}
	if c.state.PlanReview.Verdict != Pass {
		for i := range c.pass.Actions[first:] {
			a := &c.pass.Actions[first+i]
			a.Applied, a.Refused = false, "the plan did not pass its review with it"
		}
		c.note(StageRefine, Again, "the plan stays: "+c.state.PlanReview.line())
		c.state.Plan, c.state.PlanReview, c.refining.changed = before, review, map[string]bool{}
	}
	return nil
}

// refineOnce has changes proposed and takes them over when nothing speaks against them.
func (c *passControl) refineOnce(ctx context.Context, issues []Issue) (accepted bool, err error) {
	actions, err := c.proposals(ctx, issues)
	if err != nil || len(actions) == 0 {
		if err != nil {
			err = c.forgive(ctx, "The plan could not be refined", err)
		}
		if c.pass.Number == 1 {
			c.refining.issues = nil // without a change, asking again would bring the same
		}
		return true, err
	}
	used := map[string]bool{}
	for id := range c.refining.used {
		used[id] = true
	}
	candidate := refined(c.state.Plan, actions, used)
	problems, err := c.q.planProblems(ctx, candidate, c.state.shelf.all())
	if err != nil {
		return false, err
	}
	var report Report
	if len(problems) == 0 {
		if report, err = c.validate(ctx, "refinement", Findings{Plan: candidate}); err != nil {
			return false, err
		}
	}
	why := refusal(problems, report, actions)
	for i := range actions {
		a := &actions[i]
		if a.Refused == "" {
			a.Applied, a.Refused = why == "", why
		}
		c.note(StageRefine, Complete, a.line())
	}
	c.pass.Actions = append(c.pass.Actions, actions...)
	if why != "" {
		c.refining.issues = append(issues, Issue{Fragment: actions[0].Target, Kind: "consistency", Severity: "high", Message: "the last refinement was refused: " + why})
		return false, nil
	}
	c.state.Plan, c.refining.used = candidate, used
	for _, a := range actions {
		if a.Applied {
			c.refining.changed[a.Target] = true
		}
	}
	if c.pass.Number == 1 {
		c.refining.issues = report.Issues
	}
	return true, nil
}

// proposals asks for the changes: sub-plans for steps that hold several, as deep as the profile and the limit allow, and
// small changes for all else.
func (c *passControl) proposals(ctx context.Context, issues []Issue) ([]Action, error) {
	var rest []Issue
	for _, i := range issues {
		step := c.state.Plan.subgoal(i.Fragment)
		if !i.Split || step == nil || c.state.Plan.nesting(step.ID)+2 > min(c.limits.Nesting, c.profile.Depth) {
			rest = append(rest, i)
			continue
		}
		children, err := c.modules.Planner.Subplan(ctx, c.q.askJSONWith, c.state.Plan, c.q.agentCards(), *step, []Issue{i})
		if err != nil {
			return nil, err
		}
		return nest(c.state.Plan, *step, children, c.refining.used), nil
	}
	return c.modules.Planner.Refine(ctx, c.q.askJSONWith, c.state.Plan, c.q.agentCards(), rest)
}

// refusal says why a refinement is not taken over; "" when it is.
func refusal(problems []claims.Problem, r Report, actions []Action) string {
	if len(problems) > 0 {
		return problems[0].Message
	}
	for _, i := range r.Issues {
		touched := slices.ContainsFunc(actions, func(a Action) bool { return a.Target == i.Fragment })
		if touched && i.Severity == "high" && !i.Split {
			return i.Fragment + ": " + i.Message
		}
	}
	return ""
}

// prepare decides what a later pass does again: steps that were changed, are not clear or have an issue, and all that
// depend on these. The others keep what they brought. It is an error when nothing would be done again.
func (c *passControl) prepare() error {
	again := map[string]bool{}
	c.q.redo.feedback, c.q.redo.answer = map[string]string{}, ""
	open := c.open()
	for _, s := range c.state.Plan.Subgoals {
		o := c.q.outcome(s.ID)
		about := slices.DeleteFunc(slices.Clone(open), func(i Issue) bool { return i.Fragment != s.ID })
		if o == nil || c.refining.changed[s.ID] || o.clarity() != Clear || len(about) > 0 {
			again[s.ID] = true
		}
		if len(about) > 0 {
			c.q.redo.feedback[s.ID] = feedbackOf(about, "Output was insufficient because")
		}
	}
	for _, wave := range c.state.Plan.waves() {
		for _, s := range wave {
			again[s.ID] = again[s.ID] || slices.ContainsFunc(s.DependsOn, func(id string) bool { return again[id] })
		}
	}
	if about := slices.DeleteFunc(slices.Clone(open), func(i Issue) bool { return i.Fragment != "answer" }); len(about) > 0 {
		c.q.redo.answer = feedbackOf(about, "Previous answer failed because")
		c.count(about)
	}
	if len(again) == 0 && c.q.redo.answer == "" {
		return errStalled
	}
	c.q.redo.old = c.state.Outcomes
	c.state.Outcomes = slices.DeleteFunc(slices.Clone(c.state.Outcomes), func(o *Outcome) bool { return again[o.Subgoal.ID] || c.state.Plan.subgoal(o.Subgoal.ID) == nil })
	c.q.redo.later = true
	return nil
}

// feedbackOf is what an author is told of issues.
func feedbackOf(issues []Issue, opening string) string {
	f := feedback{Attempt: 1, Issues: []issue{}}
	var texts []string
	for _, i := range issues {
		f.Issues = append(f.Issues, issue{Check: i.Kind, Issue: i.Message})
		texts = append(texts, i.Message)
	}
	f.Instruction = opening + ": " + strings.Join(texts, "; ")
	return encode(map[string]any{"retry_feedback": f.short()})
}
