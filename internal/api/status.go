package api

import (
	"context"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/workload"
)

// Status is the result of aurora/status; aurora/didChangeStatus carries the fields that changed.
type Status struct {
	StatusIndex
	LLM         LLM            `json:"llm"`
	Embedder    Embedder       `json:"embedder"`
	Memory      MemoryCounts   `json:"memory"`
	Performance Performance    `json:"performance"`
	Languages   map[string]int `json:"languages"` // files of each
	Providers   []Provider     `json:"providers"` // in the order in which a search asks them
	Jobs        []string       `json:"jobs"`
	Warnings    []string       `json:"warnings"`
	Version     string         `json:"version"`
}

// StatusIndex says how the index is.
type StatusIndex struct {
	State       string     `json:"state"` // starting, indexing, ready, degraded
	Folders     []Folder   `json:"folders"`
	Files       FileCounts `json:"files"`
	Chunks      int        `json:"chunks"`
	Embeddings  int        `json:"embeddings"`
	SizeBytes   int64      `json:"sizeBytes"`
	LastIndexed string     `json:"lastIndexed,omitempty"`
	Snapshot    uint64     `json:"snapshot"`
	Pending     []string   `json:"pending"`
	Watcher     string     `json:"watcher"`
	Writer      string     `json:"writer"` // this, other
	// SharedCache tells what came of the cache of the team when the index was made, and when that was.
	SharedCache   string `json:"sharedCache,omitempty"`
	SharedCacheAt string `json:"sharedCacheAt,omitempty"`
}

// A Folder is a workspace folder.
type Folder struct {
	Path    string `json:"path"`
	Files   int    `json:"files"`
	Refused string `json:"refused,omitempty"` // why it is not indexed
}

// FileCounts counts files.
type FileCounts struct {
	Indexed int `json:"indexed"`
	Total   int `json:"total"`
	Failed  int `json:"failed"`
}

// LLM tells whether a model is there.
type LLM struct {
	Configured bool   `json:"configured"`
	Healthy    bool   `json:"healthy"`
	Model      string `json:"model,omitempty"`
}

// Embedder tells what makes vectors; kind is embedded, endpoint, or none.
type Embedder struct {
	ID   string `json:"id"`
	Dims int    `json:"dims"`
	Kind string `json:"kind"`
}

// A Provider proposes results; its figures are those of this process.
type Provider struct {
	ID       string  `json:"id"`
	Name     string  `json:"name"`
	Type     string  `json:"type"` // FULL_TEXT, SYMBOL, SEMANTIC, GIT_HISTORY, DEPENDENCY, MEMORY
	Enabled  bool    `json:"enabled"`
	Weight   float64 `json:"weight"`
	Calls    uint64  `json:"calls"`
	Failures uint64  `json:"failures"` // timeouts are among them
	Timeouts uint64  `json:"timeouts"`
	Proposed uint64  `json:"proposed"` // candidates
	P50Ms    float64 `json:"p50Ms"`
	P95Ms    float64 `json:"p95Ms"`
}

func fromProviders(all []engine.ProviderStatus) []Provider {
	out := make([]Provider, len(all))
	for i, p := range all {
		out[i] = Provider{
			ID: p.ID, Name: p.Name, Type: string(p.Type), Enabled: p.Enabled, Weight: p.Weight, Calls: p.Calls, Failures: p.Failures,
			Timeouts: p.Timeouts, Proposed: p.Proposed, P50Ms: milliseconds(p.P50), P95Ms: milliseconds(p.P95),
		}
	}
	return out
}

// MemoryCounts counts what is remembered.
type MemoryCounts struct {
	Knowledge int    `json:"knowledge"`
	Reasoning int    `json:"reasoning"`
	SizeBytes int64  `json:"sizeBytes"`
	Path      string `json:"path,omitempty"`
	// Key tells which key the file is encrypted with, and where that is kept. A plain file has none.
	Key string `json:"key,omitempty"`
	// Team tells that the person is in a team, which records can be given to.
	Team bool `json:"team,omitempty"`
}

// Performance tells how fast searches were.
type Performance struct {
	QueryP50Ms     float64 `json:"queryP50Ms"`
	QueryP95Ms     float64 `json:"queryP95Ms"`
	CacheHitRate   float64 `json:"cacheHitRate"` // share of the replies of models that were kept ones, 0..1
	QueryMeanMs    float64 `json:"queryMeanMs,omitempty"`
	TokensPerQuery float64 `json:"tokensPerQuery,omitempty"` // mean of the tokens of what was retrieved
	Queries        int     `json:"queries,omitempty"`        // searches, contexts and questions since the process began
}

// FromStatus converts a status.
func FromStatus(s *engine.Status) *Status {
	ix := &s.Index
	folders := make([]Folder, len(ix.Folders))
	for i, f := range ix.Folders {
		folders[i] = Folder(f)
	}
	languages := ix.Languages
	if languages == nil {
		languages = map[string]int{}
	}
	return &Status{
		StatusIndex: StatusIndex{
			State: string(ix.State), Folders: folders,
			Files:  FileCounts{Indexed: ix.Indexed, Total: ix.Total, Failed: ix.Failed},
			Chunks: ix.Chunks, SizeBytes: ix.SizeBytes, LastIndexed: timestamp(ix.LastIndexed),
			Snapshot: ix.Snapshot, Pending: list(ix.Pending), Watcher: ix.Watcher, Writer: ix.Writer,
			SharedCache: ix.SharedCache.Detail, SharedCacheAt: timestamp(ix.SharedCache.Time),
		},
		LLM: LLM(s.LLM), Embedder: Embedder(s.Embedder), Memory: MemoryCounts(s.Memory),
		Performance: Performance{
			QueryP50Ms: finite(s.QueryP50Ms), QueryP95Ms: finite(s.QueryP95Ms), QueryMeanMs: finite(s.QueryMeanMs),
			CacheHitRate: finite(s.Usage.CacheHitRate), TokensPerQuery: finite(s.Usage.TokensPerQuery), Queries: s.Usage.Queries,
		},
		Languages: languages, Providers: fromProviders(s.Providers), Jobs: list(ix.Jobs), Warnings: list(s.Warnings), Version: s.Version,
	}
}

// RefreshParams are the parameters of aurora/refresh. A path is a file URI, absolute, or relative to a workspace
// folder; none means everything.
type RefreshParams struct {
	Paths []string `json:"paths"`
	Force bool     `json:"force,omitempty"`
	Wait  bool     `json:"wait,omitempty"` // answer when they are in the index
}

// RefreshResult is the result of aurora/refresh.
type RefreshResult struct {
	JobID       string `json:"jobId"`
	FilesQueued int    `json:"filesQueued"`
}

// StatusParams are those of aurora/status: there are none.
type StatusParams struct{}

// ReadStatus tells how index and memory are.
var ReadStatus = Define(Operation{
	Name: "status", Title: "Status", Doors: LSP | HTTP, Class: workload.Light,
	Doc: "Tell the state and the size of index and memory, and how fast searches are.",
}, func(ctx context.Context, c *Call, _ *StatusParams) (*Status, error) {
	status, err := c.Engine.Status(ctx)
	if err != nil {
		return nil, err
	}
	return FromStatus(status), nil
})

// Refresh reads files again.
var Refresh = Define(Operation{
	Name: "refresh", Title: "Refresh", Doors: LSP | HTTP, Effect: Adds, Class: workload.Waiting,
	Doc: "Read files or folders again that changed without the index noticing.",
}, func(ctx context.Context, c *Call, p *RefreshParams) (*RefreshResult, error) {
	job, err := c.Engine.Indexing().Refresh(ctx, c.paths(p.Paths), p.Force)
	if err != nil {
		return nil, err
	}
	if p.Wait {
		if err := c.Engine.Index().Flush(ctx); err != nil {
			return nil, err
		}
	}
	return &RefreshResult{JobID: job.ID, FilesQueued: job.Queued}, nil
})

// ReadyParams are the parameters of ready.
type ReadyParams struct {
	TimeoutMs int `json:"timeoutMs,omitempty"` // after which what there is has to do; 0 means no limit
}

// ReadyResult is the result of ready.
type ReadyResult struct {
	Ready bool `json:"ready"` // false when the time was over before
}

// Ready waits for the index.
var Ready = Define(Operation{
	Name: "ready", Title: "Wait for the index", Doors: HTTP, Class: workload.Waiting,
	Doc: "Wait until the workspace is indexed.",
}, func(ctx context.Context, c *Call, p *ReadyParams) (*ReadyResult, error) {
	waiting, cancel := ctx, context.CancelFunc(func() {})
	if p.TimeoutMs > 0 {
		waiting, cancel = context.WithTimeout(ctx, time.Duration(p.TimeoutMs)*time.Millisecond)
	}
	defer cancel()
	err := c.Engine.Index().WaitReady(waiting)
	if err != nil && (ctx.Err() != nil || waiting.Err() == nil) {
		return nil, err
	}
	return &ReadyResult{Ready: err == nil}, nil
})
