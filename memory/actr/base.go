package actr

import (
	"math"
	"time"
)

const (
	// DefaultDecay is ACT-R's customary decay d.
	DefaultDecay = 0.5

	// MinAge is the age of whatever was used just now or, by a clock that was set back, in the future: without it
	// the power law has no value at zero.
	MinAge = time.Second

	// Floor is the base level of a history whose rejections outweigh its uses. A single use would need billions of
	// years to sink so low, so anything used stands above anything rejected.
	Floor = -20.0
)

// An Event is one use, of a weight: 1 is a full use, a negative weight a rejection.
type Event struct {
	At     time.Time
	Weight float64
}

// A Summary stands for the events of a History that are too old to matter one by one.
type Summary struct {
	Count  int
	Weight float64   // sum of the events' weights
	First  time.Time // of the oldest one
}

// A History is all uses of one thing: the latest ones exactly, in any order, and a Summary of those before them.
type History struct {
	Recent []Event
	Older  Summary
}

// BaseLevel returns the activation that h gives at now:
//
//	B = ln( Σ w_j · t_j^-d )                                      Anderson & Schooler 1991, weighted
//
// with t_j the age of use j in seconds, at least MinAge. The events of h.Older are spread evenly between the oldest
// recent event and the first of all, which replaces their part of the sum by an integral:
//
//	W · (t_n^(1-d) - t_k^(1-d)) / ((1-d) · (t_n - t_k))           Petrov 2006, equation 4
//
// It returns -Inf when nothing was ever used and at least Floor otherwise. A decay outside (0, 2] means DefaultDecay.
func BaseLevel(now time.Time, h History, decay float64) float64 {
	if len(h.Recent) == 0 && h.Older.Count == 0 {
		return math.Inf(-1)
	}
	if !(decay > 0 && decay <= 2) {
		decay = DefaultDecay
	}
	sum, oldest := 0.0, MinAge.Seconds()
	for _, e := range h.Recent {
		t := age(now, e.At)
		sum += e.Weight * power(t, decay)
		oldest = math.Max(oldest, t)
	}
	if h.Older.Count > 0 {
		sum += h.Older.Weight * meanPower(oldest, age(now, h.Older.First), decay)
	}
	// The comparison is also false for a sum that is not a number.
	if sum > math.Exp(Floor) {
		return math.Log(sum)
	}
	return Floor
}

// age is the time from at to now in seconds, at least MinAge.
func age(now, at time.Time) float64 {
	return math.Max(now.Sub(at).Seconds(), MinAge.Seconds())
}

// power is t^-d.
func power(t, d float64) float64 {
	if d == DefaultDecay { // what nearly every call asks for, an order of magnitude faster
		return 1 / math.Sqrt(t)
	}
	return math.Pow(t, -d)
}

// meanPower is the mean of t^-d for t between from and to.
func meanPower(from, to, d float64) float64 {
	// Ages that are all but equal would cancel out in the difference quotient.
	if to-from < 1e-6*from {
		return power(from, d)
	}
	if d == 1 {
		return math.Log(to/from) / (to - from)
	}
	return (math.Pow(to, 1-d) - math.Pow(from, 1-d)) / ((1 - d) * (to - from))
}
