package report

import (
	"encoding/json"
	"fmt"
	"slices"
)

// A part is what a metric of the settings shows: fields of the report and of its totals in JSON, lines of the table of
// figures, and charts.
type part struct {
	fields, totals, figures, charts []string
}

// parts are what each metric shows (S0 9.4).
var parts = map[string]part{
	"queries": {
		fields: []string{"complexity", "agents"}, totals: []string{"queries", "answered", "nothing_found", "refused", "searches", "contexts"},
		figures: []string{"Questions", "Answered", "Nothing found", "Refused", "Searches, contexts"}, charts: []string{"Questions", "Complexity"},
	},
	"errors": {totals: []string{"errors"}, figures: []string{"Errors"}},
	"accuracy": {
		fields: []string{"score_calibration"}, totals: []string{"verified", "accuracy", "claims", "hallucination_rate"},
		figures: []string{"Accuracy (mean score of verified answers)", "Statements not borne out by their sources"}, charts: []string{"Accuracy", "Scores and ratings"},
	},
	"accuracy_over_time": {fields: []string{"steps"}, charts: []string{"Accuracy"}},
	"cache_hits":         {totals: []string{"cache_hits", "cache_hit_rate"}, figures: []string{"Cache hits"}, charts: []string{"Replies kept and replies made"}},
	"cost_analysis": {
		totals:  []string{"llm_calls", "tokens_input", "tokens_output", "cost_usd"},
		figures: []string{"Calls of models", "Tokens in, out", "Cost"}, charts: []string{"Cost", "Replies kept and replies made"},
	},
	"trends": {fields: []string{"steps"}, charts: []string{"Questions", "Cost"}},
	"latency": {
		fields: []string{"phases", "bottleneck"}, totals: []string{"avg_duration_ms", "p95_duration_ms", "avg_retrieval_latency_ms"},
		figures: []string{"Time of a question, mean and p95", "Retrieval"}, charts: []string{"Phases"},
	},
	"providers": {
		fields: []string{"providers"}, totals: []string{"snippets", "context_tokens", "context_hit_rate", "token_efficiency"},
		figures: []string{"Snippets that answers cite"},
	},
	"learning_improvement": {fields: []string{"learning"}},
	"pattern_growth":       {fields: []string{"learning", "memory_growth"}, charts: []string{"Memory"}},
	"savings":              {fields: []string{"savings"}},
}

// always stand in every report.
var always = []string{"kind", "period", "title", "first_day", "last_day", "generated", "time_zone", "totals", "period_before"}

// Only confines the report to metrics of the settings; none leave all of it. It fails on one that does not exist.
func (r *Report) Only(metrics []string) error {
	for _, name := range metrics {
		if name == "total_queries" {
			name = "queries"
		}
		p, ok := parts[name]
		if !ok {
			return fmt.Errorf("there is no figure %q in reports", name)
		}
		if r.only == nil {
			r.only = &part{}
		}
		r.only.fields, r.only.totals = append(r.only.fields, p.fields...), append(r.only.totals, p.totals...)
		r.only.figures, r.only.charts = append(r.only.figures, p.figures...), append(r.only.charts, p.charts...)
	}
	return nil
}

// Shows reports whether a field of the report, or of its totals, is wanted.
func (r *Report) Shows(field string) bool {
	return r.only == nil || slices.Contains(r.only.fields, field) || slices.Contains(r.only.totals, field)
}

// wanted is the report for JSON: without what is not wanted.
func (r *Report) wanted() (any, error) {
	if r.only == nil {
		return r, nil
	}
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, err
	}
	for name := range fields {
		if !slices.Contains(always, name) && !slices.Contains(r.only.fields, name) {
			delete(fields, name)
		}
	}
	r.confine(fields["totals"])
	r.confine(fields["period_before"])
	steps, _ := fields["steps"].([]any)
	for _, step := range steps {
		if s, ok := step.(map[string]any); ok {
			r.confine(s["totals"])
		}
	}
	return fields, nil
}

// confine takes out of totals what is not wanted; where only the course of things is, it stays.
func (r *Report) confine(totals any) {
	values, ok := totals.(map[string]any)
	if !ok || len(r.only.totals) == 0 {
		return
	}
	for name := range values {
		if !slices.Contains(r.only.totals, name) {
			delete(values, name)
		}
	}
}
