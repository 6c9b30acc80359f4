package conversation

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/aurora-sidecar/aurora/engine/reason"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
)

const (
	maxConversations = 256 // older ones are forgotten
	maxHeeded        = 20  // citations of an answer that a signal is about
)

// Talks keep, for one client, what was asked last in each conversation and what its answer rested on, so that a follow-up
// such as "no, that's wrong" is about that answer and no other. The zero value is ready.
//
// A message goes through Receive; when it wants an answer, the request that Receive returns is asked, and then handed to
// Answered, or to Left when there was no answer.
type Talks struct {
	mu    sync.Mutex
	talks map[string]*talk
	order []string // of conversations, the oldest first

	answers []*turn // the latest, whatever their conversation; the oldest first
}

// A talk is one conversation.
type talk struct {
	last    *turn // that was answered
	stopped *turn // that was left without an answer
	wrong   *turn // whose answer was wrong, until the next message says what was meant
	running map[*running]struct{}
}

// A turn is a question and what its answer rested on.
type turn struct {
	request reason.QueryRequest
	queryID string
	ids     []string // that the answer cites
	record  string   // that the answer became, "" for none
	level   soar.Level
	model   bool
	work    *reason.Work
}

// A running question can be left.
type running struct {
	leave context.CancelFunc
	left  bool // because the person said so
}

// of returns a conversation, nil when nothing was said in it.
func (c *Talks) of(conversation string) *talk {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.talks[conversation]
}

// talk returns a conversation, a new one if need be. c.mu is held.
func (c *Talks) talk(conversation string) *talk {
	if c.talks == nil {
		c.talks = map[string]*talk{}
	}
	t := c.talks[conversation]
	if t == nil {
		t = &talk{running: map[*running]struct{}{}}
		c.talks[conversation] = t
	}
	c.order = append(slices.DeleteFunc(c.order, func(id string) bool { return id == conversation }), conversation)
	if len(c.order) > maxConversations {
		delete(c.talks, c.order[0])
		c.order = slices.Delete(c.order, 0, 1)
	}
	return t
}

// Begin makes the context of a question that a later message can leave. ended, which must be called, tells whether one did.
func (c *Talks) Begin(ctx context.Context, conversation string) (_ context.Context, ended func() (left bool)) {
	if conversation == "" {
		return ctx, func() bool { return false }
	}
	ctx, cancel := context.WithCancel(ctx)
	r := &running{leave: cancel}
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.talk(conversation)
	t.running[r] = struct{}{}
	return ctx, func() bool {
		cancel()
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(t.running, r)
		return r.left
	}
}

// leave ends what runs in a conversation, and tells whether anything did.
func (c *Talks) leave(t *talk) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for r := range t.running {
		r.left = true
		r.leave()
	}
	return len(t.running) > 0
}

// Answered notes the answer to a question, which may be one of its own.
func (c *Talks) Answered(r reason.QueryRequest, answered *reason.QueryResult) {
	t := &turn{
		request: r, queryID: answered.QueryID, record: answered.ChunkID, level: soar.Level(strings.ToUpper(answered.Complexity)),
		model: answered.Model != "", work: r.Done,
	}
	t.request.BudgetAccepted = false // each question asks for itself
	t.request.Before, t.request.Done, t.request.Models, t.request.Ask = nil, nil, nil, nil
	for _, hit := range answered.Citations[:min(len(answered.Citations), maxHeeded)] {
		t.ids = append(t.ids, hit.ID)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.answers = append(c.answers, &turn{queryID: t.queryID, ids: t.ids, record: t.record}); len(c.answers) > maxConversations {
		c.answers = slices.Delete(c.answers, 0, 1)
	}
	if r.ConversationID != "" {
		talk := c.talk(r.ConversationID)
		talk.last, talk.stopped, talk.wrong = t, nil, nil
	}
}

// Left notes a question that was left without an answer: "resume" goes on from where it was.
func (c *Talks) Left(r reason.QueryRequest) {
	if r.ConversationID == "" || r.Done == nil {
		return
	}
	t := &turn{request: r, work: r.Done}
	t.request.Before, t.request.Done, t.request.Models, t.request.Ask = nil, nil, nil, nil
	c.mu.Lock()
	defer c.mu.Unlock()
	c.talk(r.ConversationID).stopped = t
}

// answerOf returns the answer to a question, the last one for ""; nil when it is not known.
func (c *Talks) answerOf(queryID string) *turn {
	c.mu.Lock()
	defer c.mu.Unlock()
	if queryID == "" && len(c.answers) > 0 {
		return c.answers[len(c.answers)-1]
	}
	for _, a := range c.answers {
		if a.queryID == queryID {
			return a
		}
	}
	return nil
}

// resumed is the request of a question that was left, from where it was.
func (t *turn) resumed() reason.QueryRequest {
	r := t.request
	r.Before = t.work.Resumed()
	return r
}
