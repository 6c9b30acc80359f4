package engine

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/git"
	"github.com/aurora-sidecar/aurora/internal/obs"
	"github.com/aurora-sidecar/aurora/memory"
)

// searchOptions wires a searcher.
type searchOptions struct {
	index   *index.Index
	vectors *vectors
	log     *slog.Logger
	now     func() time.Time

	memory        recordSource       // nil without a memory
	conversations conversationSource // nil when no conversations are kept
	git           gitSource

	tuning     Tuning
	providers  map[string]ProviderSettings // by id; what is missing has its defaults
	own        []ContextProvider
	fusion     string  // one of Fusions; "" means by rules
	recallFrom float64 // probability of recall from which memory is no weak answer; 0 means the usual one
}

// A recordSource finds memory records.
type recordSource interface {
	// Recall returns the records of this workspace and of none, with what became of the code that they cite.
	Recall(context.Context, memory.Query) ([]memory.Hit, error)
	// Decays reports whether a lifespan policy lets the record fade.
	Decays(*memory.Hit) bool
}

// A conversationSource finds places in earlier conversations.
type conversationSource interface {
	Conversations(ctx context.Context, query string, limit int) []memory.LogHit
	// ConversationHit shows a place, nil when its file is gone.
	ConversationHit(context.Context, memory.LogHit) *Hit
}

// A repositoryOf opens the git repository around a folder.
type repositoryOf interface {
	Repo(ctx context.Context, folder string) (*git.Repo, error)
}

// A gitSource knows the history of code.
type gitSource interface {
	repositoryOf
	AddGit(context.Context, []Hit) // fills in Hit.Git
}

// A searcher finds and ranks chunks and records. All methods may be called from several goroutines.
type searcher struct {
	index         *index.Index
	vectors       *vectors
	log           *slog.Logger
	now           func() time.Time
	memory        recordSource
	conversations conversationSource
	git           gitSource
	fusion        string
	recallFrom    float64

	providers *registry
	latency   obs.Latency
	tuning    atomic.Pointer[Tuning]
}

func newSearcher(o searchOptions) *searcher {
	e := &searcher{
		index: o.index, vectors: o.vectors, log: o.log, now: o.now, memory: o.memory, conversations: o.conversations, git: o.git,
		fusion: o.fusion, recallFrom: o.recallFrom, providers: newRegistry(o.providers),
	}
	e.tune(o.tuning)
	e.addOwn(o.own)
	return e
}
