package conversation

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/answer/question"
	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/reason"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/signal"
)

// goOn are the messages that take up a question that was left.
var goOn = []string{"resume", "continue", "go on", "carry on", "go ahead"}

// Receive takes in a message of a conversation: what it says of the answer before it is learned from. A message
// that says nothing else has a reply; any other wants the answer to the request that is returned: the message itself, or
// what it stands for. The first message of a conversation says nothing of an answer.
func (c *Talks) Receive(ctx context.Context, e *reason.Reasoner, r reason.QueryRequest) (reply *reason.QueryResult, next reason.QueryRequest) {
	if r.ConversationID == "" {
		return nil, r
	}
	t := c.of(r.ConversationID)
	next = r
	if t != nil {
		m := &incoming{Talks: c, reasoner: e, talk: t, message: r}
		reply, next = m.handle(ctx)
	}
	next.ConversationID, next.Caller, next.Done = r.ConversationID, r.Caller, &reason.Work{}
	return reply, next
}

// incoming is one message of a conversation in which something was said before.
type incoming struct {
	*Talks
	reasoner *reason.Reasoner
	talk     *talk
	message  reason.QueryRequest
}

func (m *incoming) handle(ctx context.Context) (reply *reason.QueryResult, next reason.QueryRequest) {
	m.mu.Lock()
	last, stopped, wrong, busy := m.talk.last, m.talk.stopped, m.talk.wrong, len(m.talk.running) > 0
	m.mu.Unlock()
	s := m.classify(m.message.Query)
	switch {
	case stopped != nil && isGoOn(m.message.Query):
		return nil, stopped.resumed()
	case s.Class == signal.Abort && (busy || stopped != nil || last != nil || wrong != nil):
		return m.abort(s)
	case wrong != nil:
		return m.clarify(wrong, s)
	case last == nil && s.Whole && s.Class != signal.None:
		return notice("Noted. There is no answer here that this could be about."), m.message
	case last == nil:
		return nil, m.message
	}
	switch s.Class {
	case signal.Positive:
		m.learn(ctx, last, s, memory.Accepted, memory.Judgement{Confidence: boost})
		if s.Whole {
			return notice("Noted: what this answer rested on is more active now. Ask on when there is more."), m.message
		}
		if rest := m.classify(s.Rest); rest.Class == signal.Followup {
			return nil, m.followUp(last, rest)
		}
	case signal.Followup:
		return nil, m.followUp(last, s)
	case signal.Negative:
		return m.reject(ctx, last, s)
	case signal.Recourse:
		m.learn(ctx, last, s, "", memory.Judgement{Insufficient: true})
		return nil, m.again(last, s.Rest)
	}
	return nil, m.message
}

// classify returns what a message says of the answer before it.
func (m *incoming) classify(message string) signal.Signal {
	if !m.reasoner.Signals() {
		return signal.Signal{}
	}
	return signal.Usual().Classify(message)
}

// boost is what a person who likes an answer adds to the confidence of its record, 0..1.
const boost = 0.1

// stricter is how the plan of a question of some level is verified when it is asked again: as one of the next level.
func stricter(level soar.Level) string {
	next := map[soar.Level]soar.Level{soar.Simple: soar.Medium, soar.Medium: soar.Complex, soar.Complex: soar.Critical, soar.Critical: soar.Critical}
	return string(soar.Assessment{Level: next[level]}.Recommended())
}

// said is the reply to a message that asks nothing.
func notice(text string) *reason.QueryResult {
	return &reason.QueryResult{Answer: text, Complexity: "SIMPLE", Confidence: 1}
}

func isGoOn(message string) bool {
	bare := strings.ToLower(strings.Trim(strings.Join(strings.Fields(message), " "), " .!?"))
	return slices.Contains(goOn, bare)
}

// learn teaches; that it could not is told in the log alone.
func (m *incoming) learn(ctx context.Context, t *turn, s signal.Signal, use memory.Use, j memory.Judgement) {
	m.reasoner.Log().Info("a person said what they think of an answer", "query", t.queryID, "signal", string(s.Class), "confidence", s.Confidence)
	if err := m.reasoner.Learn(ctx, t.ids, use, t.record, j); err != nil {
		m.reasoner.Log().Warn("learn from a follow-up", "signal", string(s.Class), "err", err)
	}
}

const resume = `Left as it is; nothing was learned from it. "resume" goes on from here.`

// LeftAlone is the answer to a question that a later message of its conversation left.
func LeftAlone() *reason.QueryResult { return notice(resume) }

// abort leaves what runs.
func (m *incoming) abort(s signal.Signal) (reply *reason.QueryResult, next reason.QueryRequest) {
	running := m.leave(m.talk)
	m.mu.Lock()
	canResume := running || m.talk.stopped != nil
	m.talk.wrong = nil
	m.mu.Unlock()
	if !s.Whole {
		return nil, m.rest(s)
	}
	if canResume {
		return notice(resume), m.message
	}
	return notice("Left as it is; nothing was learned from it."), m.message
}

// rest is the message behind its signal.
func (m *incoming) rest(s signal.Signal) reason.QueryRequest {
	r := m.message
	if s.Rest != "" {
		r.Query = s.Rest
	}
	return r
}

// reject takes back what the answer taught, and asks what was meant when the message does not say it.
func (m *incoming) reject(ctx context.Context, last *turn, s signal.Signal) (reply *reason.QueryResult, next reason.QueryRequest) {
	m.learn(ctx, last, s, memory.Rejected, memory.Judgement{Wrong: true})
	m.mu.Lock()
	m.talk.last = nil
	if s.Whole {
		m.talk.wrong = last
	}
	m.mu.Unlock()
	if s.Whole {
		return notice("Noted: what this answer rested on comes later now. What did I misunderstand? Can you clarify?"), m.message
	}
	return nil, m.redo(last, s.Rest)
}

// redo is a question from scratch, with what was meant.
func (m *incoming) redo(t *turn, clarification string) reason.QueryRequest {
	r := t.request
	r.Query, r.Fresh = m.clarified(r.Query, clarification), true
	return r
}

// clarified joins a question with what a person adds to it. A model reads both; the rules for answers without one read one
// question: the addition, when it is one, or else the words of both.
func (m *incoming) clarified(query, clarification string) string {
	if clarification == "" {
		return query
	}
	if m.reasoner.HasModel(m.message.Caller) {
		return query + "\n\nWhat was meant: " + clarification
	}
	if question.Parse(clarification, m.reasoner.Now()).Intent != question.Citations {
		return clarification
	}
	return clarification + " " + question.Parse(query, m.reasoner.Now()).Subject
}

// clarify takes in what follows a question that was answered wrongly.
func (m *incoming) clarify(wrong *turn, s signal.Signal) (reply *reason.QueryResult, next reason.QueryRequest) {
	switch {
	case s.Class == signal.Recourse:
		return nil, m.again(wrong, s.Rest)
	case s.Class == signal.Negative && !s.Whole:
		return nil, m.redo(wrong, s.Rest)
	case s.Class != signal.None && s.Whole:
		return notice("What did I misunderstand? Can you clarify?"), m.message
	}
	return nil, m.redo(wrong, m.message.Query)
}

// again is the last question afresh, of a model with a stricter verification.
func (m *incoming) again(last *turn, how string) reason.QueryRequest {
	r := last.request
	r.Query, r.Fresh = m.clarified(r.Query, how), true
	if last.model {
		r.Mode, r.Verification = "soar", stricter(last.level)
	}
	return r
}

// followUp goes on from the answer before.
func (m *incoming) followUp(last *turn, s signal.Signal) reason.QueryRequest {
	r := m.message
	r.Before = last.work
	if r.Select == nil {
		r.Select = last.request.Select
	}
	if s.Rest != "" && !m.reasoner.HasModel(m.message.Caller) {
		r.Query = m.resolved(last, s.Rest)
	}
	return r
}

// pronoun matches what stands for the subject of the question before.
var pronoun = lazyregexp.New(`(?i)\b(its|their|it|that|this|them|they|those)\b`)

// resolved puts the subject of the last question in place of a pronoun: without a model nobody else knows what "it" is.
func (m *incoming) resolved(last *turn, text string) string {
	before := question.Parse(last.request.Query, m.reasoner.Now())
	subject := before.Subject
	if before.Intent == question.Citations && len(last.ids) > 0 {
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
