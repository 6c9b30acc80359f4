package report

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/config"
)

// TestOnly confines a report to some metrics in each of its forms.
func TestOnly(t *testing.T) {
	s := open(t)
	note(t, s, scored(noon, 0.9), scored(noon, 0.7), scored(noon.AddDate(0, 0, -1), 0.8))
	forms := func(metrics ...string) (markdown, page string, fields map[string]any) {
		t.Helper()
		period, err := Month("", noon)
		r := made(t, s, period, err)
		if err := r.Only(metrics); err != nil {
			t.Fatal(err)
		}
		var md, html, text bytes.Buffer
		for _, err := range []error{r.Markdown(&md), r.HTML(&html), r.JSON(&text), json.Unmarshal(text.Bytes(), &fields)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		return md.String(), html.String(), fields
	}
	md, page, fields := forms("queries", "errors")
	for text, want := range map[string]bool{"| Questions | 3": true, "| Errors | 0": true, "Cost": false, "## Over time": false, "## Learning": false, "## Phases": false} {
		if strings.Contains(md, text) != want {
			t.Errorf("%q in Markdown is not %t:\n%s", text, want, md)
		}
	}
	if strings.Contains(page, "cache hits</span>") || strings.Contains(page, "<h2>Cost</h2>") || !strings.Contains(page, "<h2>Questions</h2>") {
		t.Errorf("page\n%s", page)
	}
	totals := fields["totals"].(map[string]any)
	if totals["queries"] != 3.0 || totals["cost_usd"] != nil || fields["phases"] != nil || fields["kind"] != "monthly" {
		t.Errorf("JSON %v", fields)
	}
	md, _, fields = forms("trends", "accuracy_over_time")
	if !strings.Contains(md, "## Over time") || strings.Contains(md, "| Questions |") && strings.Contains(md, "| Figure |") || fields["steps"] == nil {
		t.Errorf("trends:\n%s\n%v", md, fields)
	}
	all, _, _ := forms()
	if !strings.Contains(all, "## Learning") || !strings.Contains(all, "## Phases") {
		t.Errorf("all:\n%s", all)
	}
}

// TestPartsAreThoseOfTheSettings has every metric of the settings, and parts only that exist.
func TestPartsAreThoseOfTheSettings(t *testing.T) {
	names := append(slices.Collect(maps.Keys(parts)), "total_queries")
	slices.Sort(names)
	settings := slices.Sorted(slices.Values(config.ReportMetrics))
	if !slices.Equal(names, settings) {
		t.Errorf("parts %q, settings %q", names, settings)
	}
	s := open(t)
	note(t, s, scored(noon, 0.9), scored(noon, 0.7))
	period, err := Month("", noon)
	r := made(t, s, period, err)
	var figures, charts []string
	for _, f := range r.figures() {
		figures = append(figures, f.Name)
	}
	for _, c := range r.charts() {
		charts = append(charts, c.Title)
	}
	for name, p := range parts {
		for _, f := range p.figures {
			if !slices.Contains(figures, f) {
				t.Errorf("%s: there is no figure %q", name, f)
			}
		}
		for _, c := range p.charts {
			if !slices.Contains(charts, c) {
				t.Errorf("%s: there is no chart %q of %q", name, c, charts)
			}
		}
	}
	if err := r.Only([]string{"weather"}); err == nil {
		t.Error("an unknown metric is taken")
	}
}
