package workspace

import (
	"context"
	"sync"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/lsp/daemon"
)

// The calls that a daemon answers to agents, besides those of commands.
const (
	callContext  = "context"
	callFlush    = "flush"
	callLocate   = "locate"
	callRemember = "remember"
	callForget   = "forget"
	callRecords  = "records"
	callAssess   = "assess"
	callPlan     = "decompose"
	callVerify   = "verify"
	callRecord   = "record"
	callLogs     = "conversations"
	callLog      = "conversation"
	callRefresh  = "refresh"
	callJob      = "job"
	callCancel   = "cancelRebuild"
	callAddText  = "addText"
	callDropText = "dropText"
)

// rememberedRecord is what Remember returns.
type rememberedRecord struct {
	ID      string
	Created bool
}

// refreshParams are the parameters of Refresh.
type refreshParams struct {
	Paths []string
	Force bool
}

// AgentCalls answers agents for the engine of p.
func (p *Parts) AgentCalls() map[string]daemon.Handler {
	e := p.Engine
	return map[string]daemon.Handler{
		callFlush:   plain(func(ctx context.Context, _ struct{}) (struct{}, error) { return struct{}{}, p.Index.Flush(ctx) }),
		callContext: plain(e.Context), callAssess: plain(func(ctx context.Context, query string) (*engine.Assessment, error) { return e.Assess(ctx, query, engine.Caller{}) }), callLocate: plain(e.Locate),
		callForget: plain(e.Forget), callRecords: plain(e.Records), callRecord: plain(e.Record),
		callLogs: plain(e.Conversations), callLog: plain(e.Conversation),
		callRemember: plain(func(ctx context.Context, r engine.RememberRequest) (rememberedRecord, error) {
			id, created, err := e.Remember(ctx, r)
			return rememberedRecord{id, created}, err
		}),
		callRefresh: plain(func(ctx context.Context, r refreshParams) (engine.JobInfo, error) {
			return e.Refresh(ctx, r.Paths, r.Force)
		}),
		callPlan: telling(e.Decompose), callVerify: telling(e.Verify),
		callAddText: plain(e.AddText), callDropText: plain(e.DropText),
		callJob:    plain(func(_ context.Context, id string) (engine.Job, error) { return e.Job(id) }),
		callCancel: plain(func(_ context.Context, id string) (engine.Job, error) { return e.CancelRebuild(id) }),
	}
}

// plain adapts a function that tells nothing before its result.
func plain[P, R any](answer func(context.Context, P) (R, error)) daemon.Handler {
	return handler(func(ctx context.Context, p P, _ func(any)) (R, error) { return answer(ctx, p) })
}

// telling adapts a function that tells its progress before its result.
func telling[P, R any](answer func(context.Context, P, func(engine.Progress)) (R, error)) daemon.Handler {
	return handler(func(ctx context.Context, p P, tell func(any)) (R, error) {
		var one sync.Mutex // events come from several goroutines
		return answer(ctx, p, func(event engine.Progress) {
			one.Lock()
			defer one.Unlock()
			tell(ToldEvent{Progress: event})
		})
	})
}

// An AgentEngine asks the engine of a daemon for what agents need. It implements mcp.Engine.
type AgentEngine struct{ *RemoteEngine }

// ask calls the daemon.
func ask[R any](ctx context.Context, a AgentEngine, call string, params any) (result R, err error) {
	err = daemon.Call(ctx, a.Place, a.Build, call, params, &result, nil)
	return result, err
}

func (a AgentEngine) Flush(ctx context.Context) error {
	_, err := ask[struct{}](ctx, a, callFlush, struct{}{})
	return err
}

func (a AgentEngine) Ready(ctx context.Context) error {
	_, err := ask[struct{}](ctx, a, CallReady, struct{}{})
	return err
}

func (a AgentEngine) Assess(ctx context.Context, query string, _ engine.Caller) (*engine.Assessment, error) {
	return ask[*engine.Assessment](ctx, a, callAssess, query)
}

// Decompose implements mcp.Engine.
func (a AgentEngine) Decompose(ctx context.Context, r engine.QueryRequest, sink func(engine.Progress)) (*engine.Decomposition, error) {
	result := new(engine.Decomposition)
	return result, daemon.Call(ctx, a.Place, a.Build, callPlan, r, result, a.told(ctx, engine.Caller{}, sink, &sync.WaitGroup{}))
}

// Verify implements mcp.Engine.
func (a AgentEngine) Verify(ctx context.Context, r engine.VerifyRequest, sink func(engine.Progress)) (*engine.Verification, error) {
	result := new(engine.Verification)
	return result, daemon.Call(ctx, a.Place, a.Build, callVerify, r, result, a.told(ctx, engine.Caller{}, sink, &sync.WaitGroup{}))
}

func (a AgentEngine) Remember(ctx context.Context, r engine.RememberRequest) (string, bool, error) {
	saved, err := ask[rememberedRecord](ctx, a, callRemember, r)
	return saved.ID, saved.Created, err
}

func (a AgentEngine) Forget(ctx context.Context, ids []string) (engine.Removal, error) {
	return ask[engine.Removal](ctx, a, callForget, ids)
}

func (a AgentEngine) Records(ctx context.Context, limit int) ([]engine.Hit, error) {
	return ask[[]engine.Hit](ctx, a, callRecords, limit)
}

func (a AgentEngine) Record(ctx context.Context, id string) (*engine.Hit, error) {
	return ask[*engine.Hit](ctx, a, callRecord, id)
}

// Conversations implements mcp.Engine.
func (a AgentEngine) Conversations(ctx context.Context, limit int) ([]engine.LoggedConversation, error) {
	return ask[[]engine.LoggedConversation](ctx, a, callLogs, limit)
}

// Conversation implements mcp.Engine.
func (a AgentEngine) Conversation(ctx context.Context, name string) (*engine.LoggedConversation, error) {
	return ask[*engine.LoggedConversation](ctx, a, callLog, name)
}

func (a AgentEngine) Refresh(ctx context.Context, paths []string, force bool) (engine.JobInfo, error) {
	return ask[engine.JobInfo](ctx, a, callRefresh, refreshParams{paths, force})
}

func (a AgentEngine) Job(ctx context.Context, id string) (engine.Job, error) {
	return ask[engine.Job](ctx, a, callJob, id)
}

func (a AgentEngine) CancelRebuild(ctx context.Context, id string) (engine.Job, error) {
	return ask[engine.Job](ctx, a, callCancel, id)
}

// AddText implements httpapi.Texts.
func (a AgentEngine) AddText(ctx context.Context, r engine.TextRequest) (*engine.TextResult, error) {
	return ask[*engine.TextResult](ctx, a, callAddText, r)
}

// DropText implements httpapi.Texts.
func (a AgentEngine) DropText(ctx context.Context, path string) (*engine.TextResult, error) {
	return ask[*engine.TextResult](ctx, a, callDropText, path)
}
