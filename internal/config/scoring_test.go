package config

import (
	"strings"
	"testing"
)

// TestScoringSettings has weights that do not add up and thresholds in the wrong order: each is told, and the usual ones
// stay in force.
func TestScoringSettings(t *testing.T) {
	w := newWorld(t)
	w.write(w.home, "config.json", `{
	  "scoring": {"pass_threshold": 0.6, "retry_threshold": 0.65, "max_retries": 11, "weighted_scoring": {
	    "decomposition": {"completeness": 0.5}, "agent_output": {"relevance": 0.5, "completeness": 0.5, "groundedness": 0},
	    "synthesis": {"traceable": 2}}},
	  "complexity": {"routing": {"medium": {"verification": "self", "cost_multiplier": 0}, "complex": {"verification": "option_c"}}},
	  "memory": {"caching_policy": {"cache_if_score_gte": 0.9}}}`)
	s, _, err := Load(w.options())
	want := `Invalid config in ~/.aurora/config.json:
  - complexity.routing.medium.cost_multiplier: Must be in [0.01, 1000.0] (got 0)
  - complexity.routing.medium.verification: Must be one of none, option_a, option_b, option_c (got "self")
  - memory.caching_policy.cache_if_score_gte: Must be ≤ memory.caching_policy.mark_as_pattern_if_gte (0.8) (got 0.9)
  - scoring.max_retries: Must be a whole number in [0, 10] (got 11)
  - scoring.retry_threshold: Must be ≤ scoring.pass_threshold (0.6) (got 0.65)
  - scoring.weighted_scoring.decomposition: Must sum to 1.0 (got 1.1)
  - scoring.weighted_scoring.synthesis.traceable: Must be in [0.0, 1.0] (got 2)`
	if err == nil || err.Error() != want {
		t.Errorf("error\n%v\nwant\n%s", err, want)
	}
	usual := defaultScoring()
	if got := s.Scoring; got.PassThreshold != 0.7 || got.RetryThreshold != 0.5 || got.MaxRetries != 2 ||
		got.Weights.Decomposition != usual.Weights.Decomposition || got.Weights.AgentOutput != (OutputWeights{0.5, 0.5, 0}) {
		t.Errorf("scoring %+v", got)
	}
	if s.Complexity.Routing.Complex.Verification != "option_c" || s.Complexity.Routing.Medium != (MediumRoute{"option_a", 3}) {
		t.Errorf("routing %+v", s.Complexity.Routing)
	}
	if s.Origin("scoring.pass_threshold") != "default" {
		t.Errorf("origin %s of a value that is not in force", s.Origin("scoring.pass_threshold"))
	}
}

// TestCacheThreshold: two documents have two names for the score of a pattern, and mean one value.
func TestCacheThreshold(t *testing.T) {
	w := newWorld(t)
	w.write(w.home, "config.json", `{"scoring": {"cache_threshold": 0.9}}`)
	s, warnings := w.load(w.options())
	if s.Memory.Caching.MarkFrom != 0.9 || len(warnings) != 1 || !strings.Contains(warnings[0].Message, "is now called memory.caching_policy.mark_as_pattern_if_gte") {
		t.Errorf("%v, warnings %v", s.Memory.Caching, warnings)
	}
}

// TestProjectsDoNotScore: what a project's own file says of thresholds and reviews, which cost money, is ignored.
func TestProjectsDoNotScore(t *testing.T) {
	w := newWorld(t)
	w.write(w.project, "config.json", `{"scoring": {"pass_threshold": 0.1, "max_retries": 10}, "complexity": {"routing": {"simple": {"verification": "option_c"}}}}`)
	o := w.options()
	o.Trusted = false
	s, warnings := w.load(o)
	if s.Scoring.PassThreshold != 0.7 || s.Scoring.MaxRetries != 2 || s.Complexity.Routing.Simple.Verification != "none" || len(warnings) != 3 {
		t.Errorf("%+v, %v", s.Scoring, warnings)
	}
}
