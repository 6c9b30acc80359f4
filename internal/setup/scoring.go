package setup

import (
	"github.com/aurora-sidecar/aurora/engine/soar"
	"github.com/aurora-sidecar/aurora/internal/config"
)

// Scoring are the settings of reviews.
func Scoring(s *config.Settings) soar.Scoring {
	w, r := &s.Scoring.Weights, &s.Complexity.Routing
	p, o, a := &w.Decomposition, &w.AgentOutput, &w.Synthesis
	return soar.Scoring{
		Pass: s.Scoring.PassThreshold, Retry: s.Scoring.RetryThreshold, MaxRetries: s.Scoring.MaxRetries,
		Keep: s.Memory.Caching.CacheFrom, Pattern: s.Memory.Caching.MarkFrom,
		Plan: map[string]float64{
			"completeness": p.Completeness, "consistency": p.Consistency, "groundedness": p.Groundedness, "routability": p.Routability,
		},
		Output: map[string]float64{"relevance": o.Relevance, "completeness": o.Completeness, "groundedness": o.Groundedness},
		Answer: map[string]float64{
			"addresses_query": a.AddressesQuery, "traceable": a.Traceable, "consistent": a.Consistent, "calibrated": a.Calibrated,
		},
		Options: map[soar.Level]soar.Option{
			soar.Simple: options[r.Simple.Verification], soar.Medium: options[r.Medium.Verification],
			soar.Complex: options[r.Complex.Verification], soar.Critical: options[r.Critical.Verification],
		},
	}
}

// options are the kinds of verification by the names that settings have for them.
var options = map[string]soar.Option{"none": soar.NoReview, "option_a": soar.Self, "option_b": soar.Adversarial, "option_c": soar.Debate}

// CostFactors multiply estimates.
func CostFactors(r *config.LevelRouting) map[soar.Level]float64 {
	return map[soar.Level]float64{
		soar.Simple: r.Simple.CostMultiplier, soar.Medium: r.Medium.CostMultiplier, soar.Complex: r.Complex.CostMultiplier, soar.Critical: r.Critical.CostMultiplier,
	}
}
