package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/answer"
	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/signal"
)

// goOn are the messages that take up a question that was left.
var goOn = []string{"resume", "continue", "go on", "carry on", "go ahead"}

// Receive takes in a message of a conversation: what it says of the answer before it is learned from. A message
// that says nothing else has a reply; any other wants the answer to the request that is returned: the message itself, or
// what it stands for. The first message of a conversation says nothing of an answer.
func (c *Conversations) Receive(ctx context.Context, e *Engine, r QueryRequest) (reply *QueryResult, next QueryRequest) {
	if r.ConversationID == "" {
		return nil, r
	}
	t := c.of(r.ConversationID)
	next = r
	if t != nil {
		m := &incoming{Conversations: c, engine: e, talk: t, set: e.followUps(), message: r}
		reply, next = m.handle(ctx)
	}
	next.ConversationID, next.Caller, next.done = r.ConversationID, r.Caller, &work{}
	return reply, next
}

func (e *Engine) followUps() *FollowUps {
	if e.opts.FollowUps == nil {
		return UsualFollowUps()
	}
	return e.opts.FollowUps
}

// incoming is one message of a conversation in which something was said before.
type incoming struct {
	*Conversations
	engine  *Engine
	talk    *talk
	set     *FollowUps
	message QueryRequest
}

func (m *incoming) handle(ctx context.Context) (reply *QueryResult, next QueryRequest) {
	m.mu.Lock()
	last, stopped, wrong, busy := m.talk.last, m.talk.stopped, m.talk.wrong, len(m.talk.running) > 0
	m.mu.Unlock()
	s, action := m.set.classify(m.message.Query)
	switch {
	case stopped != nil && isGoOn(m.message.Query):
		return nil, stopped.resumed()
	case action == LeaveQuietly && (busy || stopped != nil || last != nil || wrong != nil):
		return m.abort(s)
	case wrong != nil:
		return m.clarify(ctx, wrong, s, action)
	case last == nil && s.Whole && action != NoAction:
		return said("Noted. There is no answer here that this could be about."), m.message
	case last == nil:
		return nil, m.message
	}
	switch action {
	case BoostConfidence:
		m.learn(ctx, last, s, memory.Accepted, memory.Judgement{Confidence: m.set.Boost})
		if s.Whole {
			return said("Noted: what this answer rested on is more active now. Ask on when there is more."), m.message
		}
		if rest, action := m.set.classify(s.Rest); action == MaintainContext {
			return nil, m.followUp(ctx, last, rest)
		}
	case MaintainContext:
		return nil, m.followUp(ctx, last, s)
	case Redecompose:
		return m.reject(ctx, last, s)
	case EscalateChecks:
		m.learn(ctx, last, s, "", memory.Judgement{Insufficient: true})
		return nil, m.again(ctx, last, s.Rest)
	}
	return nil, m.message
}

// said is the reply to a message that asks nothing.
func said(text string) *QueryResult {
	return &QueryResult{Answer: text, Complexity: "SIMPLE", Confidence: 1}
}

func isGoOn(message string) bool {
	bare := strings.ToLower(strings.Trim(strings.Join(strings.Fields(message), " "), " .!?"))
	return slices.Contains(goOn, bare)
}

// learn teaches; that it could not is told in the log alone.
func (m *incoming) learn(ctx context.Context, t *turn, s signal.Signal, use memory.Use, j memory.Judgement) {
	m.engine.log.Info("a person said what they think of an answer", "query", t.queryID, "signal", string(s.Class), "confidence", s.Confidence)
	if err := t.learn(ctx, m.engine, use, j); err != nil {
		m.engine.log.Warn("learn from a follow-up", "signal", string(s.Class), "err", err)
	}
}

const resume = `Left as it is; nothing was learned from it. "resume" goes on from here.`

// LeftAlone is the answer to a question that a later message of its conversation left.
func LeftAlone() *QueryResult { return said(resume) }

// abort leaves what runs.
func (m *incoming) abort(s signal.Signal) (reply *QueryResult, next QueryRequest) {
	running := m.leave(m.talk)
	m.mu.Lock()
	if m.set.DropWork {
		m.talk.stopped = nil
	}
	canResume := !m.set.DropWork && (running || m.talk.stopped != nil)
	m.talk.wrong = nil
	m.mu.Unlock()
	if !s.Whole {
		return nil, m.rest(s)
	}
	if canResume {
		return said(resume), m.message
	}
	return said("Left as it is; nothing was learned from it."), m.message
}

// rest is the message behind its signal.
func (m *incoming) rest(s signal.Signal) QueryRequest {
	r := m.message
	if s.Rest != "" {
		r.Query = s.Rest
	}
	return r
}

// reject takes back what the answer taught, and asks what was meant when the message does not say it.
func (m *incoming) reject(ctx context.Context, last *turn, s signal.Signal) (reply *QueryResult, next QueryRequest) {
	m.learn(ctx, last, s, memory.Rejected, memory.Judgement{Wrong: true})
	m.mu.Lock()
	if !m.set.KeepState {
		m.talk.last = nil
	}
	if s.Whole {
		m.talk.wrong = last
	}
	m.mu.Unlock()
	if s.Whole {
		return said("Noted: what this answer rested on comes later now. What did I misunderstand? Can you clarify?"), m.message
	}
	return nil, m.redo(ctx, last, s.Rest)
}

// redo is a question from scratch, with what was meant.
func (m *incoming) redo(ctx context.Context, t *turn, meant string) QueryRequest {
	r := t.request
	r.Query, r.Fresh = m.clarified(ctx, r.Query, meant), true
	if m.set.KeepState {
		r.before = t.work
	}
	return r
}

// clarified joins a question with what a person adds to it. A model reads both; the rules for answers without one read one
// question: the addition, when it is one, or else the words of both.
func (m *incoming) clarified(ctx context.Context, question, meant string) string {
	if meant == "" {
		return question
	}
	if m.engine.modelsFor(m.message.Caller) != nil {
		return question + "\n\nWhat was meant: " + meant
	}
	if answer.Parse(meant, m.engine.now()).Intent != answer.Citations {
		return meant
	}
	return meant + " " + answer.Parse(question, m.engine.now()).Subject
}

// clarify takes in what follows a question that was answered wrongly.
func (m *incoming) clarify(ctx context.Context, wrong *turn, s signal.Signal, action SignalAction) (reply *QueryResult, next QueryRequest) {
	switch {
	case action == EscalateChecks:
		return nil, m.again(ctx, wrong, s.Rest)
	case action == Redecompose && !s.Whole:
		return nil, m.redo(ctx, wrong, s.Rest)
	case action != NoAction && s.Whole:
		return said("What did I misunderstand? Can you clarify?"), m.message
	}
	return nil, m.redo(ctx, wrong, m.message.Query)
}

// again is the last question afresh, of a model with a stricter verification.
func (m *incoming) again(ctx context.Context, last *turn, how string) QueryRequest {
	r := last.request
	r.Query, r.Fresh = m.clarified(ctx, r.Query, how), true
	if last.model {
		r.Mode, r.Verification = "soar", m.set.stricter(last.level)
	}
	return r
}

// followUp goes on from the answer before.
func (m *incoming) followUp(ctx context.Context, last *turn, s signal.Signal) QueryRequest {
	r := m.message
	if r.before = last.work; r.before != nil && m.set.Reassess {
		r.before = r.before.reassessed()
	}
	if r.Select == nil {
		r.Select = last.request.Select
	}
	if s.Rest != "" && m.engine.modelsFor(m.message.Caller) == nil {
		r.Query = m.resolved(last, s.Rest)
	}
	return r
}

// pronoun matches what stands for the subject of the question before.
var pronoun = lazyregexp.New(`(?i)\b(its|their|it|that|this|them|they|those)\b`)

// resolved puts the subject of the last question in place of a pronoun: without a model nobody else knows what "it" is.
func (m *incoming) resolved(last *turn, text string) string {
	before := answer.Parse(last.request.Query, m.engine.now())
	subject := before.Subject
	if before.Intent == answer.Citations && len(last.ids) > 0 {
		subject = codebase.LastName(last.ids[0][strings.LastIndexByte(last.ids[0], ':')+1:])
	}
	at := pronoun.FindStringIndex(text)
	if subject == "" || at == nil {
		return text
	}
	switch word := strings.ToLower(text[at[0]:at[1]]); word {
	case "its", "their": // "its callers" is "the callers of Total"
		return fmt.Sprintf("%sthe%s of %s", text[:at[0]], strings.TrimRight(text[at[1]:], " ?.!"), subject)
	}
	return text[:at[0]] + subject + text[at[1]:]
}
