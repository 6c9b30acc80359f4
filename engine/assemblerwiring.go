package engine

import (
	"context"
	"log/slog"

	"github.com/aurora-sidecar/aurora/engine/search"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/memory"
)

// assemblerOptions wires an assembler.
type assemblerOptions struct {
	index    *index.Index
	searcher *search.Searcher
	records  recordsAbout
	log      *slog.Logger
}

// recordsAbout finds what memory holds about code.
type recordsAbout interface {
	// Citing returns the records about a hit: those that cite its id or one of the others, or a line of its range.
	Citing(ctx context.Context, hit Hit, ids []string) ([]memory.Hit, error)
}

// An assembler makes contexts. All methods may be called from several goroutines.
type assembler struct {
	assemblerOptions
	readers readers
}

func newAssembler(o assemblerOptions) *assembler { return &assembler{assemblerOptions: o} }
