package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/aurora-sidecar/aurora/engine/search"
	"github.com/aurora-sidecar/aurora/index/git"
	"github.com/aurora-sidecar/aurora/memory"
)

// MigrateEmbeddings asks the endpoint for every vector that is missing, see package semantic.
func (e *Engine) MigrateEmbeddings(ctx context.Context, rebuild bool, tell func(done, total int)) (*EmbeddingCounts, error) {
	return e.vectors.Migrate(ctx, rebuild, tell)
}

// IndexConversations catches up with the files of conversations and counts the sections that can be found (IDX-090).
func (e *Engine) IndexConversations(ctx context.Context) (int, error) {
	book, index := e.opts.Conversations, e.opts.Memory
	if book == nil || index == nil {
		return 0, nil
	}
	if err := book.Sync(ctx, index); err != nil {
		return 0, fmt.Errorf("index conversations: %w", err)
	}
	return index.LoggedSections(ctx)
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

func (e *Engine) searchOptions() search.Options {
	o := search.Options{
		Index: e.opts.Index, Vectors: e.vectors, Log: e.log, Now: e.now, Git: gitFacts{e}, Tuning: e.opts.Tuning, Providers: e.opts.Providers,
		Own: e.opts.Context, Fusion: e.opts.Fusion, RecallFrom: e.opts.RecallFrom,
	}
	if e.opts.Memory != nil {
		o.Memory = recordsOf{e}
	}
	if e.opts.Conversations != nil {
		o.Conversations = conversationsOf{e}
	}
	return o
}

// gitFacts, recordsOf and conversationsOf are what a search asks of the engine.
type (
	gitFacts        struct{ engine *Engine }
	recordsOf       struct{ engine *Engine }
	conversationsOf struct{ engine *Engine }
)

func (g gitFacts) Repo(ctx context.Context, folder string) (*git.Repo, error) {
	return g.engine.repos.open(ctx, folder)
}
func (g gitFacts) AddGit(ctx context.Context, hits []Hit) { g.engine.addGit(ctx, hits) }

func (r recordsOf) Recall(ctx context.Context, q memory.Query) ([]memory.Hit, error) {
	return r.engine.recall(ctx, q)
}
func (r recordsOf) Decays(h *memory.Hit) bool { return r.engine.decays(h) }

func (c conversationsOf) Conversations(ctx context.Context, query string, limit int) []memory.LogHit {
	return c.engine.conversations(ctx, query, limit)
}
func (c conversationsOf) ConversationHit(ctx context.Context, at memory.LogHit) *Hit {
	return c.engine.conversationHit(ctx, at)
}
