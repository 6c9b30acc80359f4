package engine

import (
	"context"
	"slices"
	"sync"

	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/signal"
)

const (
	maxConversations = 256 // older ones are forgotten
	maxHeeded        = 20  // citations of an answer that a signal is about
)

// Conversations keep, for one client, what the last answer of each conversation rested on, so that a follow-up such as
// "no, that's wrong" teaches about that answer and no other. The zero value is ready.
type Conversations struct {
	mu    sync.Mutex
	last  map[string][]string // by conversation: the ids that its last answer cites
	order []string            // of conversations, the oldest first
	turns map[string]turn     // by conversation

	answers []answerOf // the latest, whatever their conversation; the oldest first
}

// An answerOf is what an answer rested on.
type answerOf struct {
	queryID string
	ids     []string
}

// Heed learns from a message that says what a person thought of the answer before it. When it says nothing else, the
// result is all there is to reply; else it is nil, and the message wants an answer. The first message of a conversation
// says nothing of an answer.
func (c *Conversations) Heed(ctx context.Context, e *Engine, conversation, message string) *QueryResult {
	c.mu.Lock()
	ids, known := c.last[conversation]
	c.mu.Unlock()
	s := signal.Detect(message)
	if !known || s.Confidence < signal.Threshold {
		return nil
	}
	var err error
	switch s.Class {
	case signal.Positive:
		err = e.Use(ctx, ids, string(memory.Accepted), 0)
	case signal.Negative:
		err = e.Use(ctx, ids, string(memory.Rejected), 0)
	}
	if err != nil {
		e.log.Warn("learn from a follow-up", "signal", s.Class, "err", err)
	}
	if !s.Whole {
		return nil
	}
	return reply(s.Class)
}

// reply is what a message gets that is nothing but a signal; nil when it wants an answer.
func reply(class signal.Class) *QueryResult {
	text := ""
	switch class {
	case signal.Positive:
		text = "Noted: what this answer rested on is more active now. Ask on when there is more."
	case signal.Negative:
		text = "Noted: what this answer rested on comes later now. What did I misunderstand? Can you clarify?"
	case signal.Abort:
		text = "Left as it is; nothing was learned from it."
	default:
		return nil
	}
	return &QueryResult{Answer: text, Complexity: "SIMPLE", Confidence: 1}
}

// Answered notes what an answer rests on; conversation is "" for a question of its own.
func (c *Conversations) Answered(conversation string, r *QueryResult) {
	var ids []string
	for _, hit := range r.Citations[:min(len(r.Citations), maxHeeded)] {
		ids = append(ids, hit.ID)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.answers = append(c.answers, answerOf{r.QueryID, ids}); len(c.answers) > maxConversations {
		c.answers = slices.Delete(c.answers, 0, 1)
	}
	if conversation == "" {
		return
	}
	if c.last == nil {
		c.last = map[string][]string{}
	}
	c.order = append(slices.DeleteFunc(c.order, func(id string) bool { return id == conversation }), conversation)
	c.last[conversation] = ids
	if len(c.order) > maxConversations {
		delete(c.last, c.order[0])
		delete(c.turns, c.order[0])
		c.order = slices.Delete(c.order, 0, 1)
	}
}
