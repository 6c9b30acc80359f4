package engine

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/internal/obs/metrics"
	"github.com/aurora-sidecar/aurora/memory"
)

const (
	// meterDelay is how long figures wait to be written; a kill -9 loses at most so many seconds of them.
	meterDelay   = 2 * time.Second
	meterTimeout = 10 * time.Second // of one attempt to write
	maxMetered   = 10_000           // figures kept while they can't be written; older ones are dropped
	maxRecent    = 20               // questions whose phases are kept for anyone who looks
)

// A meter takes the measure of what the engine does. What is measured never waits for it, and never fails by it:
// it only adds to a list, which is written later.
type meter struct {
	set   *metrics.Set       // nil counts nothing
	store memory.MetricStore // nil keeps nothing
	log   *slog.Logger
	now   func() time.Time
	agent string // who asks when a request does not tell

	writing sync.Mutex // one at a time

	mu      sync.Mutex
	pending []memory.Metric
	timer   *time.Timer
	closed  bool
	recent  []memory.Metric // of questions, the latest last
	sums    usageSums
}

// usageSums add up what was noted.
type usageSums struct{ queries, tokens, calls, cached int }

// usage sums up what was noted since the engine began.
func (m *meter) usage() UsageStatus {
	m.mu.Lock()
	s := m.sums
	m.mu.Unlock()
	u := UsageStatus{Queries: s.queries}
	if s.queries > 0 {
		u.TokensPerQuery = float64(s.tokens) / float64(s.queries)
	}
	if replies := s.calls + s.cached; replies > 0 {
		u.CacheHitRate = float64(s.cached) / float64(replies)
	}
	return u
}

// count fills in who asked, takes out what is not kept, and adds figures to the sums.
func (m *meter) count(v *memory.Metric) {
	v.Agent = cmp.Or(v.Agent, m.agent)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sums.queries++
	m.sums.tokens += v.ContextTokens
	m.sums.calls += v.Calls
	m.sums.cached += v.CacheHits
	if v.Op == memory.OpQuery {
		m.recent = append(m.recent, *v)
		m.recent = slices.Delete(m.recent, 0, max(0, len(m.recent)-maxRecent))
	}
}

// note counts the figures of a search or a context, and has them written with others, later.
func (m *meter) note(v memory.Metric) {
	m.count(&v)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.store == nil || m.closed {
		return
	}
	m.pending = append(m.pending, v)
	if over := len(m.pending) - maxMetered; over > 0 {
		m.pending = slices.Delete(m.pending, 0, over)
		m.set.Dropped(over)
	}
	if m.timer == nil {
		m.timer = time.AfterFunc(meterDelay, m.writeLater)
	}
}

// writeLater is what the timer runs. What can't be written is tried again.
func (m *meter) writeLater() {
	if err := m.write(); err != nil {
		m.log.Warn("write the figures of usage", "err", err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.timer = nil
	if len(m.pending) > 0 && !m.closed {
		m.timer = time.AfterFunc(meterDelay, m.writeLater)
	}
}

func (m *meter) write() error {
	m.writing.Lock()
	defer m.writing.Unlock()
	m.mu.Lock()
	batch := slices.Clone(m.pending)
	m.mu.Unlock()
	if len(batch) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), meterTimeout)
	defer cancel()
	if err := m.store.AddMetrics(ctx, batch); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	// Figures were only added behind the batch, unless there were too many.
	m.pending = slices.Delete(m.pending, 0, min(len(batch), len(m.pending)))
	return nil
}

// close writes what waits, for the last time. Figures that can't be written are no reason to fail.
func (m *meter) close() {
	m.mu.Lock()
	m.closed = true
	if m.timer != nil {
		m.timer.Stop()
	}
	m.mu.Unlock()
	if err := m.write(); err != nil {
		m.log.Warn("write the figures of usage", "err", err)
	}
}

// A retrieval is a search or a context, and for whom.
type retrieval struct{ op, agent, task string }

// retrieved notes a search or a context.
func (m *meter) retrieved(r retrieval, hits []Hit, tokens int, took time.Duration, err error) {
	v := memory.Metric{
		At: m.now(), Op: r.op, Agent: r.agent, TaskID: r.task, Outcome: memory.Succeeded, Timing: memory.Timing{Duration: took}, Retrieved: memory.Retrieved{Retrieval: took, Snippets: len(hits), ContextTokens: tokens},
	}
	for i := range hits {
		v.Characters += len([]rune(hits[i].Text))
		if tokens == 0 {
			v.ContextTokens += hits[i].Tokens
		}
	}
	switch {
	case err != nil && isRefusal(err):
		v.Outcome = memory.Refused
	case err != nil:
		v.Outcome = memory.Failed
	case len(hits) == 0:
		v.Outcome = memory.NothingFound
	}
	m.set.Retrieved(r.op, v.Outcome, took, len(hits))
	m.log.Debug("retrieved", "op", r.op, "retrieval_latency_ms", milliseconds(took), "snippets", len(hits), "outcome", v.Outcome)
	m.note(v)
}

// RecentPhases returns the figures of the latest questions, the latest first.
func (e *Engine) RecentPhases() []memory.Metric {
	e.meter.mu.Lock()
	defer e.meter.mu.Unlock()
	list := slices.Clone(e.meter.recent)
	slices.Reverse(list)
	return list
}

// Metrics returns the counters of this engine, nil when nothing is counted.
func (e *Engine) Metrics() *metrics.Set { return e.meter.set }
