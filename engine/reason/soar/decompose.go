package soar

import (
	"context"
	"fmt"

	"github.com/aurora-sidecar/aurora/internal/scrub"
	"github.com/aurora-sidecar/aurora/prompts"
)

// A planReply is what the prompts for plans are answered with.
type planReply struct {
	Plan *Plan `json:"decomposition"`
}

// makePlan is phases 3 and 4: plans are made and reviewed until one passes. Each option allows two retries; then the next
// stricter one takes over, with its own count. After the last one the query is rejected.
func makePlan(ctx context.Context, q *query) error {
	if q.carriesOn() {
		return nil
	}
	ladder := []Option{NoReview, Self, Adversarial, Debate}
	at := 0
	for ladder[at] != q.state.Option {
		at++
	}
	for ; at < len(ladder); at++ {
		q.state.Option = ladder[at]
		passed, err := planUnder(ctx, q)
		if passed {
			takeOver(q)
		}
		if err != nil || passed {
			return err
		}
		if q.state.Option == NoReview { // nobody asked for a model's review: no stricter one is bought
			break
		}
		if q.state.Option != Debate {
			q.run.Note(Verify, Again, fmt.Sprintf("%s failed %d times; the next one is %s", q.state.Option, maxRetries+1, ladder[at+1]))
		}
	}
	return &rejection{"no plan passed its review", q.state.PlanReview}
}

// planUnder makes and reviews plans under one option.
func planUnder(ctx context.Context, q *query) (passed bool, err error) {
	feedback := ""
	for attempt := 0; ; attempt++ {
		err := q.run.Do(Decompose, func() (string, error) {
			if q.state.Option == Debate && attempt == 0 {
				return debate(ctx, q)
			}
			return decompose(ctx, q, feedback)
		})
		if err != nil {
			return false, err
		}
		if err := q.run.Do(Verify, func() (string, error) { return verifyPlan(ctx, q) }); err != nil {
			return false, err
		}
		switch {
		case q.state.PlanReview.Verdict == Pass:
			return true, nil
		case q.state.PlanReview.Verdict == Fail:
			return false, &rejection{"the plan failed its review", q.state.PlanReview}
		case attempt == maxRetries:
			return false, nil
		}
		q.run.Note(Decompose, Again, q.state.PlanReview.because())
		feedback, err = whatToMend(ctx, q, "decomposition", "Previous decomposition failed because", q.state.PlanReview, attempt+1, encode(q.state.Plan))
		if err != nil {
			return false, err
		}
	}
}

// decompose is phase 3.
func decompose(ctx context.Context, q *query, feedback string) (string, error) {
	plan, err := propose(ctx, q, feedback, "")
	if err != nil {
		return "", err
	}
	q.state.Plan = plan
	return tell(len(plan.Subgoals), "subgoal", "subgoals"), nil
}

// propose asks for a plan.
func propose(ctx context.Context, q *query, feedback, angle string) (*Plan, error) {
	var reply planReply
	err := q.askJSONWith(ctx, prompts.Decompose, prompts.Input{
		Query: q.state.Query, Agents: q.cards(),
		Planning: prompts.Planning{Examples: append(q.templates(), q.examples(prompts.DecomposeSet)...), Feedback: feedback, Angle: angle},
	}, q.state.Bundle, &reply)
	if err != nil {
		return nil, err
	}
	completePlan(q, reply.Plan)
	return addTo(q, reply.Plan), nil
}

// longestTemplate is the most bytes of an earlier plan that a prompt carries, about 300 tokens.
const longestTemplate = 1200

// templates are the plans of earlier answers to such a question, at most one.
func (q *query) templates() []string {
	for _, s := range q.state.Bundle {
		if s.Pattern {
			return []string{CutText(scrubbed(s.Text), longestTemplate)}
		}
	}
	return nil
}

func scrubbed(text string) string {
	text, _ = scrub.Text(text)
	return text
}

// completePlan fills in what the model does not say.
func completePlan(q *query, p *Plan) {
	p.ID, p.Query, p.Complexity = q.state.Request.ID, q.state.Query, string(q.state.Assessment.Level)
}
