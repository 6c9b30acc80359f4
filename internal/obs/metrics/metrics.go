// Package metrics counts what a process does, in the text format of Prometheus.
//
// It owns the names of the counters and histograms, and guarantees that counting never waits for anybody and never
// fails (MET-040). Nothing is sent anywhere: whoever wants the figures reads them, from the debug page or from a file.
package metrics

import (
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/common/expfmt"
)

// A Set is the counters and histograms of a process. All methods may be called from several goroutines. A nil Set counts
// nothing.
type Set struct {
	registry *prometheus.Registry

	queries      *prometheus.CounterVec
	complexity   prometheus.Histogram
	verification prometheus.Histogram
	cacheHits    prometheus.Counter
	retries      *prometheus.CounterVec
	agentLatency *prometheus.HistogramVec
	calls        *prometheus.CounterVec
	faults       *prometheus.CounterVec
	tokens       *prometheus.CounterVec
	cost         prometheus.Counter
	claims       *prometheus.CounterVec
	phases       *prometheus.HistogramVec
	duration     *prometheus.HistogramVec
	lookups      *prometheus.CounterVec
	retrieval    *prometheus.HistogramVec
	snippets     prometheus.Counter
	efficiency   prometheus.Histogram
	dropped      prometheus.Counter
}

var (
	millis    = []float64{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 30_000, 60_000, 120_000}
	unitSteps = prometheus.LinearBuckets(0.1, 0.1, 10)
)

// New returns a Set of zeros.
func New() *Set {
	s := &Set{registry: prometheus.NewRegistry()}
	s.queries = s.counters("aurora_queries_total", "Questions, by complexity and outcome.", "complexity", "outcome")
	s.complexity = s.histogram("aurora_query_complexity", "Complexity of questions: 1 simple, 2 medium, 3 complex, 4 critical.", []float64{1, 2, 3, 4})
	s.verification = s.histogram("aurora_verification_score", "Scores of verified answers, 0 to 1.", unitSteps)
	s.cacheHits = s.counter("aurora_cache_hits", "Replies that were kept, so that no model had to make them.")
	s.retries = s.counters("aurora_retry_count", "What was tried again, by phase.", "checkpoint")
	s.agentLatency = s.histograms("aurora_agent_latency_ms", "Time of an agent's work on a subgoal.", "agent")
	s.calls = s.counters("aurora_llm_calls", "Calls of models, by what for.", "type")
	s.faults = s.counters("aurora_llm_faults", "Calls of models that failed, by fault.", "fault")
	s.tokens = s.counters("aurora_tokens_used", "Tokens of models.", "kind")
	s.cost = s.counter("aurora_cost_usd_total", "What models cost, in US dollars.")
	s.claims = s.counters("aurora_claims_total", "Statements of answers about the code, by whether their sources bear them out.", "supported")
	s.phases = s.histograms("aurora_phase_duration_ms", "Time of the phases of questions.", "phase")
	s.duration = s.histograms("aurora_query_duration_ms", "Time of questions from start to finish.", "complexity")
	s.lookups = s.counters("aurora_retrievals_total", "Searches and contexts, by outcome.", "op", "outcome")
	s.retrieval = s.histograms("aurora_retrieval_latency_ms", "Time of searches and contexts.", "op")
	s.snippets = s.counter("aurora_snippets_total", "Snippets that were given away.")
	s.efficiency = s.histogram("aurora_token_efficiency", "Share of a question's context that the answer cites, in tokens.", unitSteps)
	s.dropped = s.counter("aurora_metrics_dropped_total", "Figures that could not be written to memory.")
	s.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return s
}

func (s *Set) counter(name, help string) prometheus.Counter {
	c := prometheus.NewCounter(prometheus.CounterOpts{Name: name, Help: help})
	s.registry.MustRegister(c)
	return c
}

func (s *Set) counters(name, help string, labels ...string) *prometheus.CounterVec {
	c := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	s.registry.MustRegister(c)
	return c
}

func (s *Set) histogram(name, help string, buckets []float64) prometheus.Histogram {
	h := prometheus.NewHistogram(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets})
	s.registry.MustRegister(h)
	return h
}

func (s *Set) histograms(name, help string, labels ...string) *prometheus.HistogramVec {
	h := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: millis}, labels)
	s.registry.MustRegister(h)
	return h
}

// Gauge adds a figure that is asked for whenever somebody looks.
func (s *Set) Gauge(name, help string, now func() float64) {
	if s != nil {
		s.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, now))
	}
}

// Handler serves the figures to a Prometheus.
func (s *Set) Handler() http.Handler {
	if s == nil {
		return http.NotFoundHandler()
	}
	return promhttp.HandlerFor(s.registry, promhttp.HandlerOpts{})
}

// Write writes the figures as text, sorted by name.
func (s *Set) Write(w io.Writer) error {
	if s == nil {
		return nil
	}
	families, err := s.registry.Gather()
	if err != nil {
		return fmt.Errorf("gather metrics: %w", err)
	}
	for _, family := range families {
		if _, err := expfmt.MetricFamilyToText(w, family); err != nil {
			return fmt.Errorf("write metrics: %w", err)
		}
	}
	return nil
}

// Retrieved counts a search or a context.
func (s *Set) Retrieved(op, outcome string, took time.Duration, snippets int) {
	if s == nil {
		return
	}
	s.lookups.WithLabelValues(op, outcome).Inc()
	s.retrieval.WithLabelValues(op).Observe(inMs(took))
	s.snippets.Add(float64(snippets))
}

// Retried counts what a phase tried again.
func (s *Set) Retried(phase string) {
	if s != nil {
		s.retries.WithLabelValues(phase).Inc()
	}
}

// AgentWorked counts an agent's work on a subgoal.
func (s *Set) AgentWorked(agent string, took time.Duration) {
	if s != nil {
		s.agentLatency.WithLabelValues(agent).Observe(inMs(took))
	}
}

// Called counts a call of a model; fault is "" when a reply came.
func (s *Set) Called(purpose, fault string, prompt, completion int, usd float64) {
	if s == nil {
		return
	}
	s.calls.WithLabelValues(purpose).Inc()
	if fault != "" {
		s.faults.WithLabelValues(fault).Inc()
	}
	s.tokens.WithLabelValues("prompt").Add(float64(max(prompt, 0)))
	s.tokens.WithLabelValues("completion").Add(float64(max(completion, 0)))
	s.cost.Add(max(usd, 0))
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
	s.queries.WithLabelValues(a.Complexity, a.Outcome).Inc()
	if level := levels[a.Complexity]; level > 0 {
		s.complexity.Observe(level)
	}
	if a.Score != nil {
		s.verification.Observe(*a.Score)
	}
	s.duration.WithLabelValues(a.Complexity).Observe(inMs(a.Took))
	s.cacheHits.Add(float64(a.CacheHits))
	s.claims.WithLabelValues("true").Add(float64(a.Supported))
	s.claims.WithLabelValues("false").Add(float64(a.Unsupported))
	if a.ContextTokens > 0 {
		s.efficiency.Observe(float64(a.UsefulTokens) / float64(a.ContextTokens))
	}
	for phase, took := range a.Phases {
		s.phases.WithLabelValues(phase).Observe(inMs(took))
	}
}

// Dropped counts figures that were lost.
func (s *Set) Dropped(n int) {
	if s != nil {
		s.dropped.Add(float64(n))
	}
}

func inMs(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
