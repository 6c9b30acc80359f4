package soar

import (
	"github.com/aurora-sidecar/aurora/prompts"
)

// respond is phase 9: what the score means for the one who reads the answer. Confidence comes from
// verified scores only.
func respond(q *query) (string, error) {
	if q.state.Rejected {
		return "no reliable answer", nil
	}
	q.state.Score = min(q.state.Review.Overall, q.weakest())
	q.state.Confidence = q.state.Score
	if q.state.PlanReview != nil {
		q.state.Confidence = min(q.state.Score, q.state.PlanReview.Overall)
	}
	q.state.Verified = q.state.Review.Verdict == Pass && q.state.Option != NoReview && q.weakest() >= prompts.PassScore && q.state.Claims.Checked() && q.state.FellBack == ""
	warnOfClaims(q)
	switch {
	case q.state.Option == NoReview:
		q.state.Confidence = q.state.Claims.Share()
		q.state.warn("No model has reviewed this answer; only its form and sources were checked.")
	case q.state.Score < prompts.RetryScore:
		q.state.warn("No reliable answer was found (score %.2f): %s. What follows is partial.", q.state.Score, q.state.Review.because())
	case q.state.Review.Verdict != Pass || q.state.Score < prompts.PassScore:
		q.state.warn("Low confidence (score %.2f): %s. Check the critical points yourself.", q.state.Score, q.state.Review.because())
	case q.state.Score < prompts.PatternScore:
		q.state.warn("Partly uncertain (score %.2f): %s.", q.state.Score, q.state.Review.because())
	}
	for _, o := range q.state.Outcomes {
		if !o.Failed() && o.Note != "" {
			q.state.warn("%s is uncertain: %s.", o.Subgoal.ID, o.Note)
		}
	}
	return q.citations(), nil
}

// weakest is the lowest score of a subgoal that the answer rests on, 1 without any.
func (q *query) weakest() float64 {
	lowest := 1.0
	for _, o := range q.state.Outcomes {
		if !o.Failed() && o.Review != nil && !q.joined(o.Subgoal) {
			lowest = min(lowest, o.Review.Overall)
		}
	}
	return lowest
}
