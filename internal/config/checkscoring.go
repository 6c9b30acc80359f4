package config

import (
	"cmp"
	"math"
)

// checkScoring checks that thresholds are in order and that weights add up; what does not has its defaults.
func (l *loader) checkScoring() {
	s, usual := &l.settings.Scoring, defaultWeights()
	l.checkOrder("scoring.retry_threshold", &s.RetryThreshold, 0.5, "scoring.pass_threshold", &s.PassThreshold, 0.7)
	c := &l.settings.Memory.Caching
	l.checkOrder("memory.caching_policy.cache_if_score_gte", &c.CacheFrom, 0.5, "memory.caching_policy.mark_as_pattern_if_gte", &c.MarkFrom, 0.8)
	w := &s.Weights
	const at = "scoring.weighted_scoring."
	if p := w.Decomposition; !l.sum(at+"decomposition", p.Completeness+p.Consistency+p.Groundedness+p.Routability, "completeness", "consistency", "groundedness", "routability") {
		w.Decomposition = usual.Decomposition
	}
	if o := w.AgentOutput; !l.sum(at+"agent_output", o.Relevance+o.Completeness+o.Groundedness, "relevance", "completeness", "groundedness") {
		w.AgentOutput = usual.AgentOutput
	}
	if a := w.Synthesis; !l.sum(at+"synthesis", a.AddressesQuery+a.Traceable+a.Consistent+a.Calibrated, "addresses_query", "traceable", "consistent", "calibrated") {
		w.Synthesis = usual.Synthesis
	}
}

// sum reports whether the keys of a group add up to 1. When they do not, that is a fault of the last source that set one.
func (l *loader) sum(group string, sum float64, names ...string) bool {
	if math.Abs(sum-1) < 1e-9 {
		return true
	}
	source := ""
	for _, name := range names {
		source = cmp.Or(l.settings.origins[group+"."+name], source)
		delete(l.settings.origins, group+"."+name)
	}
	l.fault(Problem{Source: source, Key: group, Rule: "Must sum to 1.0", Got: show(math.Round(sum*1e9) / 1e9), Together: true})
	return false
}

// checkOrder checks that one value is not above another one.
func (l *loader) checkOrder(low string, a *float64, usualA float64, high string, b *float64, usualB float64) {
	if *a <= *b {
		return
	}
	source := cmp.Or(l.settings.origins[low], l.settings.origins[high])
	l.fault(Problem{Source: source, Key: low, Rule: "Must be ≤ " + high + " (" + show(*b) + ")", Got: show(*a), Together: true})
	*a, *b = usualA, usualB
	delete(l.settings.origins, low)
	delete(l.settings.origins, high)
}
