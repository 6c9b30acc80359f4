package reason

import (
	"time"

	"github.com/aurora-sidecar/aurora/engine/journal"
	"github.com/aurora-sidecar/aurora/engine/reason/replay"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
)

// An eventLog gathers the events of a query for the history.
type eventLog struct {
	asked  time.Time // as people read it
	start  time.Time
	events []replay.Event
}

func (e *Reasoner) newEventLog() *eventLog { return &eventLog{asked: e.opts.Now(), start: time.Now()} }

// maxEvents bounds what is kept of a query that tells too much.
const maxEvents = 2000

func (l *eventLog) note(p Progress) {
	if p.Delta != "" || len(l.events) == maxEvents {
		return
	}
	l.events = append(l.events, replay.Event{At: time.Since(l.start), Phase: p.Stage, Status: p.Status, Detail: p.Detail})
}

// listening returns sink, with the events noted on their way.
func (l *eventLog) listening(sink func(Progress)) func(Progress) {
	return func(p Progress) {
		l.note(p)
		if sink != nil {
			sink(p)
		}
	}
}

// record is what the history keeps of an exchange.
func (e *Reasoner) record(x *exchange) *replay.Record {
	q := x.asked
	record := &replay.Record{
		Entry: journal.Entry{
			ID: q.QueryID, Question: soar.WithoutPersonal(x.request.Query), Asked: x.events.asked, Conversation: x.request.ConversationID,
			Complexity: q.Complexity, Model: q.Model, Verified: q.Verified, Score: q.OverallScore, Confidence: q.Confidence,
			Taken: journal.Taken{
				USD: q.Cost.USD, Tokens: q.Cost.PromptTokens + q.Cost.CompletionTokens, Calls: q.Cost.Calls, Passes: len(q.Passes), Total: q.Total,
			},
		},
		Answer: soar.WithoutPersonal(q.Answer), Warnings: q.Warnings, Events: x.events.events, History: q.Passes,
	}
	if roots := e.opts.Facts.Index.Snapshot().Folders(); len(roots) > 0 {
		record.Folder = roots[0]
	}
	if x.failure != nil {
		record.Error = x.failure.Error()
	}
	for _, p := range q.Phases {
		record.Phases = append(record.Phases, soar.Phase(p))
	}
	for i := range q.Citations {
		h := &q.Citations[i]
		record.Citations = append(record.Citations, replay.Citation{ID: h.ID, Path: h.Path, Line: h.Line(), Name: h.Name})
	}
	if s := x.state; s != nil {
		record.Answer, record.ChunkID = q.Answer, q.ChunkID
		record.Question, record.Request, record.Recording = s.Query, s.Request, s.Recording
		record.Request.Query, record.Request.Account = s.Query, nil
		record.Setup = x.models.setup()
		record.Signature = soar.Signature(s.Query)
		e.difficult.note(record.Entry)
	}
	return record
}

func (m *Models) setup() replay.Setup {
	return replay.Setup{Tiers: m.Tiers, Sizes: m.Sizes, PII: m.PII, Adaptive: m.Adaptive}
}
