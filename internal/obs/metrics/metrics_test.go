package metrics

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// parse reads what a Set writes with Prometheus's own parser.
func parse(t *testing.T, s *Set) map[string]*dto.MetricFamily {
	t.Helper()
	var text bytes.Buffer
	if err := s.Write(&text); err != nil {
		t.Fatal(err)
	}
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(&text)
	if err != nil {
		t.Fatalf("Prometheus can't read it: %v", err)
	}
	return families
}

func TestPrometheusReadsIt(t *testing.T) {
	s := New()
	score := 0.85
	s.Answered(Answer{
		Complexity: "COMPLEX", Outcome: "ok", Took: 1500 * time.Millisecond, Score: &score, CacheHits: 2, Supported: 4, Unsupported: 1,
		ContextTokens: 1000, UsefulTokens: 400, Phases: map[string]time.Duration{"VERIFY (Synthesis)": 10 * time.Millisecond},
	})
	s.Retried("VERIFY")
	s.AgentWorked("llm-executor", 20*time.Second)
	s.Called("solve", "", 100, 20, 0.5)
	s.Called("solve", "timeout", -1, 0, math.NaN())
	s.Retrieved("search", "ok", 3*time.Millisecond, 10)
	s.Gauge("aurora_index_files", "Files.", func() float64 { return 12 })
	got := parse(t, s)
	for name, want := range map[string]float64{
		"aurora_queries_total": 1, "aurora_cache_hits": 2, "aurora_retry_count": 1, "aurora_llm_calls": 2, "aurora_llm_faults": 1, "aurora_cost_usd_total": 0.5,
		"aurora_snippets_total": 10, "aurora_metrics_dropped_total": 0,
	} {
		if f := got[name]; f == nil || f.GetType() != dto.MetricType_COUNTER || len(f.Metric) != 1 || f.Metric[0].GetCounter().GetValue() != want {
			t.Errorf("%s: %v, want %v", name, f, want)
		}
	}
	for name, want := range map[string]float64{
		"aurora_query_complexity": 3, "aurora_verification_score": 0.85, "aurora_agent_latency_ms": 20000, "aurora_token_efficiency": 0.4,
		"aurora_query_duration_ms": 1500, "aurora_phase_duration_ms": 10, "aurora_retrieval_latency_ms": 3,
	} {
		f := got[name]
		if f == nil || f.GetType() != dto.MetricType_HISTOGRAM || len(f.Metric) != 1 {
			t.Errorf("%s: %v", name, f)
			continue
		}
		h := f.Metric[0].GetHistogram()
		if h.GetSampleSum() != want || h.GetSampleCount() != 1 || len(h.Bucket) < 5 || !math.IsInf(h.Bucket[len(h.Bucket)-1].GetUpperBound(), 1) {
			t.Errorf("%s: %v", name, h)
		}
		for _, b := range h.Bucket {
			if in := b.GetUpperBound() >= want; (b.GetCumulativeCount() == 1) != in {
				t.Errorf("%s: the bucket up to %v has %d", name, b.GetUpperBound(), b.GetCumulativeCount())
			}
		}
	}
	if f := got["aurora_index_files"]; f.GetType() != dto.MetricType_GAUGE || f.Metric[0].GetGauge().GetValue() != 12 {
		t.Errorf("the gauge is %v", f)
	}
	if got["aurora_tokens_used"].Metric[0].GetLabel()[0].GetName() != "kind" || got["go_goroutines"] == nil {
		t.Error("labels or figures of the process are missing")
	}
}

func TestOddLabels(t *testing.T) {
	s := New()
	for _, name := range []string{`quo"te`, `back\slash`, "new\nline", "bad\xffutf8", "", "{}=,"} {
		s.AgentWorked(name, time.Millisecond)
	}
	f := parse(t, s)["aurora_agent_latency_ms"]
	var names []string
	for _, m := range f.Metric {
		names = append(names, m.GetLabel()[0].GetValue())
	}
	if all := strings.Join(names, "|"); len(names) != 6 || !strings.Contains(all, `quo"te`) || !strings.Contains(all, `back\slash`) || !strings.Contains(all, "new\nline") {
		t.Errorf("labels %q", names)
	}
}

// TestNamesAreBounded checks that names which clients give themselves can't fill the memory.
func TestNamesAreBounded(t *testing.T) {
	s := New()
	for i := range 10 * maxFigures {
		s.AgentWorked(fmt.Sprint("agent ", i), time.Millisecond)
	}
	f := parse(t, s)["aurora_agent_latency_ms"]
	total := uint64(0)
	for _, m := range f.Metric {
		total += m.GetHistogram().GetSampleCount()
	}
	if len(f.Metric) > maxFigures+1 || total != 10*maxFigures {
		t.Errorf("%d figures with %d observations", len(f.Metric), total)
	}
}

func TestNilCountsNothing(t *testing.T) {
	var s *Set
	s.Answered(Answer{})
	s.Retrieved("search", "ok", time.Second, 1)
	s.Called("x", "", 1, 1, 1)
	s.Retried("x")
	s.AgentWorked("x", time.Second)
	s.Dropped(1)
	s.Gauge("x", "x", nil)
	if err := s.Write(nil); err != nil {
		t.Error(err)
	}
}

// TestConcurrent has a gauge that counts, while others count and read.
func TestConcurrent(t *testing.T) {
	s := New()
	s.Gauge("odd", "A gauge that counts.", func() float64 { s.Dropped(1); return 1 })
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for i := range 200 {
				s.Called("solve", "", 1, 1, 0)
				if i%50 == 0 {
					parse(t, s)
				}
			}
		})
	}
	group.Wait()
	if v := parse(t, s)["aurora_llm_calls"].Metric[0].GetCounter().GetValue(); v != 1600 {
		t.Errorf("counted %v", v)
	}
}
