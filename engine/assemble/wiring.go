package assemble

import (
	"context"
	"log/slog"

	"github.com/aurora-sidecar/aurora/engine/search"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/memory"
)

// Options wires an assembler.
type Options struct {
	Index    *index.Index
	Searcher *search.Searcher
	Records  recordsAbout
	Log      *slog.Logger
}

// recordsAbout finds what memory holds about code.
type recordsAbout interface {
	// Citing returns the records about a hit: those that cite its id or one of the others, or a line of its range.
	Citing(ctx context.Context, hit snippet.Hit, ids []string) ([]memory.Hit, error)
	// About returns for each hit the records that cite it.
	About(ctx context.Context, hits []snippet.Hit) ([][]snippet.Hit, error)
}

// An Assembler makes contexts. All methods may be called from several goroutines.
type Assembler struct {
	Options
	readers readers
}

func New(o Options) *Assembler { return &Assembler{Options: o} }
