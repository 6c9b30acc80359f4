package search

import (
	"cmp"

	"github.com/aurora-sidecar/aurora/engine/fault"
)

// Tuning is what can be changed of searches and contexts while an engine is in use. What is zero has its default.
type Tuning struct {
	Limit         int     // hits of a request that names no limit; 0 means 10
	MinScore      float64 // least score of a request that names none, 0..1
	ContextTokens int     // tokens of a context that names no budget; 0 means 4000
}

// Tune applies to every request that begins from now on.
func (e *Searcher) Tune(t Tuning) {
	t.Limit = cmp.Or(t.Limit, fault.DefaultLimit)
	e.tuning.Store(&t)
}

// Tuned returns the effective settings.
func (e *Searcher) Tuned() Tuning { return *e.tuning.Load() }
