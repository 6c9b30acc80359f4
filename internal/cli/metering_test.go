package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/memory"
)

// TestReportsAndCountersAreWritten turns the clock of a server: counters go to the file that is set, and the reports of the
// day and the month before are written once, on the days of the person's calendar.
func TestReportsAndCountersAreWritten(t *testing.T) {
	p := smallProject(t)
	export := filepath.Join(p.home, "metrics.prom")
	t.Setenv("AURORA_METRICS_EXPORT_FILE", export)
	c := p.cli()
	parts, err := workspace.Wire(t.Context(), c, workspace.Wiring{Root: p.dir, Folders: []string{p.dir}, Server: true})
	if err != nil {
		t.Fatal(err)
	}
	defer parts.Close()
	store := parts.Memory.(memory.MetricStore)
	zone := time.FixedZone("far", 13*3600)
	last := time.Date(2025, 12, 31, 23, 59, 0, 0, zone) // the end of a day, a month and a year; still noon in UTC
	if err := store.AddMetrics(t.Context(), []memory.Metric{{At: last, Op: memory.OpQuery, Agent: "cli", Outcome: memory.Succeeded, ModelUse: memory.ModelUse{USD: 0.25}}}); err != nil {
		t.Fatal(err)
	}
	m := parts.Metering(workspace.Wiring{Server: true})
	ctx, cancel := context.WithCancel(t.Context())
	exports, looks, ended := make(chan time.Time), make(chan time.Time), make(chan struct{})
	go func() {
		defer close(ended)
		parts.KeepWriting(ctx, m, exports, nil, looks)
	}()
	exports <- last
	looks <- time.Date(2026, 1, 1, 0, 30, 0, 0, zone)
	looks <- time.Date(2026, 1, 1, 1, 30, 0, 0, zone) // nothing is due any more
	cancel()
	<-ended
	text, err := os.ReadFile(export)
	if err != nil || !strings.Contains(string(text), "aurora_") {
		t.Errorf("counters %q, %v", text, err)
	}
	reports := filepath.Join(p.home, ".aurora", "reports")
	for _, name := range []string{"daily/2025-12-31", "monthly/2025-12"} {
		for _, ending := range []string{".md", ".json", ".html"} {
			if _, err := os.Stat(filepath.Join(reports, name+ending)); err != nil {
				t.Error(err)
			}
		}
	}
	daily, err := os.ReadFile(filepath.Join(reports, "daily", "2025-12-31.md"))
	if err != nil || !strings.Contains(string(daily), "| Questions | 1 |") || !strings.Contains(string(daily), "| Cost | $0.25 |") {
		t.Errorf("daily report %s, %v", daily, err)
	}
	if _, err := os.Stat(filepath.Join(reports, "daily", "2026-01-01.md")); err == nil {
		t.Error("a report of a day that is not over")
	}
}
