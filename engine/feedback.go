package engine

import (
	"cmp"
	"context"
	"fmt"
	"strings"

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
func (c *Conversations) Feedback(ctx context.Context, e *Engine, f Feedback) (*FeedbackResult, error) {
	class, err := f.class(e.followUps().Detector)
	if err != nil {
		return nil, err
	}
	result := &FeedbackResult{Signal: string(class), Action: "none"}
	set := e.followUps()
	use, judgement := memory.Use(""), memory.Judgement{}
	switch set.Actions[class] {
	case BoostConfidence:
		use, judgement.Confidence = memory.Accepted, set.Boost
	case Redecompose:
		use, judgement.Wrong = memory.Rejected, true
	case EscalateChecks:
		result.Action, judgement.Insufficient = "retry", true
	}
	t := c.answerOf(f.QueryID)
	if t == nil {
		return result, nil
	}
	if err := t.learn(ctx, e, use, judgement); err != nil {
		return nil, err
	}
	if use != "" && len(t.ids) > 0 {
		result.Action, result.Applied = string(use), len(t.ids)
	}
	return result, nil
}

// class is the signal that was given, else the one of the text; words of a thumb count even when messages are not listened to.
func (f Feedback) class(d *signal.Detector) (signal.Class, error) {
	switch class := signal.Class(strings.ToLower(f.Signal)); class {
	case signal.Positive, signal.Followup, signal.Negative, signal.Recourse, signal.Abort:
		return class, nil
	case signal.None:
	default:
		return "", &Error{
			Kind: Invalid, Message: fmt.Sprintf("unknown signal %.100q", f.Signal), Detail: "signal",
			Remedy: "Use positive, followup, negative, recourse or abort.",
		}
	}
	if strings.TrimSpace(f.Text) == "" {
		return "", &Error{Kind: Invalid, Message: "there is neither a text nor a signal", Detail: "text", Remedy: "Say what you think of the answer."}
	}
	return cmp.Or(d, signal.Usual()).Classify(f.Text).Class, nil
}
