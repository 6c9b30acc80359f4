package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/memory/convlog"
)

// A diary writes conversations down behind the answers, one after the other.
type diary struct {
	writing sync.WaitGroup
	mu      sync.Mutex // held while one is written
}

// An exchange is all that is known of a question that was answered, or was not.
type exchange struct {
	request QueryRequest
	result  *QueryResult
	state   *soar.State // nil without a model
	calls   []llm.Call
	failure error // why a model gave no answer, nil when it did
	at      time.Time
	folder  string // of the workspace
	hits    map[string]Hit
	talked  []convlog.Interaction // of agents with the person
	policy  string                // that decides how long the record is kept that the answer became; "" without
	role    string                // semantic role of that record; "" without
}

// writeDown keeps an exchange: as a file, which is there when the answer is, and behind it in the log index and
// with the record that the answer became; Close waits for that. Nothing of it fails the question. A question that was cancelled, or that a
// guardrail refused, leaves nothing.
func (e *Engine) writeDown(ctx context.Context, x exchange) {
	var blocked *soar.Blocked
	if ctx.Err() != nil || errors.As(x.failure, &blocked) || x.result == nil {
		return
	}
	if e.opts.Conversations == nil && e.opts.Memory == nil {
		return
	}
	x.folder = e.folderOf(x.request)
	ctx = context.WithoutCancel(ctx)
	x.role, x.policy = e.filedAs(ctx, x.result.ChunkID)
	written := e.writeConversation(x.entry())
	id, chunk := x.result.ChunkID, x.chunk()
	e.diary.writing.Go(func() {
		e.diary.mu.Lock()
		defer e.diary.mu.Unlock()
		e.annotate(ctx, id, chunk, written)
		e.keepConversations(ctx, written)
	})
}

// folderOf is the workspace folder that a question is about: that of the selection, else the only one there is.
func (e *Engine) folderOf(r QueryRequest) string {
	folders := e.opts.Index.Folders()
	if r.Select != nil {
		if file, ok := e.opts.Index.Snapshot().File(r.Select.Path); ok {
			return file.Folder
		}
	}
	if len(folders) == 1 {
		return folders[0]
	}
	return ""
}

// writeConversation writes the file; nil when there is none.
func (e *Engine) writeConversation(entry convlog.Entry) *convlog.Conversation {
	if e.opts.Conversations == nil {
		return nil
	}
	written, err := e.opts.Conversations.Write(entry)
	if err != nil {
		e.log.Warn("a conversation is not kept", "query", entry.ID, "err", err)
		return nil
	}
	return written
}

// keepConversations indexes a new conversation and clears up among the old ones.
func (e *Engine) keepConversations(ctx context.Context, written *convlog.Conversation) {
	book := e.opts.Conversations
	if written == nil {
		return
	}
	if e.opts.Memory != nil {
		if err := e.opts.Memory.IndexLog(ctx, written.Index()); err != nil {
			e.log.Warn("a conversation is not indexed", "file", written.File.Name, "err", err)
		}
	}
	kept, err := book.KeepOncePerDay(ctx)
	if err != nil {
		e.log.Warn("old conversations are not cleared up", "err", err)
	}
	if kept.Bytes > convlog.ManyBytes {
		e.log.Warn("conversations take much space; see logging.conversations.retention_days", "bytes", kept.Bytes)
	}
}

// entry is the exchange as a file says it.
func (x *exchange) entry() convlog.Entry {
	r := x.result
	e := convlog.Entry{ID: r.QueryID, At: x.at, Query: x.query(), Phases: x.phases()}
	if x.request.BudgetAccepted {
		e.Interactions = append(e.Interactions, convlog.Interaction{At: x.at, Question: "The budget's soft limit is reached. Proceed with query?", Reply: "y"})
	}
	e.Interactions = append(e.Interactions, x.talked...)
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
