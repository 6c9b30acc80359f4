package report

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/sqlite"
	"github.com/aurora-sidecar/aurora/memory/sqlite/sqlitetest"
)

// noon is in a zone far from UTC, so that a report that reckons in UTC is wrong by a day.
var noon = time.Date(2026, 3, 15, 12, 0, 0, 0, time.FixedZone("far", 13*3600))

func open(t *testing.T) *sqlite.Store {
	t.Helper()
	s := sqlitetest.Open(t, sqlite.Options{Now: func() time.Time { return noon }})
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func note(t *testing.T, s memory.MetricStore, list ...memory.Metric) {
	t.Helper()
	if err := s.AddMetrics(t.Context(), list); err != nil {
		t.Fatal(err)
	}
}

func scored(at time.Time, score float64) memory.Metric {
	return memory.Metric{
		At: at, Op: memory.OpQuery, Agent: "cli", Outcome: memory.Succeeded, Complexity: "MEDIUM",
		Timing: memory.Timing{
			Duration: 2 * time.Second,
			Phases:   []memory.PhaseTime{{Phase: "RETRIEVE", DurationMs: 20, Percentage: 1}, {Phase: "ASSESS", DurationMs: 1, Percentage: 0.1}, {Phase: "COLLECT", DurationMs: 1900, Percentage: 95}},
		},
		Retrieved: memory.Retrieved{Retrieval: 20 * time.Millisecond, Snippets: 10, SnippetsUsed: 4, ContextTokens: 2000, UsefulTokens: 500},
		ModelUse:  memory.ModelUse{USD: 0.02, Calls: 3, CacheHits: 1, TokensIn: 1000, TokensCached: 250, TokensOut: 200},
		Verdict:   memory.Verdict{Score: &score, Claims: 5, Unsupported: 1},
		Providers: []memory.ProviderShare{{Provider: "keyword", Provided: 10, Used: 4, ScoreSum: 5, LatencyMs: 20}},
	}
}

func made(t *testing.T, s memory.MetricStore, p Period, err error) *Report {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	r, err := Make(t.Context(), s, p, noon)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestADayIsThatOfThePerson(t *testing.T) {
	s := open(t)
	zone := noon.Location()
	note(t, s,
		scored(time.Date(2026, 3, 14, 23, 59, 59, 0, zone), 0.9), // 14 March in UTC, too
		scored(time.Date(2026, 3, 15, 0, 0, 0, 0, zone), 0.8),    // 14 March in UTC
		scored(time.Date(2026, 3, 15, 11, 0, 0, 0, zone), 0.6),
	)
	p, err := Day("", noon)
	r := made(t, s, p, err)
	if r.Period != "2026-03-15" || r.Totals.Queries != 2 || r.Totals.Accuracy != 0.7 || r.Before == nil || r.Before.Queries != 1 {
		t.Errorf("today: %+v, before %+v", r.Totals, r.Before)
	}
	p, err = Day("2026-03-14", noon)
	if r := made(t, s, p, err); r.Totals.Queries != 1 || r.Totals.Accuracy != 0.9 {
		t.Errorf("yesterday: %+v", r.Totals)
	}
}

func TestMonths(t *testing.T) {
	for month, want := range map[string][4]string{
		"2026-02": {"2026-02-01", "2026-02-28", "2026-01-01", "2026-01-31"},
		"2024-02": {"2024-02-01", "2024-02-29", "2024-01-01", "2024-01-31"},
		"2026-03": {"2026-03-01", "2026-03-31", "2026-02-01", "2026-02-28"},
		"2026-01": {"2026-01-01", "2026-01-31", "2025-12-01", "2025-12-31"},
	} {
		p, err := Month(month, noon)
		if got := [4]string{p.Days.First, p.Days.Last, p.Prior.First, p.Prior.Last}; err != nil || got != want {
			t.Errorf("%s: %v, %v; want %v", month, got, err, want)
		}
	}
	s := open(t)
	zone := noon.Location()
	note(t, s, scored(time.Date(2026, 2, 28, 23, 0, 0, 0, zone), 0.5), scored(time.Date(2026, 3, 1, 0, 30, 0, 0, zone), 0.9))
	p, err := Month("2026-02", noon)
	if r := made(t, s, p, err); r.Totals.Queries != 1 || len(r.Steps) != 28 || r.Steps[27].Queries != 1 {
		t.Errorf("February has %+v in %d steps", r.Totals, len(r.Steps))
	}
	p, err = Month("", noon)
	if r := made(t, s, p, err); r.Totals.Queries != 1 || len(r.Steps) != 15 || r.Last != "2026-03-15" {
		t.Errorf("March has %+v in %d steps up to %s: days to come don't belong there", r.Totals, len(r.Steps), r.Last)
	}
	for _, bad := range []string{"2026-13", "2026", "March", "2026-02-01"} {
		if _, err := Month(bad, noon); err == nil {
			t.Errorf("month %q gave no error", bad)
		}
	}
	for _, bad := range []string{"2026-02-30", "2026-02", "yesterday", "2026-2-3"} {
		if _, err := Day(bad, noon); err == nil {
			t.Errorf("day %q gave no error", bad)
		}
	}
}

func TestFigures(t *testing.T) {
	s := open(t)
	failed := memory.Metric{At: noon, Op: memory.OpQuery, Agent: "editor", Outcome: memory.Failed, Complexity: "SIMPLE", Timing: memory.Timing{Duration: time.Second}}
	nothing := failed
	nothing.Outcome = memory.NothingFound
	search := memory.Metric{At: noon, Op: memory.OpSearch, Agent: "editor", Outcome: memory.Succeeded, Timing: memory.Timing{Duration: time.Millisecond}, Retrieved: memory.Retrieved{Retrieval: time.Millisecond, Snippets: 7}}
	task := memory.Metric{At: noon, Op: memory.OpBefore, TaskID: "T", ModelUse: memory.ModelUse{TokensIn: 7000}}
	note(t, s, scored(noon, 0.5), scored(noon, 0.7), scored(noon, 0.8), scored(noon, 1), failed, nothing, search, task)
	r := made(t, s, AllTime(noon), nil)
	want := Totals{
		Outcomes:     Outcomes{Queries: 6, Answered: 4, Nothing: 1, Errors: 1, Searches: 1},
		Verification: Verification{Verified: 4, Accuracy: 0.75, Claims: 20, Hallucination: 0.2},
		ModelUse:     ModelUse{CacheHits: 4, CacheHitRate: 0.25, Calls: 12, TokensIn: 4000, TokensCached: 1000, CachedShare: 0.25, TokensOut: 800, USD: 0.08},
		MeanMs:       1666.7, P95Ms: 2000,
		Retrieval: Retrieval{RetrievalMs: 16.2, Snippets: 47, ContextTokens: 8000, ContextHitRate: 0.4, TokenEfficiency: 0.25},
	}
	if r.Totals != want {
		t.Errorf("totals\n%+v, want\n%+v", r.Totals, want)
	}
	if r.Learning.Improvement != 0.3 || r.Bottleneck != "COLLECT" || r.Phases[0].Phase != "ASSESS" {
		t.Errorf("learning %+v, phases %+v, bottleneck %s", r.Learning, r.Phases, r.Bottleneck)
	}
	if len(r.Providers) != 1 || r.Providers[0].Used != 16 || r.Providers[0].AvgScore != 0.5 {
		t.Errorf("providers %+v", r.Providers)
	}
}

// TestCalibration rates two of three answers.
func TestCalibration(t *testing.T) {
	s := open(t)
	for i, rating := range []float64{-1, 1, 0} {
		saved, _, err := s.Remember(t.Context(), memory.Record{Type: memory.Reasoning, Content: strings.Repeat("an answer ", i+1)})
		if err != nil {
			t.Fatal(err)
		}
		m := scored(noon, []float64{0.3, 0.95, 1}[i])
		m.Record = saved.ID
		note(t, s, m)
		if rating != 0 {
			if err := s.Use(t.Context(), []string{saved.ID}, memory.Rated, rating); err != nil {
				t.Fatal(err)
			}
		}
	}
	r := made(t, s, AllTime(noon), nil)
	low, high := r.Calibration[1], r.Calibration[4]
	if low.Answers != 1 || low.Rated != 1 || low.Rating != -1 || high.Answers != 2 || high.Rated != 1 || high.Rating != 1 {
		t.Errorf("low %+v, high %+v", low, high)
	}
	if len(r.Memory) != 1 || r.Memory[0].Reasoning != 3 || r.Memory[0].Day != "2026-03-15" {
		t.Errorf("memory %+v", r.Memory)
	}
}

// TestForms checks all forms of an empty report and of one whose names are hostile.
func TestForms(t *testing.T) {
	full := open(t)
	for day := range 200 { // more days than are shown one by one
		m := scored(noon.AddDate(0, 0, -day), float64(day%10)/10)
		m.Agent, m.TaskID = `<script>alert("x")</script>|`, `</table><img src=x onerror=y>|`
		note(t, full, m)
		m.Op = memory.OpBefore
		note(t, full, m)
		m.Op = memory.OpAfter
		note(t, full, m)
	}
	for name, s := range map[string]memory.MetricStore{"empty": open(t), "full": full} {
		day, _ := Day("", noon)
		month, _ := Month("", noon)
		for _, p := range []Period{day, month, AllTime(noon)} {
			r := made(t, s, p, nil)
			checkForms(t, name+" "+string(p.Kind), r)
			if name == "full" && p.Kind == Cumulative && (len(r.Steps) != 8 || len(r.Steps[0].Name) != len("2006-01")) {
				t.Errorf("200 days are shown in %d steps", len(r.Steps))
			}
		}
	}
}

func checkForms(t *testing.T, name string, r *Report) {
	t.Helper()
	var md, js, html, again bytes.Buffer
	if err := errors.Join(r.Markdown(&md), r.JSON(&js), r.HTML(&html), r.HTML(&again)); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var back Report
	if err := json.Unmarshal(js.Bytes(), &back); err != nil || back.Totals != r.Totals || bytes.Contains(js.Bytes(), []byte("null")) {
		t.Errorf("%s: JSON does not come back: %v\n%s", name, err, js.String())
	}
	if !bytes.Equal(html.Bytes(), again.Bytes()) {
		t.Errorf("%s: the page differs from itself", name)
	}
	page := html.String()
	for _, bad := range []string{"<script", "<img", "http://", "https://", "@import", "url(", "NaN", "Inf"} {
		if strings.Contains(page, bad) {
			t.Errorf("%s: the page has %s", name, bad)
		}
	}
	for _, bad := range []string{"<script", "<img", "NaN"} {
		if strings.Contains(md.String(), bad) {
			t.Errorf("%s: the text has %s", name, bad)
		}
	}
	wellFormed(t, name, page)
}

// wellFormed checks that every drawing is well-formed.
func wellFormed(t *testing.T, name, page string) {
	t.Helper()
	for {
		_, rest, found := strings.Cut(page, "<svg")
		if !found {
			return
		}
		svg, after, _ := strings.Cut(rest, "</svg>")
		for d := xml.NewDecoder(strings.NewReader("<svg" + svg + "</svg>")); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v in <svg%s", name, err, svg)
			}
		}
		page = after
	}
}

func TestSave(t *testing.T) {
	s := open(t)
	note(t, s, scored(noon, 0.9))
	p, err := Day("", noon)
	r := made(t, s, p, err)
	folder := filepath.Join(t.TempDir(), "reports", "daily")
	paths, err := r.Save(folder)
	if err != nil || len(paths) != 3 {
		t.Fatalf("%v, %v", paths, err)
	}
	if _, err := r.Save(folder); err != nil {
		t.Errorf("again: %v", err)
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 3 {
		t.Errorf("the folder holds %v, %v", entries, err)
	}
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Save(filepath.Join(blocked, "daily")); err == nil {
		t.Error("a file in place of the folder gave no error")
	}
}

func TestACancelledReportEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Make(ctx, open(t), AllTime(noon), noon); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestNiceTop(t *testing.T) {
	for high, want := range map[float64][2]float64{0: {1, 0.5}, 1: {1, 0.25}, 3: {3, 1}, 7: {8, 2}, 100: {100, 25}, 101: {150, 50}, 0.013: {0.015, 0.005}} {
		top, step := niceTop(high)
		if round(top, 6) != want[0] || round(step, 6) != want[1] {
			t.Errorf("niceTop(%v) = %v, %v; want %v", high, top, step, want)
		}
	}
}
