package eval

import (
	"maps"
	"math"
	"slices"
)

// A Report sums a run up.
//
// A group's figure is the mean over repositories of the repository's mean in the group, so that a repository with many
// questions counts as much as another. PerQuery is the plain mean over questions.
type Report struct {
	All          Group            `json:"all"`
	PerQuery     Metrics          `json:"mean_over_queries"`
	Categories   map[string]Group `json:"by_category"`
	Languages    map[string]Group `json:"by_language"`
	Repositories map[string]Group `json:"by_repository"`
	Abstention   Abstention       `json:"abstention"`
	Latency      Latency          `json:"latency_ms"`
}

// A Group is the figures of some of the queries.
type Group struct {
	Queries      int `json:"queries"`
	Repositories int `json:"repositories"`
	Metrics
}

// Abstention counts the queries that nothing answers, and those that wrongly found nothing.
type Abstention struct {
	Expected int `json:"expected"` // queries whose right answer is no hit
	Kept     int `json:"kept"`     // of those, the ones without a hit
	Wrong    int `json:"wrong"`    // queries with an answer, and without a hit
}

// Latency is the time of a search in milliseconds.
type Latency struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
}

// Report computes the figures of a run.
func (r *Run) Report() Report {
	answered := slices.DeleteFunc(slices.Clone(r.Answers), func(a Answer) bool { return a.Abstains })
	report := Report{
		All:          groupOf(answered),
		PerQuery:     meanOf(answered),
		Categories:   groupBy(answered, func(a *Answer) string { return a.Category }),
		Languages:    groupBy(answered, func(a *Answer) string { return a.Language }),
		Repositories: groupBy(answered, func(a *Answer) string { return a.Repo }),
		Latency:      latency(r.Answers),
	}
	for i := range r.Answers {
		a := &r.Answers[i]
		switch {
		case a.Abstains:
			report.Abstention.Expected++
			if len(a.Hits) == 0 {
				report.Abstention.Kept++
			}
		case len(a.Hits) == 0:
			report.Abstention.Wrong++
		}
	}
	return report
}

// ReferenceGroup are the figures of FTS5.
func (r *Run) ReferenceGroup() Group { return groupOf(r.Reference) }

func groupBy(answers []Answer, key func(*Answer) string) map[string]Group {
	lists := map[string][]Answer{}
	for i := range answers {
		if k := key(&answers[i]); k != "" {
			lists[k] = append(lists[k], answers[i])
		}
	}
	groups := map[string]Group{}
	for k, list := range lists {
		groups[k] = groupOf(list)
	}
	return groups
}

// groupOf averages over repositories. The order of summing is fixed, so that equal runs give equal bits.
func groupOf(answers []Answer) Group {
	repos := map[string][]Answer{}
	for _, a := range answers {
		repos[a.Repo] = append(repos[a.Repo], a)
	}
	g := Group{Queries: len(answers), Repositories: len(repos)}
	for _, name := range slices.Sorted(maps.Keys(repos)) {
		g.Metrics.add(meanOf(repos[name]))
	}
	g.Metrics.scale(1 / float64(max(1, len(repos))))
	return g
}

func meanOf(answers []Answer) Metrics {
	var m Metrics
	for i := range answers {
		m.add(answers[i].Metrics)
	}
	m.scale(1 / float64(max(1, len(answers))))
	return m
}

func latency(answers []Answer) Latency {
	ms := make([]float64, len(answers))
	for i := range answers {
		ms[i] = answers[i].Millis
	}
	slices.Sort(ms)
	return Latency{P50: percentile(ms, 0.5), P95: percentile(ms, 0.95)}
}

// percentile is the smallest value that at least the share p of the sorted values do not exceed.
func percentile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[max(0, int(math.Ceil(p*float64(len(sorted))))-1)]
}
