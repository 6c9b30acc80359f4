package soar

import (
	"context"
	"fmt"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/reason/claims"
)

// A Fallback is what an answer was made of when the models gave no whole one; "" when they did.
type Fallback string

// What answers fall back on, from the most to the least.
const (
	ByPart     Fallback = "partial"  // a part of the answer: it was cut off, or the model failed in some of the work
	ByFindings Fallback = "findings" // what the work on subgoals had found
	ByIndex    Fallback = "index"    // what the index, git and memory have
)

// salvage makes an answer of what is there when a model has failed: of the one that only its review lacks, else of what the
// subgoals found. It returns err when there is neither, or when it is no model's failure.
func salvage(ctx context.Context, q *query, err error) error {
	failure := isModelFault(err)
	if failure == nil || ctx.Err() != nil {
		return err
	}
	q.state.Review = nil
	switch {
	case usable(q.state.Draft) == nil:
		q.unreviewed(failure)
	case q.findings() != "":
		q.state.Draft, q.state.FellBack = q.findings(), ByFindings
		q.state.warn("The model wrote no answer: %s. What follows is what was found until then. %s", failure, failure.Remedy())
	default:
		return err
	}
	q.number(q.evidence())
	q.run.skipBefore(VerifyAnswer)
	if err := q.run.Do(VerifyAnswer, func() (string, error) { return checkByCode(ctx, q, q.evidence()) }); err != nil {
		return err
	}
	q.run.Skip(Record, "no model has reviewed it")
	return q.run.Do(Respond, func() (string, error) { return q.citations(), nil })
}

// unreviewed says that an answer has no review, as the model failed that was to write it.
func (q *query) unreviewed(failure *llm.Error) {
	q.state.warn("No model has reviewed this answer: %s.", failure)
}

// number makes the answer of the draft.
func (q *query) number(sources []Source) {
	numbers := &claims.Numbering{Sources: sources}
	q.state.Answer = numbers.Add(q.state.Draft) + numbers.Rest()
	q.state.Cited = numbers.Cited
}

// citations tells how many sources the answer cites.
func (q *query) citations() string { return tell(len(q.state.Cited), "citation", "citations") }

// reject makes the answer of a query that came to nothing: what was wrong, and what is known all the same.
func reject(q *query, r *rejection) {
	q.state.Rejected = true
	var b strings.Builder
	fmt.Fprintf(&b, "I have no reliable answer: %s.\n", r.what)
	if r.review != nil {
		for _, issue := range r.review.issues() {
			fmt.Fprintf(&b, "\n- %s", issue)
		}
		q.state.Score = r.review.Overall
	}
	q.state.Draft = strings.TrimSpace(b.String()) + "\n\nAsk about one part of it, or name the files or functions that you mean." + q.nearest()
	q.state.FellBack = ByIndex
	q.number(q.state.Bundle)
}

// mostNearest is how many sources an answer without an answer points at.
const mostNearest = 5

// nearest lists the best of what was retrieved, code before records.
func (q *query) nearest() string {
	var b strings.Builder
	n := 0
	for _, s := range q.state.Bundle {
		if s.Line == 0 || s.Pattern || n == mostNearest {
			continue
		}
		n++
		fmt.Fprintf(&b, "\n- %s:%d [%s]", s.Path, s.Line, s.ID)
	}
	if n == 0 {
		return ""
	}
	return "\n\nWhat the index has that is nearest to it:\n" + b.String()
}
