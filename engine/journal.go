package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aurora-sidecar/aurora/engine/journal"
	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/reason/adaptive"
	"github.com/aurora-sidecar/aurora/engine/reason/replay"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/internal/text"
	"github.com/aurora-sidecar/aurora/prompts"
)

// A HistoryRequest asks what became of questions: of one, when QueryID is set, else of the newest.
type HistoryRequest struct {
	QueryID string
	journal.Filter
}

// A HistoryResult lists questions, the newest first.
type HistoryResult struct {
	Queries []journal.Entry
	Record  *replay.Record // of the one that was asked for
	Damaged int            // records that can't be read
}

// History returns what became of questions. It fails with NotFound when there is no such question, and with Storage
// when its record can't be read.
func (e *Engine) History(ctx context.Context, r HistoryRequest) (*HistoryResult, error) {
	if e.opts.Journal == nil {
		return &HistoryResult{}, nil
	}
	if r.QueryID == "" {
		list, damaged, err := e.opts.Journal.List(ctx, r.Filter)
		return &HistoryResult{Queries: list, Damaged: damaged}, err
	}
	record, err := replay.Load(ctx, e.opts.Journal, r.QueryID)
	if err != nil {
		return nil, historyError(err)
	}
	return &HistoryResult{Queries: []journal.Entry{record.Entry}, Record: record}, nil
}

// historyError is an error of the history as the doors tell it.
func historyError(err error) error {
	switch {
	case errors.Is(err, journal.ErrNotFound):
		return &Error{Kind: NotFound, Message: err.Error(), Detail: "queryId", Remedy: "See: aurora history"}
	case errors.Is(err, journal.ErrDamaged):
		return &Error{Kind: Storage, Message: err.Error(), Detail: "history", Remedy: "Nothing else depends on it."}
	}
	return err
}

// An eventLog gathers the events of a query for the history.
type eventLog struct {
	asked  time.Time // as people read it
	start  time.Time
	events []replay.Event
}

func (e *Engine) newEventLog() *eventLog { return &eventLog{asked: e.now(), start: time.Now()} }

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
func (e *Engine) record(x *exchange) *replay.Record {
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
	if roots := e.opts.Index.Snapshot().Folders(); len(roots) > 0 {
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
		record.Answer = q.Answer
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

// A Replay is a question played again.
type Replay struct {
	Result      *QueryResult   // as it comes out now
	Record      *replay.Record // as it was
	Differences []string       // none when both agree
}

// PlayAgain runs the phases of a recorded question again, on the recorded replies and passages: nobody is asked,
// nothing is spent, nothing is remembered. It tells whether the phases, as they are now, come to the same. examples are
// the effective calibration examples. It fails with Invalid when no model was asked, and when the recording does not have
// what the phases now ask for.
func PlayAgain(ctx context.Context, record *replay.Record, examples prompts.Examples, sink func(Progress)) (*Replay, error) {
	if record.Recording == nil || len(record.Recording.Calls) == 0 {
		return nil, &Error{
			Kind: Invalid, Message: "no model was asked this question, so there is nothing to play again", Detail: record.ID,
			Remedy: "Ask it again, or look at it: aurora history " + record.ID,
		}
	}
	player, setup := soar.NewPlayer(record.Recording), record.Setup
	pipeline := soar.NewPipeline(soar.Options{
		Reasoning: player, Solving: player, Models: setup.Tiers, Library: player, AgentOptions: soar.AgentOptions{Agents: player.Agents(), Personas: player.Personas()},
		Examples: examples, Sizes: setup.Sizes, Guards: soar.Guards{PII: setup.PII},
		Adaptive: adaptive.Modules(setup.Adaptive),
	})
	result := &QueryResult{QueryID: record.ID, Model: record.Model}
	q := &reasoning{result: result, account: &llm.Account{}}
	state, phases, total, err := pipeline.Ask(ctx, record.Request, q.progress(sink))
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var failure *llm.Error
	if errors.As(err, &failure) && failure.Fault == llm.Setup {
		return nil, &Error{Kind: Invalid, Message: failure.Message, Detail: record.ID, Remedy: "Ask it again: what was recorded no longer fits."}
	}
	result.outline(state, phases, total)
	for _, source := range state.Cited {
		h := Hit{ID: source.Key}
		h.Path, h.Name = source.Path, cmp.Or(source.Name, source.Key)
		if source.Line > 0 {
			h.Range = &text.Range{Start: text.Position{Line: source.Line - 1}}
		}
		result.Citations = append(result.Citations, h)
	}
	return &Replay{Result: result, Record: record, Differences: differences(record, result, state, err)}, nil
}

// differences compares what was with what is.
func differences(was *replay.Record, is *QueryResult, s *soar.State, failure error) []string {
	var list []string
	differ := func(what string, was, is any) {
		if fmt.Sprint(was) != fmt.Sprint(is) {
			list = append(list, fmt.Sprintf("%s: %v, was %v", what, is, was))
		}
	}
	differ("calls", len(was.Recording.Calls), len(s.Recording.Calls))
	differ("passes", was.Passes, len(is.Passes))
	if failure != nil || was.Error != "" {
		differ("failed", was.Error != "", failure != nil)
		return list
	}
	differ("complexity", was.Complexity, is.Complexity)
	differ("verified", was.Verified, is.Verified)
	differ("confidence", fmt.Sprintf("%.3f", was.Confidence), fmt.Sprintf("%.3f", is.Confidence))
	if was.Answer != is.Answer {
		list = append(list, "the answer is another one")
	}
	return list
}
