package soar

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/reason/claims"
	"github.com/aurora-sidecar/aurora/prompts"
)

// synthesize is phases 7 and 4b: the answer is written and reviewed, at most three times; the best one counts.
func synthesize(ctx context.Context, q *query) error {
	var best *draft
	for attempt := 0; ; attempt++ {
		err := q.writeAnswer(ctx, attempt)
		if failure := isModelFault(err); failure != nil && best != nil && ctx.Err() == nil {
			q.state.warn("The answer could not be written again: %s.", failure)
			break
		}
		if err != nil {
			return err
		}
		if best == nil || q.state.Review.Overall > best.review.Overall {
			best = &draft{q.state.Draft, q.state.Claims, q.state.Review, q.state.FellBack}
		}
		if q.state.Review.Verdict == Pass || attempt == maxRetries {
			break
		}
	}
	q.state.Draft, q.state.Claims, q.state.Review, q.state.FellBack = best.text, best.held, best.review, best.fellBack
	if usable(q.state.Draft) != nil {
		if q.findings() == "" {
			return &rejection{"the model wrote no answer", q.state.Review}
		}
		q.state.Draft, q.state.FellBack = q.findings(), ByFindings
		q.state.warn("The model wrote no answer. What follows is what the agents found.")
	}
	q.number(q.evidence())
	return nil
}

// A draft is an answer with its review.
type draft struct {
	text     string
	held     claims.Report
	review   *Review
	fellBack Fallback
}

// writeAnswer is one attempt: from the second one on it is told what to mend.
func (q *query) writeAnswer(ctx context.Context, attempt int) error {
	feedback := q.redo.answer
	if attempt > 0 {
		q.run.Note(Synthesize, Again, q.state.Review.because())
		var err error
		if feedback, err = whatToMend(ctx, q, "synthesis", "Previous answer failed because", q.state.Review, attempt, q.state.Draft); err != nil {
			return err
		}
	}
	if err := q.run.Do(Synthesize, func() (string, error) { return compose(ctx, q, feedback) }); err != nil {
		return err
	}
	return q.run.Do(VerifyAnswer, func() (string, error) { return verifyAnswer(ctx, q) })
}

// evidence are the sources of the subgoals that came to something; without a plan, all.
func (q *query) evidence() []Source {
	if q.state.Direct {
		return withoutPatterns(q.state.Bundle)
	}
	var lists [][]Source
	for _, o := range q.state.Outcomes {
		if !o.Failed() {
			lists = append(lists, o.Sources)
		}
	}
	return union(lists...)
}

func (q *query) summaries() []prompts.Summary {
	var out []prompts.Summary
	for _, o := range q.state.Outcomes {
		if q.joined(o.Subgoal) {
			continue
		}
		s := prompts.Summary{SubgoalID: o.Subgoal.ID}
		if o.Failed() {
			s.Note, s.Text = "failed", "Nothing is known of: "+o.Subgoal.Description
		} else {
			s.Confidence, s.Text = o.Envelope.Output.Confidence, CutText(o.Envelope.Output.Summary, maxSummary)
			if o.Note != "" {
				s.Note = "uncertain: " + claims.Excerpt(o.Note)
			}
		}
		out = append(out, s)
	}
	return out
}

// findings are what the subgoals brought, one after the other.
func (q *query) findings() string {
	var b strings.Builder
	for _, o := range q.state.Outcomes {
		if !o.Failed() && !q.joined(o.Subgoal) {
			fmt.Fprintf(&b, "%s: %s\n\n", o.Subgoal.Description, o.Envelope.Output.Summary)
		}
	}
	return strings.TrimSpace(b.String())
}

// joined reports whether a step of a sub-plan is part of what the step above it brought.
func (q *query) joined(s Subgoal) bool {
	above := q.outcome(s.Parent)
	return above != nil && !above.Failed()
}

// compose is phase 7.
func compose(ctx context.Context, q *query, feedback string) (string, error) {
	r, err := q.requestWith(prompts.Synthesize, prompts.Input{Query: q.state.Query, Combined: prompts.Combined{Summaries: q.summaries()}, Planning: prompts.Planning{Feedback: feedback}}, q.evidence())
	if err != nil {
		return "", err
	}
	response, err := q.opts.Reasoning.Complete(ctx, r)
	if err != nil {
		return "", err
	}
	q.state.Draft = response.Text
	q.state.FellBack = ""
	if slices.ContainsFunc(q.state.Outcomes, func(o *Outcome) bool { return o.failure != nil }) {
		q.state.FellBack = ByPart
	}
	if response.Truncated {
		q.state.FellBack = ByPart
		q.state.warn("The answer was cut at %d tokens (llm.max_tokens).", r.MaxTokens)
	}
	return tell(llm.EstimateTokens(q.state.Draft), "token", "tokens"), nil
}

// verifyAnswer is phase 4b: claims are held against their sources first; a model judges what stands.
func verifyAnswer(ctx context.Context, q *query) (string, error) {
	var err error
	if q.state.Claims, err = q.claims(ctx, q.state.Draft, q.state.Query, q.evidence()); err != nil {
		return "", err
	}
	problems := append(q.state.Claims.Problems, claims.CheckProse(q.state.Draft, len(q.evidence()) > 0)...)
	if len(problems) > 0 || q.state.Option == NoReview {
		q.state.Review = byCode(q.state.Option, answerWeights, problems)
		return q.state.Review.line(), nil
	}
	review, err := askReview(ctx, q, prompts.VerifySynthesis, answerWeights, prompts.Input{
		Query:    q.state.Query,
		Combined: prompts.Combined{Summaries: q.summaries(), Synthesis: CutText(q.state.Draft, 2*maxSummary)},
		Planning: prompts.Planning{Examples: q.examples(prompts.SynthesisSet)},
	}, claims.Cited(q.state.Draft, q.evidence()))
	if err != nil {
		return "", err
	}
	q.state.Review = review
	return claimLine(q.state.Claims) + "; " + review.line(), nil
}
