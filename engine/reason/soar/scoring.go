package soar

import "github.com/aurora-sidecar/aurora/prompts"

// Scoring says how reviews become scores, scores become verdicts, and levels choose a review. The zero value stands for
// DefaultScoring; any other one is whole, and has 0 < Retry <= Pass <= 1.
type Scoring struct {
	Pass       float64 `json:"pass"`       // the score from which work passes, 0..1
	Retry      float64 `json:"retry"`      // from which it is worth another attempt; at most Pass
	Keep       float64 `json:"keep"`       // from which an answer is remembered
	Pattern    float64 `json:"pattern"`    // from which it is marked as an example for later plans, and no longer told to be uncertain
	MaxRetries int     `json:"maxRetries"` // attempts after the first one, of each piece of work and each kind of review; 0 or more

	// What each check counts; the shares of a kind of work add up to 1.
	Plan   map[string]float64 `json:"plan,omitempty"`
	Output map[string]float64 `json:"output,omitempty"` // of an agent
	Answer map[string]float64 `json:"answer,omitempty"`

	Options map[Level]Option `json:"options,omitempty"` // how plans are verified, by level
}

// DefaultScoring are the thresholds and weights of VER-012 to VER-020.
func DefaultScoring() Scoring {
	return Scoring{
		Pass: 0.7, Retry: 0.5, Keep: 0.5, Pattern: 0.8, MaxRetries: 2,
		Plan:    map[string]float64{"completeness": 0.4, "consistency": 0.2, "groundedness": 0.2, "routability": 0.2},
		Output:  map[string]float64{"relevance": 0.4, "completeness": 0.3, "groundedness": 0.3},
		Answer:  map[string]float64{"addresses_query": 0.3, "traceable": 0.3, "consistent": 0.2, "calibrated": 0.2},
		Options: map[Level]Option{Simple: NoReview, Medium: Self, Complex: Adversarial, Critical: Debate},
	}
}

// whole is s, or DefaultScoring in place of the zero value.
func (s Scoring) whole() Scoring {
	if s.Pass == 0 {
		return DefaultScoring()
	}
	return s
}

// capped is the most that work gets in which code found something wrong: it never passes.
func (s *Scoring) capped() float64 { return (s.Pass + s.Retry) / 2 }

// verdictOf maps a score.
func (s *Scoring) verdictOf(score float64) Verdict {
	switch {
	case score >= s.Pass:
		return Pass
	case score >= s.Retry:
		return Retry
	}
	return Fail
}

// Recommended is how a plan for such a query is verified.
func (s Scoring) Recommended(a Assessment) Option {
	s = s.whole()
	if a.Score > beyondDoubt && a.Level != Simple {
		return s.Options[Critical]
	}
	return s.Options[a.Level]
}

// Thresholds are those that prompts explain.
func (s *Scoring) Thresholds() prompts.Thresholds {
	return prompts.Thresholds{Retry: s.Retry, Pass: s.Pass, Pattern: s.Pattern}
}
