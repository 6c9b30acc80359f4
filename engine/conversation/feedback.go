package conversation

import (
	"context"
	"fmt"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/engine/reason"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/signal"
)

// Feedback is what a person thinks of an answer.
type Feedback struct {
	QueryID string // "" means the last answer
	Text    string // in words, from which the signal is told
	Signal  string // positive, followup, negative, recourse, abort; wins over Text
}

// A FeedbackResult tells what was understood and done.
type FeedbackResult struct {
	Signal  string // "" when the text says nothing of the answer
	Action  string // accepted, rejected, retry, none
	Applied int    // how many of the answer's sources are more or less active now
}

// Feedback learns what a person thinks of an answer: what it rested on counts as accepted or rejected. An answer that is
// no longer known teaches nothing. It fails with Invalid on an unknown signal, and when it is told nothing.
func (c *Talks) Feedback(ctx context.Context, e *reason.Reasoner, f Feedback) (*FeedbackResult, error) {
	class, err := f.class()
	if err != nil {
		return nil, err
	}
	result := &FeedbackResult{Signal: string(class), Action: "none"}
	use, judgement := memory.Use(""), memory.Judgement{}
	switch {
	case !e.Signals():
	case class == signal.Positive:
		use, judgement.Confidence = memory.Accepted, boost
	case class == signal.Negative:
		use, judgement.Wrong = memory.Rejected, true
	case class == signal.Recourse:
		result.Action, judgement.Insufficient = "retry", true
	}
	t := c.answerOf(f.QueryID)
	if t == nil {
		return result, nil
	}
	if err := e.Learn(ctx, t.ids, use, t.record, judgement); err != nil {
		return nil, err
	}
	if use != "" && len(t.ids) > 0 {
		result.Action, result.Applied = string(use), len(t.ids)
	}
	return result, nil
}

// class is the signal that was given, else the one of the text; words of a thumb count even when messages are not listened to.
func (f Feedback) class() (signal.Class, error) {
	switch class := signal.Class(strings.ToLower(f.Signal)); class {
	case signal.Positive, signal.Followup, signal.Negative, signal.Recourse, signal.Abort:
		return class, nil
	case signal.None:
	default:
		return "", &fault.Error{
			Kind: fault.Invalid, Message: fmt.Sprintf("unknown signal %.100q", f.Signal), Detail: "signal",
			Remedy: "Use positive, followup, negative, recourse or abort.",
		}
	}
	if strings.TrimSpace(f.Text) == "" {
		return "", &fault.Error{Kind: fault.Invalid, Message: "there is neither a text nor a signal", Detail: "text", Remedy: "Say what you think of the answer."}
	}
	return signal.Usual().Classify(f.Text).Class, nil
}
