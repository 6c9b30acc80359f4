package engine

import (
	"context"
	"time"

	"github.com/aurora-sidecar/aurora/engine/assemble"
	"github.com/aurora-sidecar/aurora/engine/capture"
	"github.com/aurora-sidecar/aurora/engine/codeintel"
	"github.com/aurora-sidecar/aurora/engine/indexing"
	"github.com/aurora-sidecar/aurora/engine/reason"
	"github.com/aurora-sidecar/aurora/engine/recall"
	"github.com/aurora-sidecar/aurora/engine/search"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/engine/usage"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/memory"
)

// The parts that answer by themselves.

// Index returns the index under the engine, for the doors' document notifications.
func (e *Engine) Index() *index.Index { return e.opts.Index }

// Memory returns the records of memory: to remember, list, change, forget and audit them.
func (e *Engine) Memory() *recall.Records { return e.records }

// Conversations returns what was asked and answered before, as far as it was written down.
func (e *Engine) Conversations() *recall.Conversations { return e.past }

// Code returns what is known of places in files: hovers, lenses, outlines, actions and neighbours.
func (e *Engine) Code() *codeintel.Intel { return e.intel }

// Capture returns what finds decisions in commits, to be remembered.
func (e *Engine) Capture() *capture.Finder { return e.offers }

// Indexing returns what keeps the index up to date: refreshes, rebuilds, and texts of doors without an editor.
func (e *Engine) Indexing() *indexing.Keeper { return e.keeper }

// Reasoner returns what answers, plans and reviews.
func (e *Engine) Reasoner() *reason.Reasoner { return e.reasoner }

// Usage returns what counts what the engine does.
func (e *Engine) Usage() *usage.Meter { return e.meter }

// SearchServer returns what answers searches of other people over repositories that the index holds.
func (e *Engine) SearchServer(hosted []search.Hosted) *search.Server {
	return search.NewServer(e.searcher, hosted)
}

// Search finds chunks and memory records. Exact identifiers come first, then whatever the words match, code and
// memory together. Every hit shows the text that its file or buffer holds now.
//
// It fails with Invalid on parameters out of range, and with the context's error when ctx ends.
func (e *Engine) Search(ctx context.Context, r SearchRequest) (*SearchResult, error) {
	start := time.Now()
	e.reread()
	result, err := e.searcher.Search(ctx, r)
	if ctx.Err() == nil {
		var hits []Hit
		if err == nil {
			hits = result.Hits
		}
		e.meter.Retrieved(usage.Retrieval{Op: memory.OpSearch, Agent: r.Agent}, hits, 0, time.Since(start), err)
	}
	return result, err
}

// Symbols is search in the manner of workspace/symbol, see package search.
func (e *Engine) Symbols(ctx context.Context, query string, limit int) (*SearchResult, error) {
	e.reread()
	return e.searcher.Symbols(ctx, query, limit)
}

// Locate finds the code that people name by symbol or line, in the text as it is now.
func (e *Engine) Locate(ctx context.Context, r LocateRequest) (*Location, error) {
	return e.searcher.Locate(ctx, r)
}

// Providers tells of all providers, in the order in which they are asked.
func (e *Engine) Providers() []ProviderStatus { return e.searcher.Providers() }

// Tune applies settings to every request that begins from now on.
func (e *Engine) Tune(t Tuning) { e.searcher.Tune(t) }

// Seen makes the ranges of hits those of a client's own unsaved texts, see package snippet.
func (e *Engine) Seen(own Buffers, hits []Hit) { snippet.Seen(e.opts.Index, own, hits) }

// Context assembles prompt-ready context within a budget of tokens: the selected code first, then what a search for the
// query or goal finds, the neighbours of both in the graph of calls, and what is remembered. What deserves a place but no
// block of its own is shown by its most telling lines. Tokens.Total is counted on the final text and never exceeds the
// budget.
//
// It fails with Invalid on parameters out of range, and when there is neither a query, a goal nor a selection.
func (e *Engine) Context(ctx context.Context, r ContextRequest) (*ContextResult, error) {
	start := time.Now()
	e.reread()
	result, err := e.contexts.Assemble(ctx, r)
	if ctx.Err() == nil {
		var hits []Hit
		tokens := 0
		if err == nil {
			hits, tokens = result.Snippets, result.Tokens.Total
		}
		e.meter.Retrieved(usage.Retrieval{Op: memory.OpContext, Agent: r.Agent, Task: assemble.TaskID(r.Task)}, hits, tokens, time.Since(start), err)
	}
	return result, err
}

// Query answers a question, see package reason. sink, which may be nil, is told when each phase begins and ends, from this
// goroutine.
func (e *Engine) Query(ctx context.Context, r QueryRequest, sink func(Progress)) (*QueryResult, error) {
	return e.reasoner.Query(ctx, r, sink)
}

// FillRecordVectors makes at once what the background would make: the vectors of all records of memory that have none.
func (e *Engine) FillRecordVectors(ctx context.Context) error { return e.vectors.FillRecords(ctx) }

// MigrateEmbeddings asks the endpoint for every vector that is missing, see package semantic.
func (e *Engine) MigrateEmbeddings(ctx context.Context, rebuild bool, tell func(done, total int)) (*EmbeddingCounts, error) {
	return e.vectors.Migrate(ctx, rebuild, tell)
}

// reread gives the settings another look before something is asked.
func (e *Engine) reread() {
	if e.opts.Reread != nil {
		e.opts.Reread()
	}
}
