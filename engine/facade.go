package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/aurora-sidecar/aurora/index/git"
	"github.com/aurora-sidecar/aurora/memory"
)

// MigrateEmbeddings asks the endpoint for every vector that is missing, see package semantic.
func (e *Engine) MigrateEmbeddings(ctx context.Context, rebuild bool, tell func(done, total int)) (*EmbeddingCounts, error) {
	return e.vectors.migrate(ctx, rebuild, tell)
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
	result, err := e.searcher.search(ctx, r)
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
	return e.searcher.symbols(ctx, query, limit)
}

// Locate finds the code that people name by symbol or line, in the text as it is now.
func (e *Engine) Locate(ctx context.Context, r LocateRequest) (*Location, error) {
	return e.searcher.locate(ctx, r)
}

// Providers tells of all providers, in the order in which they are asked.
func (e *Engine) Providers() []ProviderStatus { return e.searcher.providerStatuses() }

// Tune applies settings to every request that begins from now on.
func (e *Engine) Tune(t Tuning) { e.searcher.tune(t) }

// reread gives the settings another look before something is asked.
func (e *Engine) reread() {
	if e.opts.Reread != nil {
		e.opts.Reread()
	}
}

func (e *Engine) searchOptions() searchOptions {
	o := searchOptions{
		index: e.opts.Index, vectors: e.vectors, log: e.log, now: e.now, git: gitFacts{e}, tuning: e.opts.Tuning, providers: e.opts.Providers,
		own: e.opts.Context, fusion: e.opts.Fusion, recallFrom: e.opts.RecallFrom,
	}
	if e.opts.Memory != nil {
		o.memory = recordsOf{e}
	}
	if e.opts.Conversations != nil {
		o.conversations = conversationsOf{e}
	}
	return o
}

// gitFacts, recordsOf and conversationsOf are what a search asks of the engine.
type (
	gitFacts        struct{ *Engine }
	recordsOf       struct{ *Engine }
	conversationsOf struct{ *Engine }
)

func (g gitFacts) Repo(ctx context.Context, folder string) (*git.Repo, error) {
	return g.repos.open(ctx, folder)
}
func (g gitFacts) AddGit(ctx context.Context, hits []Hit) { g.addGit(ctx, hits) }

func (r recordsOf) Recall(ctx context.Context, q memory.Query) ([]memory.Hit, error) {
	return r.recall(ctx, q)
}
func (r recordsOf) Decays(h *memory.Hit) bool { return r.decays(h) }

func (c conversationsOf) Conversations(ctx context.Context, query string, limit int) []memory.LogHit {
	return c.conversations(ctx, query, limit)
}
func (c conversationsOf) ConversationHit(ctx context.Context, at memory.LogHit) *Hit {
	return c.conversationHit(ctx, at)
}
