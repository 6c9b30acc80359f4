package codeintel

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"github.com/aurora-sidecar/aurora/engine/codeintel/finding"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/memory"
)

// Options wires intel.
type Options struct {
	Index      *index.Index
	Log        *slog.Logger
	Now        func() time.Time
	Records    recordsAbout
	Store      activations   // nil without a memory
	CollectGit bool          // git's history is read ahead
	HoverWait  time.Duration // see usualHoverWait, which 0 means
}

// activations are what people did with code.
type activations interface {
	Use(ctx context.Context, ids []string, what memory.Use, value float64) error
	Activation(ctx context.Context, ids []string) (map[string]float64, error)
	Rename(ctx context.Context, ids map[string]string) error
}

// recordsAbout finds what memory holds about code.
type recordsAbout interface {
	// Citing returns the records about a hit: those that cite its id or one of the others, or a line of its range.
	Citing(ctx context.Context, hit snippet.Hit, ids []string) ([]memory.Hit, error)
}

// Intel knows facts about places in files. All methods may be called from several goroutines.
type Intel struct {
	Options
	repos   *repositories
	signals *signals
	scopes  *scopeCache
	found   finding.Seen
}

// New starts nothing but, with collectGit, a worker after each index run; else git runs when it is first asked.
func New(o Options) *Intel {
	o.HoverWait = cmp.Or(o.HoverWait, usualHoverWait)
	e := &Intel{Options: o, repos: newRepositories(o.Log), scopes: newScopeCache()}
	e.signals = newSignals(e)
	if o.CollectGit {
		e.signals.Follow(o.Index)
	}
	return e
}

// WaitForSignals returns when git's history has been read ahead, and is not being read again.
func (e *Intel) WaitForSignals(ctx context.Context) error { return e.signals.WaitOnce(ctx) }

// Close ends what runs behind answers, such as blames that outlived their hover, and waits for it.
func (e *Intel) Close() error {
	e.signals.Close()
	return e.repos.close()
}
