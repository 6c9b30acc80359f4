package workspace

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/lsp/daemon"
)

// An Asker answers questions about a project. An engine in this process is one, the project's daemon another.
type Asker interface {
	Search(context.Context, engine.SearchRequest) (*engine.SearchResult, error)
	Query(context.Context, engine.QueryRequest, func(engine.Progress)) (*engine.QueryResult, error)
	Related(context.Context, engine.RelatedRequest) (*engine.RelatedResult, error)
	Context(context.Context, engine.ContextRequest) (*engine.ContextResult, error)
	Locate(context.Context, engine.LocateRequest) (*engine.Location, error)
	Status(context.Context) (*engine.Status, error)
	Rebuild(context.Context, engine.RebuildRequest) (*engine.RebuildResult, error)
	WaitJob(ctx context.Context, id string) (index.Job, error)
}

// Answers are a project that can be asked.
type Answers struct {
	Asker
	Root     string
	Settings *config.Settings
	Daemon   *daemon.Info // who answers; nil for this process
	Session  *Session     // nil when a daemon answers
	Close    func()
}

// OpenAnswers opens the project around the current folder and waits until it is indexed, at most timeout. When a
// daemon serves just this project, it answers: it has the index at hand and knows what is not saved yet. None is
// started.
func OpenAnswers(ctx context.Context, c *app.App, timeout time.Duration) (*Answers, error) {
	collectLate()
	if a := askDaemon(ctx, c, timeout); a != nil {
		return a, ctx.Err()
	}
	s, err := OpenProject(ctx, c)
	if err != nil {
		return nil, err
	}
	if err := s.WaitReady(ctx, timeout); err != nil {
		s.Close()
		return nil, err
	}
	return &Answers{Asker: s.Engine, Root: s.Root, Settings: s.Settings, Session: s, Close: s.Close}, nil
}

// askDaemon returns nil when no daemon can answer for the project; opening it tells what is wrong, if anything is.
func askDaemon(ctx context.Context, c *app.App, timeout time.Duration) *Answers {
	root, err := ProjectRoot(c, ".")
	if err != nil {
		return nil
	}
	p := &Parts{}
	if err := LoadSettings(c, p, Wiring{Root: root}); err != nil || p.Home == "" {
		return nil
	}
	remote, info, err := FindDaemon(ctx, p, root)
	var stopped *daemon.StoppedError
	if errors.As(err, &stopped) {
		c.Warn(stopped.Error())
	}
	if remote == nil || remote.waitReady(ctx, timeout) != nil {
		return nil
	}
	for _, w := range p.Warnings {
		c.Warn(w)
	}
	return &Answers{Asker: remote, Root: root, Settings: p.Settings, Daemon: info, Close: func() {}}
}

// FindDaemon returns the daemon that serves root and nothing else; nil when there is none, and err says why that is so when it
// is there and does not answer.
func FindDaemon(ctx context.Context, p *Parts, root string) (*RemoteEngine, *daemon.Info, error) {
	build, err := BuildID()
	if err != nil {
		return nil, nil, err
	}
	place, err := daemonPlace(p, Workspace{Root: root, Folders: []string{root}}, build)
	if err != nil {
		return nil, nil, err
	}
	info, err := daemon.Inspect(ctx, place)
	if err != nil || !slices.Equal(info.Folders, []string{root}) {
		return nil, nil, err
	}
	return &RemoteEngine{place, build}, info, nil
}

// The calls that a daemon answers to commands of its own build.
const (
	CallReady   = "ready"
	callSearch  = "search"
	CallQuery   = "query"
	CallAnswer  = "answer" // to a question of an agent's
	callLent    = "lent"   // what a lent model replied
	callRelated = "related"
	callStatus  = "status"
	callRebuild = "rebuild"
	callWaitJob = "waitJob"
)

// Calls answers for the engine of p.
func (p *Parts) Calls() map[string]daemon.Handler {
	return map[string]daemon.Handler{
		CallReady: handler(func(ctx context.Context, _ struct{}, _ func(any)) (struct{}, error) {
			return struct{}{}, p.Index.WaitReady(ctx)
		}),
		callSearch: handler(func(ctx context.Context, r engine.SearchRequest, _ func(any)) (*engine.SearchResult, error) {
			return p.Engine.Search(ctx, r)
		}),
		CallQuery: handler(p.answerQuery),
		CallAnswer: handler(func(_ context.Context, r PersonReply, _ func(any)) (struct{}, error) {
			p.pending.answer(r)
			return struct{}{}, nil
		}),
		callLent: handler(func(_ context.Context, r lentReply, _ func(any)) (struct{}, error) {
			p.lent.answer(r)
			return struct{}{}, nil
		}),
		callRelated: handler(func(ctx context.Context, r engine.RelatedRequest, _ func(any)) (*engine.RelatedResult, error) {
			return p.Engine.Related(ctx, r)
		}),
		callRebuild: handler(func(ctx context.Context, r engine.RebuildRequest, _ func(any)) (*engine.RebuildResult, error) {
			return p.Engine.Rebuild(ctx, r)
		}),
		callWaitJob: handler(func(ctx context.Context, id string, _ func(any)) (index.Job, error) {
			return p.Engine.WaitJob(ctx, id)
		}),
		callStatus: handler(func(ctx context.Context, _ struct{}, _ func(any)) (*engine.Status, error) {
			return p.Engine.Status(ctx)
		}),
	}
}

// handler adapts a function of typed parameters.
func handler[P, R any](answer func(context.Context, P, func(any)) (R, error)) daemon.Handler {
	return func(ctx context.Context, params json.RawMessage, tell func(any)) (any, error) {
		var p P
		if err := json.Unmarshal(params, &p); err != nil {
			return nil, err
		}
		return answer(ctx, p, tell)
	}
}

// A RemoteEngine asks the engine of a daemon.
type RemoteEngine struct {
	Place daemon.Place
	Build string
}

// waitReady waits until the project is indexed, at most timeout; then what there is answers.
func (r *RemoteEngine) waitReady(ctx context.Context, timeout time.Duration) error {
	waiting, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	err := daemon.Call(waiting, r.Place, r.Build, CallReady, struct{}{}, &struct{}{}, nil)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return nil
	}
	return err
}

// Search implements asker.
func (r *RemoteEngine) Search(ctx context.Context, request engine.SearchRequest) (*engine.SearchResult, error) {
	request.Agent = cmp.Or(request.Agent, "cli")
	result := new(engine.SearchResult)
	return result, daemon.Call(ctx, r.Place, r.Build, callSearch, request, result, nil)
}

// Query implements asker.
func (r *RemoteEngine) Query(ctx context.Context, request engine.QueryRequest, sink func(engine.Progress)) (*engine.QueryResult, error) {
	request.Agent = cmp.Or(request.Agent, "cli")
	result := new(engine.QueryResult)
	var answering sync.WaitGroup
	defer answering.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // before Wait: a question that nobody waits for any more is taken back
	call := QueryCall{QueryRequest: request, Person: request.Ask != nil}
	if request.Models != nil {
		call.Lender = request.Models.Name
	}
	err := daemon.Call(ctx, r.Place, r.Build, CallQuery, call, result, r.told(ctx, request.Caller, sink, &answering))
	return result, err
}

// Related implements asker.
func (r *RemoteEngine) Related(ctx context.Context, request engine.RelatedRequest) (*engine.RelatedResult, error) {
	result := new(engine.RelatedResult)
	return result, daemon.Call(ctx, r.Place, r.Build, callRelated, request, result, nil)
}

// Context implements asker and mcp.Engine.
func (r *RemoteEngine) Context(ctx context.Context, request engine.ContextRequest) (*engine.ContextResult, error) {
	result := new(engine.ContextResult)
	return result, daemon.Call(ctx, r.Place, r.Build, callContext, request, result, nil)
}

// Locate implements asker and mcp.Engine.
func (r *RemoteEngine) Locate(ctx context.Context, request engine.LocateRequest) (*engine.Location, error) {
	result := new(engine.Location)
	return result, daemon.Call(ctx, r.Place, r.Build, callLocate, request, result, nil)
}

// Status implements asker.
func (r *RemoteEngine) Status(ctx context.Context) (*engine.Status, error) {
	result := new(engine.Status)
	return result, daemon.Call(ctx, r.Place, r.Build, callStatus, struct{}{}, result, nil)
}

// Rebuild implements asker.
func (r *RemoteEngine) Rebuild(ctx context.Context, request engine.RebuildRequest) (*engine.RebuildResult, error) {
	result := new(engine.RebuildResult)
	return result, daemon.Call(ctx, r.Place, r.Build, callRebuild, request, result, nil)
}

// WaitJob implements asker.
func (r *RemoteEngine) WaitJob(ctx context.Context, id string) (job index.Job, err error) {
	err = daemon.Call(ctx, r.Place, r.Build, callWaitJob, id, &job, nil)
	return job, err
}
