package soar

import (
	"context"
	"fmt"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/reason/claims"
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
	if err := q.run.Do(VerifyAnswer, func() (string, error) { return checkDirect(ctx, q) }); err != nil {
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
	numbers := &claims.Numbering{Sources: q.state.Bundle}
	give := func(text string) {
		q.state.Answer += text
		if text != "" {
			q.run.emit(Event{Phase: Synthesize, Status: InProgress, Delta: text, Done: q.run.done()})
		}
	}
	l := q.newLoop(q.opts.Reasoning, Synthesize, 0)
	l.nextTurn = func(found []Source) {
		q.state.Bundle = union(q.state.Bundle, found)
		numbers.Sources = q.state.Bundle
	}
	draft := ""
	response, err := l.asks().Stream(ctx, r, func(d llm.Delta) {
		if d.Restart {
			*numbers, q.state.Answer, draft = claims.Numbering{Sources: q.state.Bundle}, "", ""
			q.run.emit(Event{Phase: Synthesize, Status: Again, Void: true, Detail: "the answer begins again", Done: q.run.done()})
		}
		draft += d.Text
		give(numbers.Add(d.Text))
	})
	give(numbers.Rest())
	if failure := isModelFault(err); failure != nil && strings.TrimSpace(draft) != "" {
		q.state.warn("The answer broke off: %s. What came of it is shown.", failure)
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
		q.state.warn("The answer was cut at %d tokens (llm.max_tokens).", r.MaxTokens)
	}
	return tell(llm.EstimateTokens(response.Text), "token", "tokens"), nil
}

// usable is an error when a reply is no answer.
func usable(reply string) error {
	switch {
	case strings.TrimSpace(reply) == "":
		return &llm.Error{Fault: llm.Blank, Message: "the reply is empty"}
	case claims.IsRefusal(reply):
		return &llm.Error{Fault: llm.Blank, Message: "the model declined: " + claims.Excerpt(strings.TrimSpace(reply))}
	}
	return nil
}

// checkDirect holds the answer against its sources. Without a review the share of claims that hold is all that is
// known, so that is the confidence.
func checkDirect(ctx context.Context, q *query) (string, error) {
	var err error
	if q.state.Claims, err = q.claims(ctx, q.state.Draft, q.state.Query, q.state.Bundle); err != nil {
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
