package soar

import (
	"context"
	"time"

	"github.com/aurora-sidecar/aurora/prompts"
)

// ForeignWork is what somebody else did on a question: a plan, or else a text.
type ForeignWork struct {
	Plan     *Plan
	Output   string
	Problems []Problem // that were found in the text before
}

// VerifyWork reviews work that was done elsewhere, as its own would be: by code first, and by a model when that found
// nothing wrong and the option is not NoReview. The review of a plan is PlanReview of the state, that of a text Review.
func (p *Pipeline) VerifyWork(ctx context.Context, r Request, w ForeignWork, emit func(Event)) (*State, []Phase, time.Duration, error) {
	r.Mode = "soar"
	q := p.newQuery(r, emit)
	return through(ctx, q, func(ctx context.Context) error {
		if err := beginQuery(ctx, q); err != nil {
			return err
		}
		if w.Plan != nil {
			q.state.Plan = w.Plan
			return q.run.Do(Verify, func() (string, error) { return verifyPlan(ctx, q) })
		}
		q.state.Draft = w.Output
		return q.run.Do(VerifyAnswer, func() (string, error) { return verifyText(ctx, q, w.Problems) })
	})
}

// verifyText judges a text by the snippets that the question finds.
func verifyText(ctx context.Context, q *query, problems []Problem) (string, error) {
	problems = append(problems, checkProse(q.state.Draft, false)...)
	if len(problems) > 0 || q.state.Option == NoReview {
		q.state.Review = byCode(q.state.Option, answerWeights, problems)
		return q.state.Review.line(), nil
	}
	var known []prompts.Summary
	for _, s := range q.state.Bundle {
		known = append(known, prompts.Summary{SubgoalID: s.ID, Confidence: 1, Text: CutText(s.Path+"\n"+s.Text, maxSummary)})
	}
	review, err := askReview(ctx, q, prompts.VerifySynthesis, answerWeights, prompts.Input{
		Query:    q.state.Query,
		Combined: prompts.Combined{Summaries: known, Synthesis: CutText(q.state.Draft, 2*maxSummary)},
		Planning: prompts.Planning{Examples: q.examples(prompts.SynthesisSet)},
	})
	if err != nil {
		return "", err
	}
	q.state.Review = review
	return review.line(), nil
}
