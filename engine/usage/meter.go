package usage

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/engine/snippet"
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

// Options say where figures go.
type Options struct {
	Set   *metrics.Set       // nil counts nothing
	Store memory.MetricStore // nil keeps nothing
	Log   *slog.Logger
	Now   func() time.Time
	Agent string // who asks when a request does not tell
}

// A Meter takes the measure of what the engine does. What is measured never waits for it, and never fails by it:
// it only adds to a list, which is written later. All methods may be called from several goroutines.
type Meter struct {
	Options

	writing sync.Mutex // one at a time

	mu      sync.Mutex
	pending []memory.Metric
	timer   *time.Timer
	closed  bool
	recent  []memory.Metric // of questions, the latest last
	sums    sums
}

// New returns a meter. It starts nothing before there is something to write.
func New(o Options) *Meter { return &Meter{Options: o} }

// sums add up what was noted.
type sums struct{ queries, tokens, calls, cached int }

// A Summary sums up what was asked since the engine began.
type Summary struct {
	Queries        int     // searches, contexts and questions
	CacheHitRate   float64 // share of the replies of models that were kept ones, 0..1; 0 when none was needed
	TokensPerQuery float64 // mean of the tokens of what was retrieved
}

// Summary sums up what was noted.
func (m *Meter) Summary() Summary {
	m.mu.Lock()
	s := m.sums
	m.mu.Unlock()
	u := Summary{Queries: s.queries}
	if s.queries > 0 {
		u.TokensPerQuery = float64(s.tokens) / float64(s.queries)
	}
	if replies := s.calls + s.cached; replies > 0 {
		u.CacheHitRate = float64(s.cached) / float64(replies)
	}
	return u
}

// Count fills in who asked and adds the figures to the sums.
func (m *Meter) Count(v *memory.Metric) {
	v.Agent = cmp.Or(v.Agent, m.Agent)
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
func (m *Meter) note(v memory.Metric) {
	m.Count(&v)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.Store == nil || m.closed {
		return
	}
	m.pending = append(m.pending, v)
	if over := len(m.pending) - maxMetered; over > 0 {
		m.pending = slices.Delete(m.pending, 0, over)
		m.Set.Dropped(over)
	}
	if m.timer == nil {
		m.timer = time.AfterFunc(meterDelay, m.writeLater)
	}
}

// writeLater is what the timer runs. What can't be written is tried again.
func (m *Meter) writeLater() {
	if err := m.write(); err != nil {
		m.Log.Warn("write the figures of usage", "err", err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.timer = nil
	if len(m.pending) > 0 && !m.closed {
		m.timer = time.AfterFunc(meterDelay, m.writeLater)
	}
}

func (m *Meter) write() error {
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
	if err := m.Store.AddMetrics(ctx, batch); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	// Figures were only added behind the batch, unless there were too many.
	m.pending = slices.Delete(m.pending, 0, min(len(batch), len(m.pending)))
	return nil
}

// Close writes what waits, for the last time. Figures that can't be written are no reason to fail.
func (m *Meter) Close() {
	m.mu.Lock()
	m.closed = true
	if m.timer != nil {
		m.timer.Stop()
	}
	m.mu.Unlock()
	if err := m.write(); err != nil {
		m.Log.Warn("write the figures of usage", "err", err)
	}
}

// A Retrieval is a search or a context, and for whom.
type Retrieval struct{ Op, Agent, Task string }

// Retrieved notes a search or a context. tokens is what was handed out; 0 means that of the hits.
func (m *Meter) Retrieved(r Retrieval, hits []snippet.Hit, tokens int, took time.Duration, err error) {
	v := memory.Metric{
		At: m.Now(), Op: r.Op, Agent: r.Agent, TaskID: r.Task, Outcome: memory.Succeeded, Timing: memory.Timing{Duration: took}, Retrieved: memory.Retrieved{Retrieval: took, Snippets: len(hits), ContextTokens: tokens},
	}
	for i := range hits {
		v.Characters += len([]rune(hits[i].Text))
		if tokens == 0 {
			v.ContextTokens += hits[i].Tokens
		}
	}
	switch {
	case fault.IsRefusal(err):
		v.Outcome = memory.Refused
	case err != nil:
		v.Outcome = memory.Failed
	case len(hits) == 0:
		v.Outcome = memory.NothingFound
	}
	m.Set.Retrieved(r.Op, v.Outcome, took, len(hits))
	m.Log.Debug("retrieved", "op", r.Op, "retrieval_latency_ms", float64(took)/float64(time.Millisecond), "snippets", len(hits), "outcome", v.Outcome)
	m.note(v)
}

// Recent returns the figures of the latest questions, the latest first.
func (m *Meter) Recent() []memory.Metric {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := slices.Clone(m.recent)
	slices.Reverse(list)
	return list
}
