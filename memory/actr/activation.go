package actr

import (
	"math"
	"time"
)

// The constants of the equations.
const (
	SpreadFactor = 0.7 // what is left of activation after one hop
	MaxHops      = 3   // how far activation spreads
	ContextMax   = 0.5 // most that the words of a query add
	midpoint     = -4  // τ: the activation that is recalled half of the time, that of one use about an hour ago
	noise        = 2   // s of the logistic noise
)

// Parts are the terms of an activation, all natural logarithms of odds.
type Parts struct {
	BaseLevel float64 // how often and how recently it was used; -Inf when never
	Spreading float64 // from what is in use now, >= 0
	Context   float64 // from the words of the query, 0..ContextMax
	Decay     float64 // penalty for what lay idle, >= 0
}

// Activation is the sum that decides recall (S0 6.3):
//
//	A = B + S + C - D
func (p Parts) Activation() float64 { return p.BaseLevel + p.Spreading + p.Context - p.Decay }

// ContextBoost returns the share of the query's keywords that keywords hold, times ContextMax. Doubles count once; a query
// without keywords boosts nothing.
func ContextBoost(query, keywords []string) float64 {
	asked := make(map[string]bool, len(query))
	for _, word := range query {
		asked[word] = false
	}
	met := 0
	for _, word := range keywords {
		if done, wanted := asked[word]; wanted && !done {
			asked[word] = true
			met++
		}
	}
	if len(asked) == 0 {
		return 0
	}
	return ContextMax * float64(met) / float64(len(asked))
}

// A Mechanism says how what lies idle decays; policies choose it.
type Mechanism string

// The mechanisms.
const (
	Logarithmic Mechanism = "logarithmic" // slow, the default
	Exponential Mechanism = "exponential" // fast
	None        Mechanism = "none"
)

// halfLife is the idle time in days in which exponential decay halves the odds of recall.
const halfLife = 30

// DecayPenalty returns what idle time takes off the activation:
//
//	logarithmic  0.5 · log10(days)      for more than one day, else 0 (S0 6.3)
//	exponential  ln 2 · days / 30       the odds of recall halve every 30 days
//	none         0
//
// Time that runs backwards is no idle time.
func DecayPenalty(idle time.Duration, m Mechanism) float64 {
	days := idle.Hours() / 24
	switch {
	case m == None || days <= 0:
		return 0
	case m == Exponential:
		return math.Ln2 * days / halfLife
	case days <= 1:
		return 0
	}
	return 0.5 * math.Log10(days)
}

// RecallProbability is the chance that something of activation a is recalled (Anderson et al. 2004, eq. 4), which also
// serves as the activation that people are shown, 0..1:
//
//	P = 1 / (1 + e^((τ-A)/s))
func RecallProbability(a float64) float64 {
	if math.IsNaN(a) {
		return 0
	}
	return 1 / (1 + math.Exp((midpoint-a)/noise))
}
