package sqlite

import (
	"bytes"
	"errors"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/memory"
)

func metricsOf(t *testing.T, s *Store, days memory.Span) []memory.Metric {
	t.Helper()
	var list []memory.Metric
	if err := s.Metrics(t.Context(), days, func(m memory.Metric) error { list = append(list, m); return nil }); err != nil {
		t.Fatal(err)
	}
	return list
}

func openMetrics(t *testing.T, path string, now time.Time) *Store {
	t.Helper()
	s, err := Open(t.Context(), path, Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestMetricsComeBack(t *testing.T) {
	at := time.Date(2026, 3, 15, 1, 30, 0, 0, time.FixedZone("east", 5*3600)) // the 14th in UTC
	path := filepath.Join(t.TempDir(), "memory.db")
	s := openMetrics(t, path, at)
	score := 0.75
	want := memory.Metric{
		At: at, Op: memory.OpQuery, Agent: "claude-code", TaskID: "T-1", QueryID: "aurora-1", Outcome: memory.Succeeded, Complexity: "COMPLEX", Notes: "n",
		Timing: memory.Timing{Duration: 1500 * time.Millisecond, Phases: []memory.PhaseTime{{Phase: "ASSESS", DurationMs: 1.5, Percentage: 0.1}}}, Retrieved: memory.Retrieved{Retrieval: 20 * time.Millisecond, Snippets: 3, SnippetsUsed: 2, Characters: 4, ContextTokens: 5, UsefulTokens: 4}, ModelUse: memory.ModelUse{TokensIn: 3, TokensCached: 1, TokensOut: 2, USD: 0.01, Calls: 7, CacheHits: 8},
		Verdict: memory.Verdict{Claims: 6, Unsupported: 1, Score: &score, Confidence: 0.8}, Record: "r",

		Providers: []memory.ProviderShare{{Provider: "keyword", Provided: 3, Used: 2, ScoreSum: 1.5, LatencyMs: 20}},
	}
	if err := s.AddMetrics(t.Context(), []memory.Metric{want, {At: at, Op: memory.OpSearch}}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = openMetrics(t, path, at)
	defer s.Close()
	got := metricsOf(t, s, memory.Span{First: "2026-03-15", Last: "2026-03-15"})
	if len(got) != 2 || !got[0].At.Equal(at) || got[0].Day != "2026-03-15" {
		t.Fatalf("got %+v", got)
	}
	want.At, want.Day = got[0].At, got[0].Day
	if !reflect.DeepEqual(got[0], want) {
		t.Errorf("got\n%+v, want\n%+v", got[0], want)
	}
	if got[1].Score != nil || len(got[1].Phases) > 0 {
		t.Errorf("a search came back as %+v", got[1])
	}
	if list := metricsOf(t, s, memory.Span{Last: "2026-03-14"}); len(list) != 0 {
		t.Errorf("the day before has %+v", list)
	}
}

func TestBadMetricsAreRefused(t *testing.T) {
	s := openMetrics(t, filepath.Join(t.TempDir(), "memory.db"), time.Now())
	defer s.Close()
	good := memory.Metric{At: time.Now(), Op: memory.OpAfter}
	for name, spoil := range map[string]func(*memory.Metric){
		"no operation": func(m *memory.Metric) { m.Op = "" },
		"no time":      func(m *memory.Metric) { m.At = time.Time{} },
		"long name":    func(m *memory.Metric) { m.TaskID = strings.Repeat("x", maxMetricText+1) },
		"tokens":       func(m *memory.Metric) { m.TokensIn = -1 },
	} {
		bad := good
		spoil(&bad)
		if err := s.AddMetrics(t.Context(), []memory.Metric{good, bad}); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if list := metricsOf(t, s, memory.Span{}); len(list) != 0 {
		t.Errorf("a refused list left %+v", list)
	}
}

// TestDashboards has the example of the requirements: 7000 tokens before, 1400 after.
func TestDashboards(t *testing.T) {
	now := time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)
	s := openMetrics(t, filepath.Join(t.TempDir(), "memory.db"), now)
	defer s.Close()
	task := func(id, op string, day, in, out int) memory.Metric {
		return memory.Metric{At: now.AddDate(0, 0, day), Op: op, TaskID: id, ModelUse: memory.ModelUse{TokensIn: in, TokensOut: out}}
	}
	if err := s.AddMetrics(t.Context(), []memory.Metric{
		task("A", memory.OpBefore, -3, 5000, 2000), task("A", memory.OpAfter, -1, 1000, 400),
		task("B", memory.OpBefore, -3, 90, 10), task("B", memory.OpBefore, -3, 100, 200), task("B", memory.OpAfter, 0, 300, 0), // dearer with
		task("only before", memory.OpBefore, 0, 5, 5), task("only after", memory.OpAfter, 0, 50, 50), task("free", memory.OpBefore, 0, 0, 0),
	}); err != nil {
		t.Fatal(err)
	}
	savings, err := s.Savings(t.Context(), 10)
	want := []memory.Saving{{TaskID: "A", Before: 7000, After: 1400, Reduction: 80}, {TaskID: "B", Before: 200, After: 300, Reduction: -50}}
	if err != nil || !reflect.DeepEqual(savings, want) {
		t.Errorf("savings %+v, %v", savings, err)
	}
	trend, err := s.TokenTrend(t.Context())
	if err != nil || !reflect.DeepEqual(trend, []memory.DayTokens{{Day: "2026-03-14", Tokens: 1400, Tasks: 1}, {Day: "2026-03-15", Tokens: 200, Tasks: 2}}) {
		t.Errorf("trend %+v, %v", trend, err)
	}
}

func TestOldLookupsGo(t *testing.T) {
	now := time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)
	s := openMetrics(t, filepath.Join(t.TempDir(), "memory.db"), now)
	defer s.Close()
	old := now.Add(-keepLookups - 48*time.Hour)
	if err := s.AddMetrics(t.Context(), []memory.Metric{{At: old, Op: memory.OpSearch}, {At: old, Op: memory.OpQuery}, {At: now, Op: memory.OpSearch}}); err != nil {
		t.Fatal(err)
	}
	if list := metricsOf(t, s, memory.Span{}); len(list) != 2 || list[0].Op != memory.OpQuery {
		t.Errorf("left are %+v", list)
	}
}

func TestMetricsAreExported(t *testing.T) {
	now := time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)
	from := openMetrics(t, filepath.Join(t.TempDir(), "memory.db"), now)
	defer from.Close()
	if err := from.AddMetrics(t.Context(), []memory.Metric{{At: now, Op: memory.OpQuery, ModelUse: memory.ModelUse{Calls: 3}, Timing: memory.Timing{Phases: []memory.PhaseTime{{Phase: "ASSESS"}}}}}); err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if _, err := from.Export(t.Context(), &text); err != nil {
		t.Fatal(err)
	}
	to := openMetrics(t, filepath.Join(t.TempDir(), "memory.db"), now)
	defer to.Close()
	for range 2 { // the second time changes nothing
		if _, err := to.Import(t.Context(), bytes.NewReader(text.Bytes())); err != nil {
			t.Fatal(err)
		}
	}
	if list := metricsOf(t, to, memory.Span{}); len(list) != 1 || list[0].Calls != 3 {
		t.Errorf("imported %+v", list)
	}
}
