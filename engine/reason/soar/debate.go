package soar

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/prompts"
	"golang.org/x/sync/errgroup"
)

// angles are the points of view from which the paths of a debate are planned, each without knowing the others.
var angles = []string{
	"follow the code: from entry points to what they call",
	"follow the risk: begin with what can go wrong and what depends on it",
	"follow the question: one subgoal for each thing that it asks",
}

// debate is option C: three plans, an advocate for each who cross-examines the others, and a judge (VER-004 to
// VER-006). Plans in which code finds something wrong do not take part.
func debate(ctx context.Context, q *query) (string, error) {
	plans, err := proposePaths(ctx, q)
	if err != nil {
		return "", err
	}
	var sound []*Plan
	for _, p := range plans {
		if p == nil {
			continue
		}
		problems, err := q.planProblems(ctx, p, q.state.Bundle)
		if err != nil {
			return "", err
		}
		if len(problems) == 0 {
			sound = append(sound, p)
		}
	}
	if len(sound) == 0 { // the review says what is wrong
		q.state.Plan = plans[slices.IndexFunc(plans, func(p *Plan) bool { return p != nil })]
		return "none of three paths is sound", nil
	}
	q.state.Plan = sound[0]
	if len(sound) == 1 {
		return "one of three paths is sound", nil
	}
	paths, err := argue(ctx, q, sound)
	if err != nil {
		return "", err
	}
	return judgePaths(ctx, q, sound, paths)
}

// proposePaths plans from each angle. A path whose plan can't be read is nil; it is an error when none can.
func proposePaths(ctx context.Context, q *query) ([]*Plan, error) {
	plans, unread := make([]*Plan, len(angles)), make([]error, len(angles))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(q.opts.Parallel)
	for i, angle := range angles {
		group.Go(func() error {
			plan, err := propose(ctx, q, "", angle)
			if isMalformed(err) {
				unread[i] = err
				return nil
			}
			plans[i] = plan
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(plans, func(p *Plan) bool { return p != nil }) {
		return nil, unread[0]
	}
	return plans, nil
}

// argue has an advocate speak for each plan.
func argue(ctx context.Context, q *query, plans []*Plan) ([]prompts.Path, error) {
	paths := make([]prompts.Path, len(plans))
	for i, p := range plans {
		paths[i] = prompts.Path{ID: fmt.Sprintf("P%d", i+1), Decomposition: CutText(encode(p), 2*maxSummary)}
	}
	arguments := make([]string, len(paths))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(q.opts.Parallel)
	for i, p := range paths {
		group.Go(func() error {
			var reply struct {
				Argument   string `json:"argument"`
				Objections []struct{ Path, Weakness string }
			}
			err := q.askJSON(ctx, prompts.Advocate, prompts.Input{Query: q.state.Query, Combined: prompts.Combined{PathID: p.ID, Paths: paths}}, &reply)
			if isMalformed(err) {
				return nil // a path without an advocate still is a path
			}
			arguments[i] = reply.Argument
			for _, o := range reply.Objections {
				arguments[i] += fmt.Sprintf("\nAgainst %s: %s", o.Path, o.Weakness)
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	for i := range paths {
		paths[i].Argument = CutText(arguments[i], maxSummary)
	}
	return paths, nil
}

// judgePaths chooses. A judgement that can't be followed leaves the first sound plan.
func judgePaths(ctx context.Context, q *query, plans []*Plan, paths []prompts.Path) (string, error) {
	var reply struct {
		Verdict    string  `json:"verdict"`
		Confidence float64 `json:"confidence"`
		Plan       *Plan   `json:"decomposition"`
	}
	err := q.askJSON(ctx, prompts.Judge, prompts.Input{Query: q.state.Query, Combined: prompts.Combined{Paths: paths}, Agents: q.cards()}, &reply)
	if isMalformed(err) {
		q.state.warn("The judge of the debate could not be understood; the first sound plan is used.")
		return "3 paths, no judgement", nil
	}
	if err != nil {
		return "", err
	}
	at := slices.IndexFunc(paths, func(p prompts.Path) bool { return strings.EqualFold(p.ID, reply.Verdict) })
	switch {
	case at >= 0:
		q.state.Plan = plans[at]
	case reply.Plan != nil:
		completePlan(q, reply.Plan)
		q.state.Plan = reply.Plan
	default:
		q.state.warn("The judge of the debate chose %q, which is no path; the first sound plan is used.", reply.Verdict)
		return "3 paths, no judgement", nil
	}
	return fmt.Sprintf("%s, the judge chose %s (%.2f)", tell(len(plans), "path", "paths"), reply.Verdict, reply.Confidence), nil
}
