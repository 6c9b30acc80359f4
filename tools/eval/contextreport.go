package eval

import (
	"maps"
	"slices"
)

// A ContextGroup is the figures of some contexts.
type ContextGroup struct {
	Queries   int     `json:"queries"`
	Recall    float64 `json:"recall"` // mean over the queries
	Opened    float64 `json:"opened"`
	Whole     float64 `json:"whole"`  // mean over the queries that ask for lines
	Tokens    float64 `json:"tokens"` // mean
	MaxTokens int     `json:"max_tokens"`
}

// A ContextReport sums a run of Contexts up.
type ContextReport struct {
	Budget     int                     `json:"budget"`
	All        ContextGroup            `json:"all"`
	ByRepo     float64                 `json:"recall_mean_over_repositories"`
	Categories map[string]ContextGroup `json:"by_category"`
	Languages  map[string]ContextGroup `json:"by_language"`
	Latency    Latency                 `json:"latency_ms"`
}

// Report computes the figures of a run.
func (r *ContextRun) Report() ContextReport {
	report := ContextReport{
		Budget: r.Budget, All: contextGroup(r.Answers),
		Categories: contextGroups(r.Answers, func(a *ContextAnswer) string { return a.Category }),
		Languages:  contextGroups(r.Answers, func(a *ContextAnswer) string { return a.Language }),
	}
	repos := contextGroups(r.Answers, func(a *ContextAnswer) string { return a.Repo })
	for _, name := range slices.Sorted(maps.Keys(repos)) {
		report.ByRepo += repos[name].Recall / float64(len(repos))
	}
	times := make([]float64, len(r.Answers))
	for i := range r.Answers {
		times[i] = r.Answers[i].Millis
	}
	slices.Sort(times)
	report.Latency = Latency{P50: percentile(times, 0.5), P95: percentile(times, 0.95)}
	return report
}

func contextGroups(answers []ContextAnswer, key func(*ContextAnswer) string) map[string]ContextGroup {
	lists := map[string][]ContextAnswer{}
	for i := range answers {
		if k := key(&answers[i]); k != "" {
			lists[k] = append(lists[k], answers[i])
		}
	}
	groups := map[string]ContextGroup{}
	for k, list := range lists {
		groups[k] = contextGroup(list)
	}
	return groups
}

func contextGroup(answers []ContextAnswer) ContextGroup {
	g := ContextGroup{Queries: len(answers)}
	n, lined := float64(max(1, len(answers))), 0
	for i := range answers {
		g.Recall += answers[i].Recall / n
		g.Opened += answers[i].Opened / n
		if answers[i].Lined {
			g.Whole += answers[i].Whole
			lined++
		}
		g.Tokens += float64(answers[i].Tokens) / n
		g.MaxTokens = max(g.MaxTokens, answers[i].Tokens)
	}
	g.Whole /= float64(max(1, lined))
	return g
}
