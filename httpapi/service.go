package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/httpapi/client"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/mcp"
	"github.com/google/uuid"
)

// indexWait is how long a request waits for the index before it is answered from what there is.
const indexWait = 20 * time.Second

// agent is who asks, for the figures of usage.
const agent = "http"

// A Service answers for one workspace. It implements client.Engine, so that a program can have it without HTTP
// .
type Service struct {
	Operations *api.Registry // those open to HTTP are at /api/<name>

	open    func(context.Context) (*mcp.Workspace, error)
	invoker *mcp.Invoker
	limit   time.Duration // of a request over HTTP
}

var _ client.Engine = (*Service)(nil)

// NewService returns a Service. open finds the workspace before each request. limit is how long a request over HTTP may
// take; 0 means a minute.
func NewService(open func(context.Context) (*mcp.Workspace, error), limit time.Duration, log *slog.Logger) (*Service, error) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	if limit <= 0 {
		limit = requestTime
	}
	invoker, err := mcp.NewInvoker(min(indexWait, limit/2), log)
	if err != nil {
		return nil, err
	}
	return &Service{open: open, invoker: invoker, limit: limit, Operations: api.Standard}, nil
}

// Embedded is a Service over an engine in this process. root is the canonical folder that paths have to lie in.
func Embedded(e *engine.Engine, root string) (*Service, error) {
	w := &mcp.Workspace{Backend: api.Local(e), Root: root}
	return NewService(func(context.Context) (*mcp.Workspace, error) { return w, nil }, 0, nil)
}

func invalid(field, message, remedy string) error {
	return &engine.Error{Kind: engine.Invalid, Message: message, Detail: field, Remedy: remedy}
}

// AddContext implements client.Engine.
func (s *Service) AddContext(ctx context.Context, r client.AddRequest) (*client.AddResult, error) {
	c, path, err := s.file(ctx, r.FilePath)
	if err != nil {
		return nil, err
	}
	added, err := api.AddText.Call(ctx, c, &api.AddTextParams{Path: path, Language: r.Lang, Text: r.Content})
	if err != nil {
		return nil, err
	}
	result := &client.AddResult{FileID: fileID(path), Chunks: added.Chunks, Embeddings: added.Vectors}
	if added.Chunks == 0 {
		result.Note = "Nothing of the file is in the index: it is empty, or the rules leave it out (aurora index check tells)."
	}
	return result, nil
}

// client opens the workspace.
func (s *Service) client(ctx context.Context) (api.Client, *mcp.Workspace, error) {
	w, err := s.open(ctx)
	if err != nil {
		return api.Client{}, nil, err
	}
	return api.Client{Backend: api.Guarded(w.Backend), Caller: api.Caller{Agent: agent}}, w, nil
}

// Operation carries out an operation that is open to HTTP. Its parameters and its result are those of the contract.
func (s *Service) Operation(ctx context.Context, name string, raw json.RawMessage) (any, error) {
	o := s.Operations.Lookup(name)
	if o == nil || !o.Doors.Has(api.HTTP) {
		return nil, noMethod(name)
	}
	params, err := o.Decode(raw)
	if err != nil {
		return nil, err
	}
	if b, ok := params.(*api.BudgetParams); ok && strings.EqualFold(b.Action, "reset") { // or a program that asks could go past any limit
		return nil, invalid("action", "a program can't begin the period of spending again", "Ask the user to run: aurora budget --reset")
	}
	c, _, err := s.client(ctx)
	if err != nil {
		return nil, err
	}
	return c.Do(ctx, o, params)
}

// file opens the workspace and finds a file in it.
func (s *Service) file(ctx context.Context, named string) (api.Client, string, error) {
	c, w, err := s.client(ctx)
	if err != nil {
		return c, "", err
	}
	path, err := w.Path("file_path", named)
	if err == nil && path == "" {
		err = invalid("file_path", "file_path is missing", "Name a file of the workspace.")
	}
	return c, path, err
}

// fileID is the same for the same file: a UUID of version 5 of its URL.
func fileID(path string) string {
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte("file://"+path)).String()
}

// DeleteContext implements client.Engine.
func (s *Service) DeleteContext(ctx context.Context, r client.DeleteRequest) (*client.DeleteResult, error) {
	c, path, err := s.file(ctx, r.FilePath)
	if err != nil {
		return nil, err
	}
	dropped, err := api.DropText.Call(ctx, c, &api.DropTextParams{Path: path})
	if err != nil {
		return nil, err
	}
	result := &client.DeleteResult{Deleted: dropped.Dropped}
	if dropped.OnDisk && dropped.Chunks > 0 {
		result.Note = "The file on disk is in the index: ignore rules and the setting index.ignore_patterns keep files out."
	}
	return result, nil
}

// QueryContext implements client.Engine.
func (s *Service) QueryContext(ctx context.Context, q client.Query) (*client.Answer, error) {
	arguments, note, err := toolArguments(q)
	if err != nil {
		return nil, err
	}
	data, err := s.tool(ctx, "query_context", arguments)
	if err != nil {
		return nil, err
	}
	answer := new(client.Answer)
	if err := json.Unmarshal(data, answer); err != nil {
		return nil, fmt.Errorf("read the hits: %w", err)
	}
	if answer.Model, err = s.checkModel(ctx, q.Model); err != nil {
		return nil, err
	}
	if note != "" {
		answer.Notes = append(answer.Notes, note)
	}
	return answer, nil
}

// toolArguments are a query in the words of the tool query_context.
func toolArguments(q client.Query) (arguments any, note string, err error) {
	if q.Q == "" {
		q.Q = q.Query
	}
	scope := client.Scope{}
	if q.Scope != nil {
		scope = *q.Scope
	}
	filters := client.Filters{}
	if q.Filters != nil {
		filters = *q.Filters
	}
	add := func(to *[]string, value string) {
		if value != "" {
			*to = append(*to, value)
		}
	}
	add(&scope.Languages, filters.Lang)
	add(&scope.Kinds, filters.Kind)
	add(&scope.Paths, filters.PathGlob)
	if q.Lambda != nil {
		if *q.Lambda < 0 || *q.Lambda > 1 {
			return nil, "", invalid("mmr_lambda", "mmr_lambda must lie between 0 and 1", "Leave it out.")
		}
		if *q.Lambda != defaultLambda {
			note = "mmr_lambda changes nothing: the ranking leaves out what says the same, and does not weigh likeness otherwise"
		}
	}
	return map[string]any{
		"query": q.Q, "k": q.K, "scope": scope, "filters": map[string]any{"minScore": filters.MinScore, "maxTokens": filters.MaxTokens},
	}, note, nil
}

const defaultLambda = 0.5

// checkModel returns the model whose vectors were searched, and refuses another one.
func (s *Service) checkModel(ctx context.Context, wanted string) (string, error) {
	c, _, err := s.client(ctx)
	if err != nil {
		return "", err
	}
	status, err := api.ReadStatus.Call(ctx, c, &api.StatusParams{})
	if err != nil {
		return "", err
	}
	has := status.Embedder.ID
	if wanted != "" && wanted != has {
		return "", invalid("model", fmt.Sprintf("the index has no vectors of %.60q", wanted), "Leave model out.")
	}
	return has, nil
}

// Stats implements client.Engine.
func (s *Service) Stats(ctx context.Context) (json.RawMessage, error) {
	return s.tool(ctx, "get_context_stats", nil)
}

// tool calls a tool of package mcp.
func (s *Service) tool(ctx context.Context, name string, arguments any) (json.RawMessage, error) {
	raw, ok := arguments.(json.RawMessage)
	if !ok && arguments != nil {
		var err error
		if raw, err = json.Marshal(arguments); err != nil {
			return nil, fmt.Errorf("encode the arguments: %w", err)
		}
	}
	w, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	return s.invoker.Invoke(ctx, w, agent, name, raw)
}

// A progress is how far indexing is.
type progress struct {
	State    string   `json:"state"`
	Indexed  int      `json:"files_indexed"`
	Total    int      `json:"files_total"`
	Percent  float64  `json:"percent"` // 0 to 100
	Chunks   int      `json:"chunks"`
	Pending  int      `json:"files_pending"`
	Jobs     []string `json:"jobs"`
	Snapshot uint64   `json:"snapshot"`
	Version  string   `json:"version"`
	Warnings []string `json:"warnings"`
}

func (s *Service) progress(ctx context.Context) (*progress, error) {
	c, _, err := s.client(ctx)
	if err != nil {
		return nil, err
	}
	st, err := api.ReadStatus.Call(ctx, c, &api.StatusParams{})
	if err != nil {
		return nil, err
	}
	p := &progress{
		State: st.State, Indexed: st.Files.Indexed, Total: max(st.Files.Total, st.Files.Indexed), Percent: 100, Chunks: st.Chunks,
		Pending: len(st.Pending), Jobs: st.Jobs, Snapshot: st.Snapshot, Version: st.Version, Warnings: st.Warnings,
	}
	if p.Total > 0 {
		p.Percent = float64(1000*p.Indexed/p.Total) / 10
	}
	return p, nil
}

// statusOf maps an error to HTTP.
func statusOf(err error) int {
	var typed *engine.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return 504
	case errors.Is(err, errNoMethod):
		return 404
	case !errors.As(err, &typed):
		return 500
	}
	switch typed.Kind {
	case engine.Invalid, engine.Guardrail:
		return 400
	case engine.NotIndexed, engine.NotFound:
		return 404
	case engine.JobConflict, engine.Confirmation:
		return 409
	case engine.Budget:
		return 402
	case engine.LLMUnavailable, engine.Busy:
		return 503
	case engine.Stuck:
		return 504
	}
	return 500
}
