package debugpage

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"net/http"
	"net/http/pprof"
	"runtime"
	"sync"
	"time"

	"html/template"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/memory"
)

//go:embed page.tmpl
var pageText string

var page = sync.OnceValue(func() *template.Template { return template.Must(template.New("debug").Parse(pageText)) })

// most is how many files and questions a list shows.
const most = 20

// A Page shows one engine.
type Page struct {
	engine  *engine.Engine
	started time.Time
}

// New returns the page of an engine that was started then.
func New(e *engine.Engine, started time.Time) *Page { return &Page{engine: e, started: started} }

// Handler serves "/", "/state.json", "/metrics" and "/debug/pprof/".
func (p *Page) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", p.html)
	mux.HandleFunc("GET /state.json", p.json)
	mux.Handle("GET /metrics", p.engine.Usage().Set.Handler())
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return mux
}

// A State is what the page shows.
type State struct {
	Version    string        `json:"version"`
	Uptime     string        `json:"uptime"`
	Goroutines int           `json:"goroutines"`
	HeapMB     float64       `json:"heap_mb"`
	Index      IndexState    `json:"index"`
	Jobs       []JobState    `json:"jobs"`
	Memory     MemoryState   `json:"memory"`
	Queries    []QueryPhases `json:"queries"` // the latest first
	SearchP50  float64       `json:"search_p50_ms"`
	SearchP95  float64       `json:"search_p95_ms"`
	Warnings   []string      `json:"warnings"`
}

// IndexState is the snapshot and what waits to get into the next one.
type IndexState struct {
	State    string               `json:"state"`
	Snapshot uint64               `json:"snapshot"`
	Files    int                  `json:"files"`
	Total    int                  `json:"files_total"`
	Failed   int                  `json:"files_failed"`
	Chunks   int                  `json:"chunks"`
	StoreMB  float64              `json:"store_mb"`
	Watcher  string               `json:"watcher"`
	Writer   string               `json:"writer"`
	Queued   int                  `json:"queued"`
	Queue    []string             `json:"queue"` // its first files
	Folders  []index.FolderStatus `json:"folders"`
}

// JobState is a rebuild that runs.
type JobState struct {
	ID    string `json:"id"`
	Done  int    `json:"done"`
	Total int    `json:"total"`
	Since string `json:"since"`
}

// MemoryState counts what is remembered.
type MemoryState struct {
	Knowledge int     `json:"knowledge"`
	Reasoning int     `json:"reasoning"`
	SizeMB    float64 `json:"size_mb"`
}

// QueryPhases is the summary of one question.
type QueryPhases struct {
	ID         string             `json:"query_id"`
	At         string             `json:"at"`
	Agent      string             `json:"agent"`
	Complexity string             `json:"complexity"`
	Outcome    string             `json:"outcome"`
	TotalMs    float64            `json:"total_duration_ms"`
	Phases     []memory.PhaseTime `json:"phases"`
}

func (p *Page) state(ctx context.Context) (*State, error) {
	st, err := p.engine.Status(ctx)
	if err != nil {
		return nil, err
	}
	var heap runtime.MemStats
	runtime.ReadMemStats(&heap)
	ix := st.Index
	s := &State{
		Version: st.Version, Uptime: time.Since(p.started).Round(time.Second).String(), Goroutines: runtime.NumGoroutine(), HeapMB: mega(int64(heap.HeapAlloc)),
		Index: IndexState{
			State: string(ix.State), Snapshot: ix.Snapshot, Files: ix.Indexed, Total: ix.Total, Failed: ix.Failed, Chunks: ix.Chunks, StoreMB: mega(ix.SizeBytes),
			Watcher: ix.Watcher, Writer: ix.Writer, Queued: len(ix.Pending), Queue: append([]string{}, ix.Pending[:min(len(ix.Pending), most)]...), Folders: ix.Folders,
		},
		Memory: MemoryState{st.Memory.Knowledge, st.Memory.Reasoning, mega(st.Memory.SizeBytes)}, SearchP50: st.QueryP50Ms, SearchP95: st.QueryP95Ms,
		Warnings: append([]string{}, st.Warnings...), Jobs: []JobState{}, Queries: []QueryPhases{},
	}
	for _, id := range ix.Jobs {
		if job, err := p.engine.Indexing().Job(id); err == nil {
			s.Jobs = append(s.Jobs, JobState{job.ID, job.Done, job.Total, job.Started.Format(time.DateTime)})
		}
	}
	for _, q := range p.engine.Usage().Recent() {
		s.Queries = append(s.Queries, QueryPhases{
			q.QueryID, q.At.Format(time.DateTime), q.Agent, q.Complexity, q.Outcome, float64(q.Duration) / float64(time.Millisecond), append([]memory.PhaseTime{}, q.Phases...),
		})
	}
	return s, nil
}

func mega(bytes int64) float64 { return float64(bytes/1000) / 1000 }

func (p *Page) html(w http.ResponseWriter, r *http.Request) {
	s, err := p.state(r.Context())
	var text bytes.Buffer
	if err == nil {
		err = page().Execute(&text, s)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	_, _ = w.Write(text.Bytes()) // the browser hung up
}

func (p *Page) json(w http.ResponseWriter, r *http.Request) {
	s, err := p.state(r.Context())
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	_ = encoder.Encode(s) // the browser hung up
}
