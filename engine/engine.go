package engine

import (
	"errors"
	"log/slog"
	"time"

	"github.com/aurora-sidecar/aurora/engine/agents"
	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/assemble"
	"github.com/aurora-sidecar/aurora/engine/budget"
	"github.com/aurora-sidecar/aurora/engine/capture"
	"github.com/aurora-sidecar/aurora/engine/codeintel"
	"github.com/aurora-sidecar/aurora/engine/indexing"
	"github.com/aurora-sidecar/aurora/engine/journal"
	"github.com/aurora-sidecar/aurora/engine/reason"
	"github.com/aurora-sidecar/aurora/engine/recall"
	"github.com/aurora-sidecar/aurora/engine/search"
	"github.com/aurora-sidecar/aurora/engine/search/shared"
	"github.com/aurora-sidecar/aurora/engine/semantic"
	"github.com/aurora-sidecar/aurora/engine/testrun"
	"github.com/aurora-sidecar/aurora/engine/usage"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/internal/obs/metrics"
	"github.com/aurora-sidecar/aurora/internal/workload"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/lifespan"
)

// Options wires an Engine.
type Options struct {
	Index   *index.Index
	Memory  memory.Store
	Log     *slog.Logger     // nil discards
	Now     func() time.Time // nil means time.Now
	Version string
	Reread  func() // called before each search, context and question: the place to Tune when settings have changed; may be nil

	// CollectGit has the history of files read ahead, and vectors made, in the background, for processes that stay.
	CollectGit bool
	Lifespan   *lifespan.Policies // nil keeps every record
	InTeam     func() bool        // whether the person shares records with a team; nil for none

	SearchOptions
	ReasonOptions
	UsageOptions

	hoverWait time.Duration // how long a hover waits for git and memory; 0 means the usual time
}

// SearchOptions say how code and memory are searched.
type SearchOptions struct {
	Tuning    Tuning
	Providers map[string]ProviderSettings // by id; what is missing has its defaults
	// Context are providers of the program's own, beside the engine's. One whose id is bad or taken is logged and left out.
	Context []ContextProvider

	Team *shared.Team // a search server that searches ask, too; nil for none

	Embeddings      *Embeddings // an endpoint for vectors; nil leaves them to the model in the program
	EmbeddingsError error       // why there is none although the settings name one
}

// ReasonOptions say how questions are answered.
type ReasonOptions struct {
	Models      *Models          // nil answers without a model
	ModelsError error            // why there are no models although the settings name one
	Budget      *budget.Tracker  // of what models cost; nil keeps no account
	Journal     *journal.Journal // of questions, with their history and their Markdown files; nil keeps none
	Agents      *agents.Registry // besides the built-in ones; nil knows none
	Trust       Truster          // nil trusts nobody
	Tests       *testrun.Runner  // runs tests of the workspace for models; nil runs none
	MaxQuery    int              // the longest question in characters; 0 means 10,000
	NoSignals   bool             // a message says nothing of the answer before it
}

// UsageOptions say what is counted.
type UsageOptions struct {
	Home    string             // AURORA's own folder, in which a purge of memory looks for what it deletes; "" for none
	Metrics *metrics.Set       // nil counts nothing
	Usage   memory.MetricStore // of the figures of usage; nil keeps none
	Agent   string             // who asks when a request does not tell, for these figures
}

// An Engine answers. All methods may be called from several goroutines.
type Engine struct {
	opts  Options
	log   *slog.Logger
	now   func() time.Time
	meter *usage.Meter
	work  *workload.Load

	vectors  *semantic.Vectors
	records  *recall.Records
	past     *recall.Conversations
	intel    *codeintel.Intel
	offers   *capture.Finder
	searcher *search.Searcher
	contexts *assemble.Assembler
	keeper   *indexing.Keeper
	reasoner *reason.Reasoner
}

// New returns an Engine over an index and a memory. It starts nothing but, with CollectGit, a worker after each index
// run; else git runs when it is first asked.
func New(opts Options) *Engine {
	e := &Engine{opts: opts, log: opts.Log, now: opts.Now}
	if e.log == nil {
		e.log = slog.New(slog.DiscardHandler)
	}
	if e.now == nil {
		e.now = time.Now
	}
	e.work = workload.New(e.log)
	e.meter = usage.New(usage.Options{Set: opts.Metrics, Store: opts.Usage, Log: e.log, Now: e.now, Agent: opts.Agent})
	e.wire()
	if opts.Memory != nil {
		opts.Index.OnMove(e.records.Follow)
	}
	return e
}

// wire connects the parts.
func (e *Engine) wire() {
	o := &e.opts
	e.vectors = semantic.New(semantic.Options{
		Index: o.Index, Memory: o.Memory, Log: e.log, Now: e.now, Endpoint: o.Embeddings, EndpointError: o.EmbeddingsError, Background: o.CollectGit,
	})
	e.records = recall.New(recall.Options{Index: o.Index, Store: o.Memory, Log: e.log, Now: e.now, Lifespan: o.Lifespan, History: o.Journal, Home: o.Home, InTeam: o.InTeam})
	e.past = &recall.Conversations{Book: o.Journal.Logs(), Store: o.Memory, Folders: o.Index.Folders, Log: e.log}
	e.intel = codeintel.New(codeintel.Options{
		Index: o.Index, Log: e.log, Now: e.now, Records: e.records, Store: o.Memory, CollectGit: o.CollectGit, HoverWait: o.hoverWait,
	})
	e.offers = capture.New(capture.Options{Index: o.Index, Records: e.records, Store: o.Memory, Repos: e.intel, Now: e.now})
	searching := search.Options{
		Index: o.Index, Vectors: e.vectors, Log: e.log, Now: e.now, Git: e.intel, GitAhead: o.CollectGit, Tuning: o.Tuning, Providers: o.Providers, Own: o.Context, Team: o.Team,
	}
	if o.Memory != nil {
		searching.Memory = e.records
	}
	if o.Journal.Logs() != nil {
		searching.Conversations = e.past
	}
	e.searcher = search.New(searching)
	e.keeper = indexing.New(o.Index, e.log)
	e.contexts = assemble.New(assemble.Options{Index: o.Index, Searcher: e.searcher, Records: e.records, Log: e.log})
	e.reasoner = reason.New(reason.Options{
		Facts: &evidence.Parts{Index: o.Index, Searcher: e.searcher, Intel: e.intel, Records: e.records, Log: e.log}, Past: e.past, Memory: o.Memory,
		Usage: e.meter, Log: e.log, Now: e.now, Reread: o.Reread, Models: o.Models, ModelsError: o.ModelsError, Journal: o.Journal, Agents: o.Agents,
		Tests: o.Tests, MaxQuery: o.MaxQuery, NoSignals: o.NoSignals,
	})
}

// Close ends what runs behind answers, such as blames that outlived their hover, and waits for it. The index and the
// memory belong to the one that opened them.
func (e *Engine) Close() error {
	e.reasoner.Close()
	err := errors.Join(e.intel.Close(), e.vectors.Close())
	e.records.Close()
	e.meter.Close()
	return err
}
