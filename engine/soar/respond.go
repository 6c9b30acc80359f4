package soar

import (
	"fmt"
	"strings"
)

// respond is phase 9: what the score means for whoever reads the answer (VER-035 to VER-038). Confidence comes from
// verified scores only.
func (q *query) respond() (string, error) {
	if q.Rejected {
		return "no reliable answer", nil
	}
	q.Score = q.Review.Overall
	q.Confidence = min(q.Review.Overall, q.PlanReview.Overall)
	q.Verified = q.Review.Verdict == Pass && q.Option != NoReview
	q.warnOfClaims()
	switch {
	case q.Option == NoReview:
		q.Confidence = q.Claims.share()
		q.warn("No model has reviewed this answer; only its form and sources were checked.")
	case q.Score < q.opts.Scoring.Retry:
		q.warn("No reliable answer was found (score %.2f): %s. What follows is partial.", q.Score, q.Review.because())
	case q.Review.Verdict != Pass:
		q.warn("Low confidence (score %.2f): %s. Check the critical points yourself.", q.Score, q.Review.because())
	case q.Score < q.opts.Scoring.Pattern:
		q.warn("Partly uncertain (score %.2f): %s.", q.Score, q.Review.because())
	}
	for _, o := range q.Outcomes {
		if !o.Failed() && o.Note != "" {
			q.warn("%s is uncertain: %s.", o.Subgoal.ID, o.Note)
		}
	}
	return tell(len(q.Cited), "citation", "citations"), nil
}

// reject makes the answer of a query that came to nothing: what was wrong, and what is known all the same.
func (q *query) reject(r *rejection) {
	q.Rejected = true
	var b strings.Builder
	fmt.Fprintf(&b, "I have no reliable answer: %s.\n", r.what)
	if r.review != nil {
		for _, issue := range r.review.issues() {
			fmt.Fprintf(&b, "\n- %s", issue)
		}
		q.Score = r.review.Overall
	}
	q.Answer = strings.TrimSpace(b.String()) + "\n\nAsk about one part of it, or name the files or functions that you mean."
}
