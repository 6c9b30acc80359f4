package indexing

import (
	"log/slog"

	"github.com/aurora-sidecar/aurora/index"
)

// An Keeper refreshes and rebuilds an index, and puts texts into it. All methods may be called from several goroutines.
type Keeper struct {
	index *index.Index
	log   *slog.Logger
	texts givenTexts
}

func New(x *index.Index, log *slog.Logger) *Keeper {
	return &Keeper{index: x, log: log}
}
