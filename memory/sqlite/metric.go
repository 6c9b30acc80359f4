package sqlite

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/aurora-sidecar/aurora/memory"
)

var _ memory.MetricStore = (*Store)(nil)

const (
	// keepLookups is how long the figures of searches and contexts are kept; those of questions stay. Editors search
	// while people type, so these are the many.
	keepLookups = 180 * 24 * time.Hour

	// maxMetricText is the most bytes of a name or a note.
	maxMetricText = 1024
)

// metricColumns are the columns in the order of metricValues and scanMetric.
const metricColumns = `at_ms, day, op, agent, task_id, tokens_input, tokens_output, notes, query_id, outcome, complexity, duration_ms,
	retrieval_ms, snippets, snippets_used, characters, context_tokens, useful_tokens, claims, unsupported, score, confidence,
	cost_usd, calls, cache_hits, record, phases, providers, tokens_cached`

// metrics are the figures of what was done: a view of the journal.
type metrics struct {
	*database
	uses *uses
}

// AddMetrics implements memory.MetricStore.
func (m metrics) AddMetrics(ctx context.Context, list []memory.Metric) error {
	for i := range list {
		if err := checkMetric(&list[i]); err != nil {
			return fmt.Errorf("note metrics: %w", err)
		}
	}
	err := m.write(ctx, func(tx tx) error {
		for i := range list {
			if _, err := insertEntry(ctx, tx, &memory.JournalEntry{Metric: list[i]}, 0); err != nil {
				return err
			}
		}
		return trimJournal(ctx, tx, 0)
	})
	if err != nil {
		return fmt.Errorf("note metrics: %w", err)
	}
	return nil
}

func checkMetric(m *memory.Metric) error {
	if m.Op == "" || m.At.IsZero() {
		return fmt.Errorf("%w: a metric needs a time and an operation", memory.ErrInvalid)
	}
	for _, text := range []string{m.Op, m.Agent, m.TaskID, m.QueryID, m.Notes} {
		if len(text) > maxMetricText {
			return fmt.Errorf("%w: a name or note has at most %d bytes (got %d)", memory.ErrInvalid, maxMetricText, len(text))
		}
	}
	if m.TokensIn < 0 || m.TokensOut < 0 {
		return fmt.Errorf("%w: tokens must not be negative", memory.ErrInvalid)
	}
	return nil
}

func metricValues(m *memory.Metric) ([]any, error) {
	phases, err := jsonOf(m.Phases)
	if err != nil {
		return nil, err
	}
	providers, err := jsonOf(m.Providers)
	if err != nil {
		return nil, err
	}
	return []any{
		toMs(m.At), m.At.Format(time.DateOnly), m.Op, m.Agent, withoutSecrets(m.TaskID), m.TokensIn, m.TokensOut, m.Notes, m.QueryID, m.Outcome, m.Complexity,
		inMs(m.Duration), inMs(m.Retrieval), m.Snippets, m.SnippetsUsed, m.Characters, m.ContextTokens, m.UsefulTokens, m.Claims, m.Unsupported,
		m.Score, m.Confidence, m.USD, m.Calls, m.CacheHits, m.Record, phases, providers, m.TokensCached,
	}, nil
}

func inMs(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func jsonOf[T any](list []T) (string, error) {
	if len(list) == 0 {
		return "[]", nil
	}
	text, err := json.Marshal(list)
	return string(text), err
}

// spanned is the condition of a Span, with its two arguments.
const spanned = `day >= ? AND day <= ?`

func spanArgs(days memory.Span) []any {
	return []any{days.First, cmp.Or(days.Last, "9999-12-31")}
}

// Metrics implements memory.MetricStore.
func (m metrics) Metrics(ctx context.Context, days memory.Span, f func(memory.Metric) error) error {
	rows, err := m.db.QueryContext(ctx, `SELECT `+metricColumns+` FROM usage_metrics WHERE `+spanned+` ORDER BY at_ms, seq`, spanArgs(days)...)
	if err != nil {
		return fmt.Errorf("read metrics: %w", err)
	}
	err = each(rows, func() error {
		m, err := scanMetric(rows)
		if err != nil {
			return err
		}
		return f(m)
	})
	if err != nil {
		return fmt.Errorf("read metrics: %w", err)
	}
	return nil
}

type scanner interface{ Scan(places ...any) error }

func scanMetric(row scanner) (m memory.Metric, err error) {
	var at int64
	var took, retrieval float64
	var phases, providers []byte
	err = row.Scan(&at, &m.Day, &m.Op, &m.Agent, &m.TaskID, &m.TokensIn, &m.TokensOut, &m.Notes, &m.QueryID, &m.Outcome, &m.Complexity,
		&took, &retrieval, &m.Snippets, &m.SnippetsUsed, &m.Characters, &m.ContextTokens, &m.UsefulTokens, &m.Claims, &m.Unsupported,
		&m.Score, &m.Confidence, &m.USD, &m.Calls, &m.CacheHits, &m.Record, &phases, &providers, &m.TokensCached)
	if err != nil {
		return m, err
	}
	m.At = fromMs(at)
	m.Duration, m.Retrieval = time.Duration(took*float64(time.Millisecond)), time.Duration(retrieval*float64(time.Millisecond))
	if err := json.Unmarshal(phases, &m.Phases); err != nil {
		return m, err
	}
	return m, json.Unmarshal(providers, &m.Providers)
}

// Savings implements memory.MetricStore (Annex M of the requirements, 1).
func (m metrics) Savings(ctx context.Context, limit int) ([]memory.Saving, error) {
	rows, err := m.db.QueryContext(ctx, `SELECT task_id, before, after, (before - after) / before * 100 AS reduction FROM (
			SELECT task_id,
				avg(tokens_input + tokens_output) FILTER (WHERE op = 'before_integration') AS before,
				avg(tokens_input + tokens_output) FILTER (WHERE op = 'after_integration')  AS after
			FROM usage_metrics WHERE task_id <> '' GROUP BY task_id)
		WHERE before > 0 AND after IS NOT NULL ORDER BY reduction DESC, task_id LIMIT ?`, limit)
	if err != nil {
		return nil, fmt.Errorf("compare tasks: %w", err)
	}
	return collect(rows, "compare tasks", func(v *memory.Saving) []any { return []any{&v.TaskID, &v.Before, &v.After, &v.Reduction} })
}

// TokenTrend implements memory.MetricStore (Annex M, 3).
func (m metrics) TokenTrend(ctx context.Context) ([]memory.DayTokens, error) {
	rows, err := m.db.QueryContext(ctx, `SELECT day, avg(tokens_input + tokens_output), count(*) FROM usage_metrics
		WHERE op = 'after_integration' GROUP BY day ORDER BY day`)
	if err != nil {
		return nil, fmt.Errorf("read the trend of tokens: %w", err)
	}
	return collect(rows, "read the trend of tokens", func(v *memory.DayTokens) []any { return []any{&v.Day, &v.Tokens, &v.Tasks} })
}

// ProviderEffects implements memory.MetricStore.
func (m metrics) ProviderEffects(ctx context.Context, days memory.Span) ([]memory.ProviderEffect, error) {
	rows, err := m.db.QueryContext(ctx, `SELECT p.value ->> 'provider' AS provider, count(*), sum(p.value ->> 'provided') AS provided,
			sum(p.value ->> 'used') AS used, coalesce(total(p.value ->> 'score_sum') / nullif(sum(p.value ->> 'provided'), 0), 0),
			avg(p.value ->> 'latency_ms'), avg(calls = 0 AND cache_hits > 0)
		FROM usage_metrics, json_each(providers) p WHERE op = 'query' AND `+spanned+` GROUP BY provider ORDER BY used DESC, provider`, spanArgs(days)...)
	if err != nil {
		return nil, fmt.Errorf("sum up the providers: %w", err)
	}
	return collect(rows, "sum up the providers", func(v *memory.ProviderEffect) []any {
		return []any{&v.Provider, &v.Queries, &v.Provided, &v.Used, &v.AvgScore, &v.LatencyMs, &v.CacheRate}
	})
}

// Ratings implements memory.MetricStore. Being told to be wrong counts as -1, being accepted as 1; the weight of a
// rating is the rating itself, as long as memory.use_weights.rated is 1.
func (m metrics) Ratings(ctx context.Context, days memory.Span) ([]memory.Rating, error) {
	if err := m.uses.flush(ctx); err != nil {
		return nil, fmt.Errorf("read ratings: %w", err)
	}
	rows, err := m.db.QueryContext(ctx, `SELECT score, (SELECT avg(max(-1, min(1, CASE action WHEN 'rated' THEN weight WHEN 'rejected' THEN -1 ELSE 1 END)))
			FROM access_events WHERE subject = record AND action IN ('rated', 'rejected', 'accepted')) AS rating
		FROM usage_metrics WHERE op = 'query' AND score IS NOT NULL AND record <> '' AND rating IS NOT NULL AND `+spanned+` ORDER BY at_ms`, spanArgs(days)...)
	if err != nil {
		return nil, fmt.Errorf("read ratings: %w", err)
	}
	return collect(rows, "read ratings", func(v *memory.Rating) []any { return []any{&v.Score, &v.Rating} })
}

// Growth implements memory.MetricStore.
func (m metrics) Growth(ctx context.Context, zone *time.Location) ([]memory.Growth, error) {
	rows, err := m.db.QueryContext(ctx, `SELECT created_at_ms, type, is_pattern FROM records WHERE deleted_at_ms IS NULL ORDER BY created_at_ms`)
	if err != nil {
		return nil, fmt.Errorf("read the growth of memory: %w", err)
	}
	var days []memory.Growth
	err = each(rows, func() error {
		var at int64
		var kind memory.Type
		var pattern bool
		if err := rows.Scan(&at, &kind, &pattern); err != nil {
			return err
		}
		day := time.UnixMilli(at).In(zone).Format(time.DateOnly)
		if len(days) == 0 || days[len(days)-1].Day != day {
			days = append(days, memory.Growth{Day: day})
		}
		last := &days[len(days)-1]
		if kind == memory.Reasoning {
			last.Reasoning++
		} else {
			last.Knowledge++
		}
		if pattern {
			last.Patterns++
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the growth of memory: %w", err)
	}
	return days, nil
}

// collect scans all rows into the places that of names.
func collect[T any](rows interface {
	scanner
	Next() bool
	Err() error
	Close() error
}, doing string, of func(*T) []any) (list []T, err error) {
	defer rows.Close()
	for rows.Next() {
		var v T
		if err := rows.Scan(of(&v)...); err != nil {
			return nil, fmt.Errorf("%s: %w", doing, err)
		}
		list = append(list, v)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", doing, err)
	}
	return list, nil
}

// MetricSums implements memory.MetricStore.
func (m metrics) MetricSums(ctx context.Context, since time.Time) ([]memory.MetricSum, error) {
	rows, err := m.db.QueryContext(ctx, `SELECT op, count(*), sum(tokens_input), sum(tokens_output), max(at_ms) FROM usage_metrics
		WHERE at_ms >= ? GROUP BY op ORDER BY count(*) DESC, op`, toMs(since))
	if err != nil {
		return nil, fmt.Errorf("sum metrics up: %w", err)
	}
	var sums []memory.MetricSum
	err = each(rows, func() error {
		var m memory.MetricSum
		var last int64
		err := rows.Scan(&m.Op, &m.Count, &m.TokensInput, &m.TokensOutput, &last)
		m.Last = fromMs(last)
		sums = append(sums, m)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("sum metrics up: %w", err)
	}
	return sums, nil
}
