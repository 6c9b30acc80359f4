package engine

import (
	"context"
	"encoding/json"
	"time"

	"github.com/aurora-sidecar/aurora/engine/assemble"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/memory"
)

// MigrateEmbeddings asks the endpoint for every vector that is missing, see package semantic.
func (e *Engine) MigrateEmbeddings(ctx context.Context, rebuild bool, tell func(done, total int)) (*EmbeddingCounts, error) {
	return e.vectors.Migrate(ctx, rebuild, tell)
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
		e.meter.retrieved(retrieval{op: memory.OpSearch, agent: r.Agent}, hits, 0, time.Since(start), err)
	}
	return result, err
}

// About returns for each hit the memory records that cite it.
func (e *Engine) About(ctx context.Context, hits []Hit) ([][]Hit, error) {
	return e.records.About(ctx, hits)
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

// reread gives the settings another look before something is asked.
func (e *Engine) reread() {
	if e.opts.Reread != nil {
		e.opts.Reread()
	}
}

// IndexConversations catches up with the files of conversations and counts the sections that can be found.
func (e *Engine) IndexConversations(ctx context.Context) (int, error) { return e.past.Index(ctx) }

// Remember stores a record that searches, hovers and answers then find, see package recall.
func (e *Engine) Remember(ctx context.Context, r RememberRequest) (id string, created bool, err error) {
	return e.records.Remember(ctx, r)
}

// Use records what a person did with hits; it is what activation learns from. value counts for "rated" only, -1..1.
func (e *Engine) Use(ctx context.Context, ids []string, action string, value float64) error {
	return e.records.Use(ctx, ids, action, value)
}

// Edited records that a person edited a file at some offsets of its present text.
func (e *Engine) Edited(ctx context.Context, path string, offsets []int) error {
	return e.records.Edited(ctx, path, offsets)
}

// Records returns the memory records that are most active in this workspace, at most limit.
func (e *Engine) Records(ctx context.Context, limit int) ([]Hit, error) {
	return e.records.Records(ctx, limit)
}

// Record returns one memory record.
func (e *Engine) Record(ctx context.Context, id string) (*Hit, error) {
	return e.records.Record(ctx, id)
}

// RecordEntry returns the record with the id as lists show it.
func (e *Engine) RecordEntry(ctx context.Context, id string) (*RecordEntry, error) {
	return e.records.RecordEntry(ctx, id)
}

// ListRecords returns the records of a view, the newest first, and how many there are.
func (e *Engine) ListRecords(ctx context.Context, view string, limit int) ([]RecordEntry, int, error) {
	return e.records.ListRecords(ctx, view, limit)
}

// Revise changes a record and returns its id.
func (e *Engine) Revise(ctx context.Context, id string, r Revision) (string, error) {
	return e.records.Revise(ctx, id, r)
}

// Forget removes records from every answer; Restore brings them back for memory.KeepForgotten.
func (e *Engine) Forget(ctx context.Context, ids []string) (Removal, error) {
	return e.records.Forget(ctx, ids)
}

// Restore undoes Forget and returns the ids of the records that came back.
func (e *Engine) Restore(ctx context.Context, ids []string) ([]string, error) {
	return e.records.Restore(ctx, ids)
}

// Forgotten lists what Restore can bring back, the latest first: at most limit, and how many there are.
func (e *Engine) Forgotten(ctx context.Context, limit int) ([]ForgottenRecord, int, error) {
	return e.records.Forgotten(ctx, limit)
}

// Hover returns the memory card of the symbol at a place, nil when nothing is known of it.
func (e *Engine) Hover(ctx context.Context, p Place) (*HoverResult, error) {
	return e.intel.Hover(ctx, p)
}

// Lens says in one line who uses the definition at a place, when it changed, and how much is remembered about it.
func (e *Engine) Lens(ctx context.Context, p Place) (string, error) { return e.intel.Lens(ctx, p) }

// Outline returns the definitions in the present text of a file, in their order.
func (e *Engine) Outline(ctx context.Context, path string) ([]Hit, error) {
	return e.intel.Outline(ctx, path)
}

// Actions lists what can be done with a selection or at the cursor.
func (e *Engine) Actions(ctx context.Context, s Selection) ([]Action, error) {
	return e.intel.Actions(ctx, s)
}

// Related returns the neighbours of a symbol in the directions asked for.
func (e *Engine) Related(ctx context.Context, r RelatedRequest) (*RelatedResult, error) {
	return e.intel.Related(ctx, r)
}

// CodeChunk returns a definition of the index as a chunk of code, in JSON that keeps to the schema.
func (e *Engine) CodeChunk(ctx context.Context, id string) (json.RawMessage, error) {
	return e.intel.CodeChunk(ctx, id)
}

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
		e.meter.retrieved(retrieval{memory.OpContext, r.Agent, assemble.TaskID(r.Task)}, hits, tokens, time.Since(start), err)
	}
	return result, err
}

// Audit looks through all of memory.
func (e *Engine) Audit(ctx context.Context) (*Audit, error) { return e.records.Audit(ctx) }

// Maintain forgets what the audit found expired, and returns how many records that were.
func (e *Engine) Maintain(ctx context.Context, a *Audit) (int, error) {
	return e.records.Maintain(ctx, a)
}

// AddText puts a text into the index, in place of the file's own, until DropText; without one it has the file read again.
func (e *Engine) AddText(ctx context.Context, r TextRequest) (*TextResult, error) {
	return e.keeper.AddText(ctx, r)
}

// DropText takes back what AddText gave.
func (e *Engine) DropText(ctx context.Context, path string) (*TextResult, error) {
	return e.keeper.DropText(ctx, path)
}

// Refresh re-reads files or folders; no paths means the whole workspace. force parses unchanged files, too.
func (e *Engine) Refresh(ctx context.Context, paths []string, force bool) (index.JobInfo, error) {
	return e.keeper.Refresh(ctx, paths, force)
}

// Rebuild throws the stored index away, in whole or below some paths, and makes it again.
func (e *Engine) Rebuild(ctx context.Context, r RebuildRequest) (*RebuildResult, error) {
	return e.keeper.Rebuild(ctx, r)
}

// Job tells how a rebuild is.
func (e *Engine) Job(id string) (index.Job, error) { return e.keeper.Job(id) }

// WaitJob returns when a rebuild has ended.
func (e *Engine) WaitJob(ctx context.Context, id string) (index.Job, error) {
	return e.keeper.WaitJob(ctx, id)
}

// CancelRebuild ends a rebuild; what was indexed so far stays usable.
func (e *Engine) CancelRebuild(id string) (index.Job, error) { return e.keeper.CancelRebuild(id) }

// Account returns all that is known of the record with the id; its citations are checked.
func (e *Engine) Account(ctx context.Context, id string) (*Account, error) {
	return e.records.Account(ctx, id)
}
