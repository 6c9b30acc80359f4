package search

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/aurora-sidecar/aurora/engine/search/shared"
	"github.com/aurora-sidecar/aurora/engine/semantic"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/git"
	"github.com/aurora-sidecar/aurora/internal/obs"
	"github.com/aurora-sidecar/aurora/memory"
)

// Options wires a searcher.
type Options struct {
	Index   *index.Index
	Vectors *semantic.Vectors
	Log     *slog.Logger
	Now     func() time.Time

	Memory        recordSource       // nil without a memory
	Conversations conversationSource // nil when no conversations are kept
	Git           gitSource
	GitAhead      bool // git's history is read ahead, so that no search reads it

	Team      *shared.Team // a search server of the team; nil for none
	Tuning    Tuning
	Providers map[string]ProviderSettings // by id; what is missing has its defaults
	Own       []ContextProvider
}

// A recordSource finds memory records.
type recordSource interface {
	// Recall returns the records of this workspace and of none, with what became of the code that they cite.
	Recall(context.Context, memory.Query) ([]memory.Hit, error)
	// Scope are the workspaces whose records may be shown; without any all may.
	Scope(context.Context) []string
	// Decays reports whether a lifespan policy lets the record fade.
	Decays(*memory.Hit) bool
}

// A conversationSource finds places in earlier conversations.
type conversationSource interface {
	Conversations(ctx context.Context, query string, limit int) []memory.LogHit
	// ConversationHit shows a place, nil when its file is gone.
	ConversationHit(context.Context, memory.LogHit) *snippet.Hit
}

// A repositoryOf opens the git repository around a folder.
type repositoryOf interface {
	Repo(ctx context.Context, folder string) (*git.Repo, error)
}

// A gitSource knows the history of code.
type gitSource interface {
	repositoryOf
	AddGit(context.Context, []snippet.Hit) // fills in Hit.Git
}

// A Searcher finds and ranks chunks and records. All methods may be called from several goroutines.
type Searcher struct {
	index         *index.Index
	vectors       *semantic.Vectors
	log           *slog.Logger
	now           func() time.Time
	memory        recordSource
	conversations conversationSource
	git           gitSource
	gitAhead      bool
	team          *shared.Team

	providers *registry
	Latency   obs.Latency
	tuning    atomic.Pointer[Tuning]
	levels    levelCache
}

// New returns a Searcher of what the options name.
func New(o Options) *Searcher {
	e := &Searcher{
		index: o.Index, vectors: o.Vectors, log: o.Log, now: o.Now, memory: o.Memory, conversations: o.Conversations, git: o.Git, gitAhead: o.GitAhead, team: o.Team,
		providers: newRegistry(o.Providers),
	}
	e.Tune(o.Tuning)
	e.addOwn(o.Own)
	return e
}

// HasServer reports whether there is a search server of the team to ask.
func (e *Searcher) HasServer() bool { return e.team != nil }
