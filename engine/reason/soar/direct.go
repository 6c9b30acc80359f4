package soar

import (
	"context"
	"fmt"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/reason/claims"
	"github.com/aurora-sidecar/aurora/prompts"
)

// answerDirectly answers a question in one loop, without a plan: a SIMPLE one with what code checks, a MEDIUM one with a
// review, too. A reviewed answer that does not pass is written again with what to mend; when that is of no use, the question
// is worked on as a COMPLEX one.
func answerDirectly(ctx context.Context, q *query) error {
	for _, phase := range []string{Decompose, Verify, Route, Collect} {
		q.run.Skip(phase, "the question is answered directly")
	}
	reviewed := q.state.Assessment.Level == Medium && q.state.Request.Mode != "direct" && q.state.Option != NoReview
	if err := writeDirectly(ctx, q, "", reviewed); err != nil {
		return err
	}
	for attempt := 1; q.state.Review != nil && q.state.Review.Verdict != Pass; attempt++ {
		if attempt > maxRetries {
			return harder(ctx, q)
		}
		err := rewrite(ctx, q, attempt)
		if failure := isModelFault(err); failure != nil && ctx.Err() == nil {
			q.state.warn("The answer could not be written again: %s.", failure)
			q.startOver()
			q.number(q.evidence())
			q.run.emit(Event{Phase: Synthesize, Status: InProgress, Delta: q.state.Answer, Done: q.run.done()})
			break
		}
		if err != nil {
			return err
		}
	}
	if q.state.Review == nil {
		q.run.Skip(Record, "no model has reviewed it")
		return q.run.Do(Respond, func() (string, error) { return q.citations(), nil })
	}
	if err := recordAnswer(ctx, q); err != nil {
		return err
	}
	return q.run.Do(Respond, func() (string, error) { return respond(q) })
}

// writeDirectly writes an answer and checks it.
func writeDirectly(ctx context.Context, q *query, feedback string, reviewed bool) error {
	if err := q.run.Do(Synthesize, func() (string, error) { return streamAnswer(ctx, q, feedback) }); err != nil {
		return err
	}
	return q.run.Do(VerifyAnswer, func() (string, error) { return checkDirect(ctx, q, reviewed) })
}

// rewrite writes an answer again that did not pass its review.
func rewrite(ctx context.Context, q *query, attempt int) error {
	q.run.Note(Synthesize, Again, q.state.Review.because())
	feedback, err := whatToMend(ctx, q, "synthesis", "Previous answer failed because", q.state.Review, attempt, q.state.Draft)
	if err != nil {
		return err
	}
	q.startOver()
	return writeDirectly(ctx, q, feedback, true)
}

// startOver makes the streamed answer void.
func (q *query) startOver() {
	q.state.Answer, q.state.Cited = "", nil
	q.run.emit(Event{Phase: Synthesize, Status: Again, Void: true, Detail: "the answer begins again", Done: q.run.done()})
}

// harder works on a question whose answer did not pass as on a COMPLEX one.
func harder(ctx context.Context, q *query) error {
	q.run.Note(Synthesize, Again, "no answer of one loop passed, so the question is planned")
	q.startOver()
	q.state.Direct, q.state.Assessment.Level, q.state.Review, q.state.Draft = false, Complex, nil, ""
	q.state.Option = q.state.Assessment.Recommended()
	chooseModel(q)
	return answerByPlan(ctx, q)
}

// streamAnswer asks and passes the answer on while it comes, its citations already numbered.
func streamAnswer(ctx context.Context, q *query, feedback string) (string, error) {
	r, err := q.requestWith(prompts.Direct, prompts.Input{Query: q.state.Query, Planning: prompts.Planning{Feedback: feedback}}, q.state.Bundle)
	if err != nil {
		return "", err
	}
	q.state.FellBack = ""
	numbers := &claims.Numbering{Sources: q.evidence()}
	give := func(text string) {
		q.state.Answer += text
		if text != "" {
			q.run.emit(Event{Phase: Synthesize, Status: InProgress, Delta: text, Done: q.run.done()})
		}
	}
	l := q.newLoop(q.opts.Reasoning, Synthesize, 0)
	l.checks = q.state.Request.Changes
	l.nextTurn = func(found []Source) {
		q.state.Bundle = union(q.state.Bundle, found)
		numbers.Sources = q.evidence()
	}
	draft := ""
	response, err := l.asks().Stream(ctx, r, func(d llm.Delta) {
		if d.Restart {
			*numbers, q.state.Answer, draft = claims.Numbering{Sources: q.evidence()}, "", ""
			q.run.emit(Event{Phase: Synthesize, Status: Again, Void: true, Detail: "the answer begins again", Done: q.run.done()})
		}
		draft += d.Text
		give(numbers.Add(d.Text))
	})
	give(numbers.Rest())
	if failure := isModelFault(err); failure != nil && strings.TrimSpace(draft) != "" {
		q.state.warn("The answer broke off: %s. What came of it is shown.", failure)
		q.state.FellBack = ByPart
		response, err = &llm.Response{Text: draft}, nil
	}
	if err != nil {
		return "", err
	}
	if err := usable(response.Text); err != nil {
		return "", err
	}
	q.state.Draft, q.state.Cited = response.Text, numbers.Cited
	if response.Truncated {
		q.state.FellBack = ByPart
		q.state.warn("The answer was cut at %d tokens (llm.max_tokens).", r.MaxTokens)
	}
	return tell(llm.EstimateTokens(response.Text), "token", "tokens"), nil
}

// usable is an error when a reply is no answer.
func usable(reply string) error {
	switch {
	case strings.TrimSpace(reply) == "":
		return &llm.Error{Fault: llm.Blank, Message: "the reply is empty"}
	case llm.IsCall(reply):
		return &llm.Error{Fault: llm.Blank, Message: "the reply is a call of a tool: " + claims.Excerpt(strings.TrimSpace(reply))}
	case claims.IsRefusal(reply):
		return &llm.Error{Fault: llm.Blank, Message: "the model declined: " + claims.Excerpt(strings.TrimSpace(reply))}
	}
	return nil
}

// checkDirect holds the answer against its sources and the workspace, and has a model review what stands. An answer that
// was cut off has no review, nor has one whose review the model failed to write.
func checkDirect(ctx context.Context, q *query, reviewed bool) (string, error) {
	q.state.Review = nil
	if reviewed && q.state.FellBack == "" {
		line, err := verifyAnswer(ctx, q)
		failure := isModelFault(err)
		if failure == nil || ctx.Err() != nil {
			return line, err
		}
		q.unreviewed(failure)
	}
	return checkByCode(ctx, q, q.evidence())
}

// checkByCode holds the answer against its sources. The share of claims that hold is all that is known then, so that is the
// confidence.
func checkByCode(ctx context.Context, q *query, sources []Source) (string, error) {
	var err error
	if q.state.Claims, err = q.claims(ctx, q.state.Draft, q.state.Query, sources); err != nil {
		return "", err
	}
	q.state.Confidence = q.state.Claims.Share()
	warnOfClaims(q)
	return claimLine(q.state.Claims), nil
}

func warnOfClaims(q *query) {
	const most = 3
	for i, p := range q.state.Claims.Problems {
		if i == most {
			q.state.warn("And %s more that the sources do not bear out.", tell(len(q.state.Claims.Problems)-most, "statement", "statements"))
			return
		}
		q.state.warn("Check this: %s.", p.Message)
	}
}

func claimLine(c claims.Report) string {
	if c.Total == 0 {
		return "no statement about the code"
	}
	return fmt.Sprintf("%d of %s supported by the sources", c.Supported, tell(c.Total, "statement", "statements"))
}
