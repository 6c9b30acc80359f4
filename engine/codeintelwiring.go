package engine

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/memory"
)

// intelOptions wires intel.
type intelOptions struct {
	index      *index.Index
	log        *slog.Logger
	now        func() time.Time
	records    recordsAbout
	store      memory.Store  // of activations; nil without a memory
	collectGit bool          // git's history is read ahead
	hoverWait  time.Duration // see usualHoverWait, which 0 means
}

// recordsAbout finds what memory holds about code.
type recordsAbout interface {
	// Citing returns the records about a hit: those that cite its id or one of the others, or a line of its range.
	Citing(ctx context.Context, hit Hit, ids []string) ([]memory.Hit, error)
}

// intel knows facts about places in files. All methods may be called from several goroutines.
type intel struct {
	intelOptions
	repos   *repositories
	signals *signals
}

// newIntel starts nothing but, with collectGit, a worker after each index run; else git runs when it is first asked.
func newIntel(o intelOptions) *intel {
	o.hoverWait = cmp.Or(o.hoverWait, usualHoverWait)
	e := &intel{intelOptions: o, repos: newRepositories(o.log)}
	e.signals = newSignals(e)
	if o.collectGit {
		e.signals.Follow(o.index)
	}
	return e
}

// waitForSignals returns when git's history is not being read ahead.
func (e *intel) waitForSignals(ctx context.Context) error { return e.signals.Wait(ctx) }

// close ends what runs behind answers, such as blames that outlived their hover, and waits for it.
func (e *intel) close() error {
	e.signals.Close()
	return e.repos.close()
}
