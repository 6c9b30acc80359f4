package soar

import "github.com/aurora-sidecar/aurora/prompts"

const (
	keepScore  = 0.5 // the score from which an answer is remembered, 0..1
	maxRetries = 2   // attempts after the first one, of each piece of work and each kind of review

	// cappedScore is the most that work gets in which code found something wrong: it never passes.
	cappedScore = (prompts.PassScore + prompts.RetryScore) / 2
)

// What each check counts; the shares of a kind of work add up to 1.
var (
	planWeights   = map[string]float64{"completeness": 0.4, "consistency": 0.2, "groundedness": 0.2, "routability": 0.2}
	outputWeights = map[string]float64{"relevance": 0.4, "completeness": 0.3, "groundedness": 0.3} // of an agent
	answerWeights = map[string]float64{"addresses_query": 0.3, "traceable": 0.3, "consistent": 0.2, "calibrated": 0.2}
)

// verdictOf maps a score.
func verdictOf(score float64) Verdict {
	switch {
	case score >= prompts.PassScore:
		return Pass
	case score >= prompts.RetryScore:
		return Retry
	}
	return Fail
}

// Recommended is how a plan for such a query is verified.
func (a Assessment) Recommended() Option {
	if a.Score > beyondDoubt && a.Level != Simple {
		return Debate
	}
	return map[Level]Option{Simple: NoReview, Medium: Self, Complex: Adversarial, Critical: Debate}[a.Level]
}
