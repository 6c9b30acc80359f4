package reason

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/journal"
	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/convlog"
)

// An exchange is all that is known of a question that was answered, or was not.
type exchange struct {
	request    QueryRequest
	asked      *QueryResult // of the question itself
	result     *QueryResult // that was given, which may have been made without the model
	models     *Models      // nil without a model
	state      *soar.State  // nil without a model
	library    *evidence.Workspace
	account    *llm.Account // nil without a model
	events     *eventLog
	failure    error                 // why a model gave no answer, nil when it did
	folder     string                // of the workspace
	transcript []convlog.Interaction // of agents with the person
	answer     *memory.Record        // that the answer becomes, nil for none
	policy     string                // that decides how long this record is kept; "" without
}

// writeDown keeps an exchange, with its figures: in the journal with what it teaches, in one transaction, and as a file,
// both of which are there when the answer is; and behind it in the log index and with the record that the answer became,
// for which Close waits. Nothing of it fails the question. Of a question that was cancelled, or that a guardrail refused,
// only that it cost something is kept.
func (e *Reasoner) writeDown(ctx context.Context, x *exchange, figures *memory.Metric) {
	left := ctx.Err() != nil
	ctx = context.WithoutCancel(ctx)
	var blocked *soar.Blocked
	refused := left || errors.As(x.failure, &blocked) || x.state == nil && x.failure != nil
	q := journal.Question{Left: figures == nil, Paid: x.models != nil && x.models.Budget != nil && x.asked.Cost.Calls > 0}
	if figures != nil {
		q.Figures = *figures
	}
	q.Figures.At, q.Figures.QueryID = x.events.asked, x.asked.QueryID
	if !refused {
		x.folder = e.folderOf(x.request)
		if x.result.ChunkID == "" {
			x.answer = nil
		}
		x.policy = e.policyOf(ctx, x)
		q.Answer = x.answer
		record, entry := e.record(x), x.entry()
		q.Entry, q.Record, q.Log = &record.Entry, record, &entry
		q.Learned = e.lesson(x)
	}
	if q.Left && !q.Paid {
		return
	}
	learned, err := e.writeJournal(ctx, q)
	if q.Answer != nil {
		x.result.ChunkID = learned.Record
	}
	if err != nil {
		if q.Answer != nil {
			x.result.Warnings = append(x.result.Warnings, "The answer could not be remembered: "+err.Error())
		}
		e.opts.Log.Warn("the question is not in the journal", "query", x.asked.QueryID, "err", err)
		if q.Paid {
			x.asked.Warnings = append(x.asked.Warnings, "The account of costs can't be kept: "+err.Error())
		}
	}
	if learned.Difficult {
		e.opts.Log.Info("a question is marked as difficult", "query", x.asked.QueryID, "score", q.Learned.Score)
	}
	if !refused {
		e.writeConversation(ctx, x)
	}
}

// writeJournal writes a question; without a journal only its record and what it teaches.
func (e *Reasoner) writeJournal(ctx context.Context, q journal.Question) (learned memory.Learned, err error) {
	if e.opts.Journal != nil {
		return e.opts.Journal.Write(ctx, q)
	}
	if q.Learned != nil {
		learned, err = e.opts.Memory.Learn(ctx, *q.Learned)
	}
	if q.Answer != nil && err == nil {
		var saved memory.Record
		saved, _, err = e.opts.Memory.Remember(ctx, *q.Answer)
		learned.Record = saved.ID
	}
	return learned, err
}

// writeConversation writes the file of an exchange, and those that a process which ended too early has left unwritten.
func (e *Reasoner) writeConversation(ctx context.Context, x *exchange) {
	id, chunk := x.result.ChunkID, x.chunk()
	var written []*convlog.Conversation
	var own *convlog.Conversation
	err := e.opts.Journal.WriteLogs(ctx, func(question string, c *convlog.Conversation) {
		if written = append(written, c); question == x.asked.QueryID {
			own = c
		}
	})
	if err != nil {
		e.opts.Log.Warn("a conversation is not kept", "query", x.asked.QueryID, "err", err)
	}
	if e.opts.Memory == nil && len(written) == 0 {
		return
	}
	e.writing.Go(func() {
		e.writingMu.Lock()
		defer e.writingMu.Unlock()
		e.annotate(ctx, id, chunk, own)
		e.keepConversations(ctx, written)
	})
}

// folderOf is the workspace folder that a question is about: that of the selection, else the only one there is.
func (e *Reasoner) folderOf(r QueryRequest) string {
	folders := e.opts.Facts.Index.Folders()
	if r.Select != nil {
		if file, ok := e.opts.Facts.Index.Snapshot().File(r.Select.Path); ok {
			return file.Folder
		}
	}
	if len(folders) == 1 {
		return folders[0]
	}
	return ""
}

// keepConversations indexes new conversations and clears up among the old ones.
func (e *Reasoner) keepConversations(ctx context.Context, written []*convlog.Conversation) {
	book := e.opts.Journal.Logs()
	if len(written) == 0 {
		return
	}
	for _, c := range written {
		if e.opts.Memory == nil {
			break
		}
		if err := e.opts.Memory.IndexLog(ctx, c.Index()); err != nil {
			e.opts.Log.Warn("a conversation is not indexed", "file", c.File.Name, "err", err)
		}
	}
	kept, err := book.KeepOncePerDay(ctx)
	if err != nil {
		e.opts.Log.Warn("old conversations are not cleared up", "err", err)
	}
	if kept.Bytes > convlog.ManyBytes {
		e.opts.Log.Warn("conversations take much space; see logging.conversations.retention_days", "bytes", kept.Bytes)
	}
}

// entry is the exchange as a file says it.
func (x *exchange) entry() convlog.Entry {
	r := x.result
	e := convlog.Entry{ID: r.QueryID, At: x.events.asked, Query: x.query(), Phases: x.phases()}
	if x.request.BudgetAccepted {
		e.Interactions = append(e.Interactions, convlog.Interaction{At: x.events.asked, Question: "The budget's soft limit is reached. Proceed with query?", Reply: "y"})
	}
	e.Interactions = append(e.Interactions, x.transcript...)
	e.Summary = convlog.Summary{
		Total: r.Total, Complexity: r.Complexity, Confidence: x.assessment().Confidence, Subgoals: len(r.Subgoals), Interactions: len(e.Interactions),
		Stored: r.ChunkID != "", Why: x.whyStored(), Tokens: r.Cost.PromptTokens + r.Cost.CompletionTokens, USD: r.Cost.USD,
	}
	if s := x.state; s != nil {
		e.Summary.PlanScore, e.Summary.AnswerScore = overall(s.PlanReview), overall(s.Review)
	}
	return e
}

// query is the question as it may be kept: as models were shown it, when there were any.
func (x *exchange) query() string {
	if x.state != nil && x.state.Query != "" {
		return x.state.Query
	}
	return x.request.Query
}

func (x *exchange) assessment() soar.Assessment {
	if x.state != nil {
		return x.state.Assessment
	}
	return soar.Classify(x.request.Query)
}

// whyStored says why the answer became a record, or did not.
func (x *exchange) whyStored() string {
	if x.result.ChunkID != "" {
		return "score ≥ 0.5"
	}
	i := slices.IndexFunc(x.result.Phases, func(p Phase) bool { return p.Name == soar.Record })
	if i < 0 {
		return ""
	}
	return strings.TrimSpace(x.result.Phases[i].Detail)
}

func overall(r *soar.Review) *float64 {
	if r == nil {
		return nil
	}
	score := r.Overall
	return &score
}
