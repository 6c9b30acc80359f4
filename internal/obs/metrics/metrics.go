package metrics

import (
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// A Set is the counters and histograms of a process. All methods may be called from several goroutines. A nil Set counts
// nothing.
type Set struct {
	registry *prometheus.Registry

	questions
	models
	lookups, retrieval, snippets *family // of searches and contexts
	retries, agentLatency        *family
	served, servedTime           *family // of requests over HTTP
	dropped                      *family
}

// questions are the figures of questions.
type questions struct {
	queries, complexity, duration, phases, verification, claims, efficiency, cacheHits *family
}

// models are the figures of the calls of models.
type models struct {
	calls, faults, tokens, cost *family
}

var (
	millis    = []float64{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 30_000, 60_000, 120_000}
	unitSteps = []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}
)

// New returns a Set of zeros.
func New() *Set {
	s := &Set{registry: prometheus.NewRegistry()}
	s.queries = s.counters("aurora_queries_total", "Questions, by complexity and outcome.", "complexity", "outcome")
	s.complexity = s.histogram("aurora_query_complexity", "Complexity of questions: 1 simple, 2 medium, 3 complex, 4 critical.", []float64{1, 2, 3, 4})
	s.verification = s.histogram("aurora_verification_score", "Scores of verified answers, 0 to 1.", unitSteps)
	s.cacheHits = s.counters("aurora_cache_hits", "Replies that were kept, so that no model had to make them.")
	s.retries = s.counters("aurora_retry_count", "What was tried again, by phase.", "checkpoint")
	s.agentLatency = s.times("aurora_agent_latency_ms", "Time of an agent's work on a subgoal.", "agent")
	s.calls = s.counters("aurora_llm_calls", "Calls of models, by what for.", "type")
	s.faults = s.counters("aurora_llm_faults", "Calls of models that failed, by fault.", "fault")
	s.tokens = s.counters("aurora_tokens_used", "Tokens of models.", "kind")
	s.cost = s.counters("aurora_cost_usd_total", "What models cost, in US dollars.")
	s.claims = s.counters("aurora_claims_total", "Statements of answers about the code, by whether their sources bear them out.", "supported")
	s.phases = s.times("aurora_phase_duration_ms", "Time of the phases of questions.", "phase")
	s.duration = s.times("aurora_query_duration_ms", "Time of questions from start to finish.", "complexity")
	s.lookups = s.counters("aurora_retrievals_total", "Searches and contexts, by outcome.", "op", "outcome")
	s.retrieval = s.times("aurora_retrieval_latency_ms", "Time of searches and contexts.", "op")
	s.snippets = s.counters("aurora_snippets_total", "Snippets that were given away.")
	s.efficiency = s.histogram("aurora_token_efficiency", "Share of a question's context that the answer cites, in tokens.", unitSteps)
	s.served = s.counters("aurora_http_requests_total", "Requests to the search server, by what for and status.", "request", "status")
	s.servedTime = s.times("aurora_http_request_ms", "Time of requests to the search server.", "request")
	s.dropped = s.counters("aurora_metrics_dropped_total", "Figures that could not be written to memory.")
	s.registry.MustRegister(collectors.NewGoCollector())
	return s
}

// Handler serves the figures to a Prometheus.
func (s *Set) Handler() http.Handler {
	if s == nil {
		return http.NotFoundHandler()
	}
	return promhttp.HandlerFor(s.registry, promhttp.HandlerOpts{})
}

// Retrieved counts a search or a context.
func (s *Set) Retrieved(op, outcome string, took time.Duration, snippets int) {
	if s == nil {
		return
	}
	s.lookups.count(1, op, outcome)
	s.retrieval.observe(inMs(took), op)
	s.snippets.count(float64(snippets))
}

// Served counts a request to the search server.
func (s *Set) Served(request, status string, took time.Duration) {
	if s != nil {
		s.served.count(1, request, status)
		s.servedTime.observe(inMs(took), request)
	}
}

// Retried counts what a phase tried again.
func (s *Set) Retried(phase string) {
	if s != nil {
		s.retries.count(1, phase)
	}
}

// AgentWorked counts an agent's work on a subgoal.
func (s *Set) AgentWorked(agent string, took time.Duration) {
	if s != nil {
		s.agentLatency.observe(inMs(took), agent)
	}
}

// Called counts a call of a model; fault is "" when a reply came.
func (s *Set) Called(purpose, fault string, prompt, completion int, usd float64) {
	if s == nil {
		return
	}
	s.calls.count(1, purpose)
	if fault != "" {
		s.faults.count(1, fault)
	}
	s.tokens.count(float64(max(prompt, 0)), "prompt")
	s.tokens.count(float64(max(completion, 0)), "completion")
	s.cost.count(max(usd, 0))
}

// An Answer is what is counted of a question.
type Answer struct {
	Complexity, Outcome string
	Took                time.Duration
	Score               *float64 // nil without a verification
	CacheHits           int
	Supported           int
	Unsupported         int
	ContextTokens       int
	UsefulTokens        int
	Phases              map[string]time.Duration
}

var levels = map[string]float64{"SIMPLE": 1, "MEDIUM": 2, "COMPLEX": 3, "CRITICAL": 4}

// Answered counts a question.
func (s *Set) Answered(a Answer) {
	if s == nil {
		return
	}
	s.queries.count(1, a.Complexity, a.Outcome)
	if level := levels[a.Complexity]; level > 0 {
		s.complexity.observe(level)
	}
	if a.Score != nil {
		s.verification.observe(*a.Score)
	}
	s.duration.observe(inMs(a.Took), a.Complexity)
	s.cacheHits.count(float64(a.CacheHits))
	s.claims.count(float64(a.Supported), "true")
	s.claims.count(float64(a.Unsupported), "false")
	if a.ContextTokens > 0 {
		s.efficiency.observe(float64(a.UsefulTokens) / float64(a.ContextTokens))
	}
	for phase, took := range a.Phases {
		s.phases.observe(inMs(took), phase)
	}
}

// Dropped counts figures that were lost.
func (s *Set) Dropped(n int) {
	if s != nil {
		s.dropped.count(float64(n))
	}
}

func inMs(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
