package main

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
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/lsp/daemon"
)

// An asker answers questions about a project. An engine in this process is one, the project's daemon another.
type asker interface {
	Search(context.Context, engine.SearchRequest) (*engine.SearchResult, error)
	Query(context.Context, engine.QueryRequest, func(engine.Progress)) (*engine.QueryResult, error)
	Related(context.Context, engine.RelatedRequest) (*engine.RelatedResult, error)
	Context(context.Context, engine.ContextRequest) (*engine.ContextResult, error)
	Locate(context.Context, engine.LocateRequest) (*engine.Location, error)
	Status(context.Context) (*engine.Status, error)
	Rebuild(context.Context, engine.RebuildRequest) (*engine.RebuildResult, error)
	WaitJob(ctx context.Context, id string) (index.Job, error)
}

// answers are a project that can be asked.
type answers struct {
	asker
	root     string
	settings *config.Settings
	daemon   *daemon.Info // who answers; nil for this process
	session  *session     // nil when a daemon answers
	close    func()
}

// openAnswers opens the project around the current folder and waits until it is indexed, at most timeout. When a
// daemon serves just this project, it answers: it has the index at hand and knows what is not saved yet. None is
// started.
func (c *cli) openAnswers(ctx context.Context, timeout time.Duration) (*answers, error) {
	collectLate()
	if a := c.askDaemon(ctx, timeout); a != nil {
		return a, ctx.Err()
	}
	s, err := c.openProject(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.waitReady(ctx, timeout); err != nil {
		s.close()
		return nil, err
	}
	return &answers{asker: s.engine, root: s.root, settings: s.settings, session: s, close: s.close}, nil
}

// askDaemon returns nil when no daemon can answer for the project; opening it tells what is wrong, if anything is.
func (c *cli) askDaemon(ctx context.Context, timeout time.Duration) *answers {
	root, err := c.projectRoot(".")
	if err != nil {
		return nil
	}
	p := &parts{}
	if err := c.loadSettings(p, wiring{root: root}); err != nil || p.home == "" {
		return nil
	}
	remote, info, err := findDaemon(ctx, p, root)
	var stopped *daemon.StoppedError
	if errors.As(err, &stopped) {
		c.warn(stopped.Error())
	}
	if remote == nil || remote.waitReady(ctx, timeout) != nil {
		return nil
	}
	for _, w := range p.warnings {
		c.warn(w)
	}
	return &answers{asker: remote, root: root, settings: p.settings, daemon: info, close: func() {}}
}

// findDaemon returns the daemon that serves root and nothing else; nil when there is none, and err says why that is so when it
// is there and does not answer.
func findDaemon(ctx context.Context, p *parts, root string) (*remoteEngine, *daemon.Info, error) {
	build, err := buildID()
	if err != nil {
		return nil, nil, err
	}
	place, err := daemonPlace(p, workspace{root: root, folders: []string{root}}, build)
	if err != nil {
		return nil, nil, err
	}
	info, err := daemon.Inspect(ctx, place)
	if err != nil || !slices.Equal(info.Folders, []string{root}) {
		return nil, nil, err
	}
	return &remoteEngine{place, build}, info, nil
}

// The calls that a daemon answers to commands of its own build.
const (
	callReady   = "ready"
	callSearch  = "search"
	callQuery   = "query"
	callAnswer  = "answer" // to a question of an agent's
	callLent    = "lent"   // what a lent model replied
	callRelated = "related"
	callStatus  = "status"
	callRebuild = "rebuild"
	callWaitJob = "waitJob"
)

// calls answers for the engine of p.
func (p *parts) calls() map[string]daemon.Handler {
	return map[string]daemon.Handler{
		callReady: handler(func(ctx context.Context, _ struct{}, _ func(any)) (struct{}, error) {
			return struct{}{}, p.index.WaitReady(ctx)
		}),
		callSearch: handler(func(ctx context.Context, r engine.SearchRequest, _ func(any)) (*engine.SearchResult, error) {
			return p.engine.Search(ctx, r)
		}),
		callQuery: handler(p.answerQuery),
		callAnswer: handler(func(_ context.Context, r personReply, _ func(any)) (struct{}, error) {
			p.pending.answer(r)
			return struct{}{}, nil
		}),
		callLent: handler(func(_ context.Context, r lentReply, _ func(any)) (struct{}, error) {
			p.lent.answer(r)
			return struct{}{}, nil
		}),
		callRelated: handler(func(ctx context.Context, r engine.RelatedRequest, _ func(any)) (*engine.RelatedResult, error) {
			return p.engine.Related(ctx, r)
		}),
		callRebuild: handler(func(ctx context.Context, r engine.RebuildRequest, _ func(any)) (*engine.RebuildResult, error) {
			return p.engine.Rebuild(ctx, r)
		}),
		callWaitJob: handler(func(ctx context.Context, id string, _ func(any)) (index.Job, error) {
			return p.engine.WaitJob(ctx, id)
		}),
		callStatus: handler(func(ctx context.Context, _ struct{}, _ func(any)) (*engine.Status, error) {
			return p.engine.Status(ctx)
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

// A remoteEngine asks the engine of a daemon.
type remoteEngine struct {
	place daemon.Place
	build string
}

// waitReady waits until the project is indexed, at most timeout; then what there is answers.
func (r *remoteEngine) waitReady(ctx context.Context, timeout time.Duration) error {
	waiting, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	err := daemon.Call(waiting, r.place, r.build, callReady, struct{}{}, &struct{}{}, nil)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return nil
	}
	return err
}

// Search implements asker.
func (r *remoteEngine) Search(ctx context.Context, request engine.SearchRequest) (*engine.SearchResult, error) {
	request.Agent = cmp.Or(request.Agent, "cli")
	result := new(engine.SearchResult)
	return result, daemon.Call(ctx, r.place, r.build, callSearch, request, result, nil)
}

// Query implements asker.
func (r *remoteEngine) Query(ctx context.Context, request engine.QueryRequest, sink func(engine.Progress)) (*engine.QueryResult, error) {
	request.Agent = cmp.Or(request.Agent, "cli")
	result := new(engine.QueryResult)
	var answering sync.WaitGroup
	defer answering.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // before Wait: a question that nobody waits for any more is taken back
	lender, _ := engine.Lender(ctx)
	call := queryCall{QueryRequest: request, Person: engine.AskerOf(ctx) != nil, Lender: lender}
	err := daemon.Call(ctx, r.place, r.build, callQuery, call, result, r.told(ctx, sink, &answering))
	return result, err
}

// Related implements asker.
func (r *remoteEngine) Related(ctx context.Context, request engine.RelatedRequest) (*engine.RelatedResult, error) {
	result := new(engine.RelatedResult)
	return result, daemon.Call(ctx, r.place, r.build, callRelated, request, result, nil)
}

// Context implements asker and mcp.Engine.
func (r *remoteEngine) Context(ctx context.Context, request engine.ContextRequest) (*engine.ContextResult, error) {
	result := new(engine.ContextResult)
	return result, daemon.Call(ctx, r.place, r.build, callContext, request, result, nil)
}

// Locate implements asker and mcp.Engine.
func (r *remoteEngine) Locate(ctx context.Context, request engine.LocateRequest) (*engine.Location, error) {
	result := new(engine.Location)
	return result, daemon.Call(ctx, r.place, r.build, callLocate, request, result, nil)
}

// Status implements asker.
func (r *remoteEngine) Status(ctx context.Context) (*engine.Status, error) {
	result := new(engine.Status)
	return result, daemon.Call(ctx, r.place, r.build, callStatus, struct{}{}, result, nil)
}

// Rebuild implements asker.
func (r *remoteEngine) Rebuild(ctx context.Context, request engine.RebuildRequest) (*engine.RebuildResult, error) {
	result := new(engine.RebuildResult)
	return result, daemon.Call(ctx, r.place, r.build, callRebuild, request, result, nil)
}

// WaitJob implements asker.
func (r *remoteEngine) WaitJob(ctx context.Context, id string) (job index.Job, err error) {
	err = daemon.Call(ctx, r.place, r.build, callWaitJob, id, &job, nil)
	return job, err
}
