package engine

import (
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
	class, err := f.class()
	if err != nil {
		return nil, err
	}
	result := &FeedbackResult{Signal: string(class), Action: "none"}
	use := memory.Use("")
	switch class {
	case signal.Positive:
		use = memory.Accepted
	case signal.Negative:
		use = memory.Rejected
	case signal.Recourse:
		result.Action = "retry"
	}
	ids := c.restedOn(f.QueryID)
	if use == "" || len(ids) == 0 {
		return result, nil
	}
	if err := e.Use(ctx, ids, string(use), 0); err != nil {
		return nil, err
	}
	result.Action, result.Applied = string(use), len(ids)
	return result, nil
}

func (f Feedback) class() (signal.Class, error) {
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
	if s := signal.Detect(f.Text); s.Confidence >= signal.Threshold {
		return s.Class, nil
	}
	return signal.None, nil
}

// restedOn returns the ids that an answer cites, of the last one for "".
func (c *Conversations) restedOn(queryID string) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if queryID == "" && len(c.answers) > 0 {
		return c.answers[len(c.answers)-1].ids
	}
	for _, a := range c.answers {
		if a.queryID == queryID {
			return a.ids
		}
	}
	return nil
}
