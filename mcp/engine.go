package mcp

import (
	"context"

	"github.com/aurora-sidecar/aurora/engine"
)

// A Workspace is what a session works on.
type Workspace struct {
	Engine Engine
	Root   string // canonical folder; every path has to lie in it
	Sample bool   // questions may go to the model of the client's host (llm.mode mcp_integrated)
}

// An Opener finds the workspace of a session, before each of its requests. roots asks the client for the folders that it
// works on, nil when it does not tell; only an opener that knows no folder by itself needs to.
type Opener func(ctx context.Context, roots func(context.Context) []string) (*Workspace, error)

// An Engine is the facade as tools use it: an *engine.Engine in this process, or one in the daemon of the workspace.
type Engine interface {
	// Ready waits until the workspace is indexed or ctx ends.
	Ready(ctx context.Context) error
	// Flush waits until everything that was asked for so far is in the index.
	Flush(ctx context.Context) error

	Search(context.Context, engine.SearchRequest) (*engine.SearchResult, error)
	Context(context.Context, engine.ContextRequest) (*engine.ContextResult, error)
	Locate(context.Context, engine.LocateRequest) (*engine.Location, error)
	Related(context.Context, engine.RelatedRequest) (*engine.RelatedResult, error)
	Query(context.Context, engine.QueryRequest, func(engine.Progress)) (*engine.QueryResult, error)
	Assess(ctx context.Context, query string, by engine.Caller) (*engine.Assessment, error)
	Decompose(context.Context, engine.QueryRequest, func(engine.Progress)) (*engine.Decomposition, error)
	Verify(context.Context, engine.VerifyRequest, func(engine.Progress)) (*engine.Verification, error)
	Remember(context.Context, engine.RememberRequest) (id string, created bool, err error)
	Forget(ctx context.Context, ids []string) (engine.Removal, error)
	Records(ctx context.Context, limit int) ([]engine.Hit, error)
	Record(ctx context.Context, id string) (*engine.Hit, error)
	Conversations(ctx context.Context, limit int) ([]engine.LoggedConversation, error)
	Conversation(ctx context.Context, name string) (*engine.LoggedConversation, error)
	Status(context.Context) (*engine.Status, error)
	Refresh(ctx context.Context, paths []string, force bool) (engine.JobInfo, error)
	Rebuild(context.Context, engine.RebuildRequest) (*engine.RebuildResult, error)
	Job(ctx context.Context, id string) (engine.Job, error)
	WaitJob(ctx context.Context, id string) (engine.Job, error)
	CancelRebuild(ctx context.Context, id string) (engine.Job, error)
}
