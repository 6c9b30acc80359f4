package reason

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aurora-sidecar/aurora/engine/agents"
	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/engine/journal"
	"github.com/aurora-sidecar/aurora/engine/recall"
	"github.com/aurora-sidecar/aurora/engine/testrun"
	"github.com/aurora-sidecar/aurora/engine/usage"
	"github.com/aurora-sidecar/aurora/memory"
)

// Options wire a Reasoner.
type Options struct {
	Facts  *evidence.Parts       // of the workspace: its index, searches, git and records
	Past   *recall.Conversations // earlier ones
	Memory answerMemory          // nil remembers nothing
	Usage  *usage.Meter
	Log    *slog.Logger
	Now    func() time.Time
	Reread func() // called before each question: the place to look at settings again; may be nil

	Models      *Models          // nil answers without a model
	ModelsError error            // why there are no models although the settings name one
	Journal     *journal.Journal // of questions, with their history and their Markdown files; nil keeps none
	Agents      *agents.Registry // besides the built-in ones; nil knows none
	Tests       *testrun.Runner  // of the workspace, for models; nil runs none
	MaxQuery    int              // the longest question in characters; 0 means 10,000
	NoSignals   bool             // a message says nothing of the answer before it
}

// answerMemory keeps answers, and what is thought of them.
type answerMemory interface {
	memory.LogIndex
	Get(ctx context.Context, id string) (memory.Hit, error)
	Remember(ctx context.Context, r memory.Record) (saved memory.Record, created bool, err error)
	Annotate(ctx context.Context, id string, chunk []byte) error
	Learn(ctx context.Context, o memory.Outcome) (memory.Learned, error)
	Judge(ctx context.Context, id string, j memory.Judgement) error
}

// A Reasoner answers questions. All methods may be called from several goroutines.
type Reasoner struct {
	opts      Options
	failed    atomic.Bool // the last question with a model
	difficult difficulty

	writing   sync.WaitGroup // of conversations, behind the answers
	writingMu sync.Mutex     // held while one is written
}

// New returns a Reasoner. It starts nothing.
func New(o Options) *Reasoner { return &Reasoner{opts: o} }

// Close waits for what is written behind the answers.
func (e *Reasoner) Close() { e.writing.Wait() }

// Healthy reports whether the last question that went to a model had an answer from it, true before there was one.
func (e *Reasoner) Healthy() bool { return !e.failed.Load() }

// HasModel reports whether a model answers the questions of a caller.
func (e *Reasoner) HasModel(c Caller) bool { return e.modelsFor(c) != nil }

// Log is where the reasoner logs.
func (e *Reasoner) Log() *slog.Logger { return e.opts.Log }

// Now is the present moment.
func (e *Reasoner) Now() time.Time { return e.opts.Now() }

// Signals reports whether messages may say something of the answer before them.
func (e *Reasoner) Signals() bool { return !e.opts.NoSignals }

// Learn has memory learn what a person thinks of an answer: what it cites was used in some way, and what became of it is
// judged. record is "" for an answer that became none.
func (e *Reasoner) Learn(ctx context.Context, cited []string, use memory.Use, record string, j memory.Judgement) error {
	if use != "" && len(cited) > 0 {
		if err := e.opts.Facts.Records.Use(ctx, cited, string(use), 0); err != nil {
			return err
		}
	}
	if record == "" || e.opts.Memory == nil || j == (memory.Judgement{}) {
		return nil
	}
	if err := e.opts.Memory.Judge(ctx, record, j); err != nil {
		return fault.OfStore(ctx, "judge an answer", err)
	}
	return nil
}

// modelsFor returns the models for a query, nil when there are none: those of the settings go before those that are lent.
func (e *Reasoner) modelsFor(c Caller) *Models {
	if e.opts.Models != nil || e.opts.ModelsError != nil {
		return e.opts.Models
	}
	return c.Models
}
