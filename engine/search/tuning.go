package search

import (
	"cmp"

	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/index/lexical"
)

// Tuning is what can be changed of searches and contexts while an engine is in use. What is zero has its default.
type Tuning struct {
	BM25          lexical.Params // of the keyword score; the zero value means lexical.DefaultParams
	Limit         int            // hits of a request that names no limit; 0 means 10
	MinScore      float64        // least score of a request that names none, 0..1
	Pool          int            // chunks that words propose at least; 0 means 300
	ContextTokens int            // tokens of a context that names no budget; 0 means 4000

	// A context fails when a provider does; otherwise it is made of what the others found.
	Complete bool

	// How much likeness of meaning and activation count, 0..1 with a sum of 1. The zero value is that of halves, which
	// leave both as they were tuned.
	Semantic, Activation float64
}

func (t Tuning) withDefaults() Tuning {
	t.Limit, t.Pool = cmp.Or(t.Limit, fault.DefaultLimit), cmp.Or(t.Pool, minPool)
	if t.Semantic == 0 && t.Activation == 0 {
		t.Semantic, t.Activation = 0.5, 0.5
	}
	return t
}

// Tune applies to every request that begins from now on.
func (e *Searcher) Tune(t Tuning) {
	t = t.withDefaults()
	e.tuning.Store(&t)
}

// Tuned returns the effective settings.
func (e *Searcher) Tuned() Tuning { return *e.tuning.Load() }
