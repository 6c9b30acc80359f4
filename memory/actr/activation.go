package actr

import (
	"math"
	"time"
)

// Params are the constants of the equations. The zero value of a field means its default.
type Params struct {
	Decay        float64 // d of the base level, (0, 2]; 0.5
	SpreadFactor float64 // what is left of activation after one hop, (0, 1]; 0.7
	MaxHops      int     // how far activation spreads; 3
	ContextMax   float64 // most that the words of a query add; 0.5
	Threshold    float64 // least probability with which something is recalled, (0, 1]; 0.5
	Midpoint     float64 // τ: the activation that is recalled half of the time; -4, one use about an hour ago
	Noise        float64 // s of the logistic noise, > 0; 2
	Latency      float64 // F: seconds that recalling something of activation 0 takes; 1
}

// WithDefaults returns p with every value that is missing or out of range replaced by its default.
func (p Params) WithDefaults() Params {
	within := func(v, low, high, otherwise float64) float64 {
		if v > low && v <= high { // false for what is not a number
			return v
		}
		return otherwise
	}
	p.Decay = within(p.Decay, 0, 2, DefaultDecay)
	p.SpreadFactor = within(p.SpreadFactor, 0, 1, 0.7)
	p.ContextMax = within(p.ContextMax, 0, 0.5, 0.5)
	p.Threshold = within(p.Threshold, 0, 1, 0.5)
	p.Noise = within(p.Noise, 0, 10, 2)
	p.Latency = within(p.Latency, 0, 3600, 1)
	if p.MaxHops < 1 || p.MaxHops > 3 {
		p.MaxHops = 3
	}
	if p.Midpoint == 0 || math.IsNaN(p.Midpoint) {
		p.Midpoint = -4
	}
	return p
}

// Parts are the terms of an activation, all natural logarithms of odds.
type Parts struct {
	BaseLevel float64 // how often and how recently it was used; -Inf when never
	Spreading float64 // from what is in use now, >= 0
	Context   float64 // from the words of the query, 0..Params.ContextMax
	Decay     float64 // penalty for what lay idle, >= 0
}

// Activation is the sum that decides recall (S0 6.3):
//
//	A = B + S + C - D
func (p Parts) Activation() float64 { return p.BaseLevel + p.Spreading + p.Context - p.Decay }

// ContextBoost returns the share of the query's keywords that keywords hold, times most. Doubles count once; a query
// without keywords boosts nothing.
func ContextBoost(query, keywords []string, most float64) float64 {
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
	return most * float64(met) / float64(len(asked))
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
func (p Params) RecallProbability(a float64) float64 {
	if math.IsNaN(a) {
		return 0
	}
	return 1 / (1 + math.Exp((p.Midpoint-a)/p.Noise))
}

// RecallTime is how long recalling something of activation a takes (Anderson et al. 2004, eq. 5), at most a day:
//
//	T = F · e^-A
func (p Params) RecallTime(a float64) time.Duration {
	const day = 24 * time.Hour
	seconds := p.Latency * math.Exp(-a)
	if !(seconds < day.Seconds()) {
		return day
	}
	return time.Duration(seconds * float64(time.Second))
}

// Recalled reports whether something of activation a is recalled often enough.
func (p Params) Recalled(a float64) bool { return p.RecallProbability(a) >= p.Threshold }
