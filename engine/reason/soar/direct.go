package soar

import (
	"context"
	"fmt"

	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/prompts"
)

// answerDirectly answers a SIMPLE question: one streamed call with what was retrieved, no plan, no review by a model, nothing
// recorded.
func answerDirectly(ctx context.Context, q *query) error {
	for _, phase := range []string{Decompose, Verify, Route, Collect} {
		q.run.Skip(phase, "a simple question is answered directly")
	}
	if err := q.run.Do(Synthesize, func() (string, error) { return streamAnswer(ctx, q) }); err != nil {
		return err
	}
	if err := q.run.Do(VerifyAnswer, func() (string, error) { return checkDirect(q) }); err != nil {
		return err
	}
	q.run.Skip(Record, "simple questions teach nothing")
	return q.run.Do(Respond, func() (string, error) { return tell(len(q.state.Cited), "citation", "citations"), nil })
}

// streamAnswer asks and passes the answer on while it comes, its citations already numbered.
func streamAnswer(ctx context.Context, q *query) (string, error) {
	r, err := q.requestWith(prompts.Direct, prompts.Input{Query: q.state.Query}, q.state.Bundle)
	if err != nil {
		return "", err
	}
	numbers := &numbered{sources: q.state.Bundle}
	give := func(text string) {
		q.state.Answer += text
		if text != "" {
			q.run.emit(Event{Phase: Synthesize, Status: InProgress, Delta: text, Done: q.run.done()})
		}
	}
	response, err := q.opts.Reasoning.Stream(ctx, r, func(d llm.Delta) {
		if d.Restart {
			*numbers, q.state.Answer = numbered{sources: q.state.Bundle}, ""
			q.run.emit(Event{Phase: Synthesize, Status: Again, Void: true, Detail: "the connection broke; the answer begins again", Done: q.run.done()})
		}
		give(numbers.add(d.Text))
	})
	if err != nil {
		return "", err
	}
	give(numbers.rest())
	q.state.Draft, q.state.Cited = response.Text, numbers.cited
	if response.Truncated {
		q.state.warn("The answer was cut at %d tokens (llm.max_tokens).", r.MaxTokens)
	}
	return tell(llm.EstimateTokens(response.Text), "token", "tokens"), nil
}

// checkDirect holds the answer against its sources. Without a review the share of claims that hold is all that is
// known, so that is the confidence.
func checkDirect(q *query) (string, error) {
	q.state.Claims = checkClaims(q.state.Draft, q.state.Query, q.state.Bundle)
	if q.state.Draft == "" {
		q.state.warn("The model gave an empty answer.")
	}
	q.state.Confidence = q.state.Claims.share()
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

func claimLine(c Claims) string {
	if c.Total == 0 {
		return "no statement about the code"
	}
	return fmt.Sprintf("%d of %s supported by the sources", c.Supported, tell(c.Total, "statement", "statements"))
}
