package engine

import (
	"log/slog"
	"time"

	"github.com/aurora-sidecar/aurora/engine/budget"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/internal/obs"
	"github.com/aurora-sidecar/aurora/memory"
)

// Options wires an Engine.
type Options struct {
	Index  *index.Index
	Memory memory.Store
	Models *Models // nil answers without a model
	// MaxQuery is the longest question in characters; 0 means 10,000.
	MaxQuery int
	Budget   *budget.Tracker // of what models cost; nil keeps no account
	// ModelsError says why there are no models although the settings name one.
	ModelsError error
	Log         *slog.Logger     // nil discards
	Now         func() time.Time // nil means time.Now
	Version     string
}

// An Engine answers. All methods may be called from several goroutines.
type Engine struct {
	opts    Options
	log     *slog.Logger
	now     func() time.Time
	repos   *repositories
	latency obs.Latency // of searches
	health  health

	hoverWait time.Duration // see usualHoverWait
}

// New returns an Engine over an index and a memory. It starts nothing; git runs when it is first asked.
func New(opts Options) *Engine {
	e := &Engine{opts: opts, log: opts.Log, now: opts.Now, hoverWait: usualHoverWait}
	if e.log == nil {
		e.log = slog.New(slog.DiscardHandler)
	}
	if e.now == nil {
		e.now = time.Now
	}
	e.repos = newRepositories(e.log)
	return e
}

// Close ends what runs behind answers, such as blames that outlived their hover, and waits for it. The index and the
// memory belong to whoever opened them.
func (e *Engine) Close() error { return e.repos.close() }

// Index returns the index under the engine, for the doors' document notifications.
func (e *Engine) Index() *index.Index { return e.opts.Index }

// The methods that the doors call:
//
//	Search(ctx, SearchRequest) (*SearchResult, error)
//	Symbols(ctx, query string, limit int) (*SearchResult, error)      // workspace/symbol: exact and fuzzy names first
//	Hover(ctx, Place) (*HoverResult, error)                           // nil, nil when nothing is known
//	Actions(ctx, Selection) ([]Action, error)
//	Context(ctx, ContextRequest) (*ContextResult, error)
//	Query(ctx, QueryRequest, func(Progress)) (*QueryResult, error)    // the func may be nil
//	Related(ctx, RelatedRequest) (*RelatedResult, error)
//	Remember(ctx, RememberRequest) (id string, created bool, err error)
//	Forget(ctx, ids []string) (int, error)
//	Use(ctx, ids []string, action string, value float64) error
//	Refresh(ctx, paths []string, force bool) (index.JobInfo, error)
//	Status(ctx) (*Status, error)
