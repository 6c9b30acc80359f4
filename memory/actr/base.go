package actr

import (
	"math"
	"time"
)

const (
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
//	B = ln( Σ w_j / √t_j )                                        Anderson & Schooler 1991, weighted, d = 1/2
//
// with t_j the age of use j in seconds, at least MinAge. The events of h.Older are spread evenly between the oldest
// recent event and the first of all, which replaces their part of the sum by an integral:
//
//	2W · (√t_n - √t_k) / (t_n - t_k)                              Petrov 2006, equation 4
//
// It returns -Inf when nothing was ever used and at least Floor otherwise. The decay d is ACT-R's customary one half.
func BaseLevel(now time.Time, h History) float64 {
	if len(h.Recent) == 0 && h.Older.Count == 0 {
		return math.Inf(-1)
	}
	sum, oldest := 0.0, MinAge.Seconds()
	for _, e := range h.Recent {
		t := age(now, e.At)
		sum += e.Weight / math.Sqrt(t)
		oldest = math.Max(oldest, t)
	}
	if h.Older.Count > 0 {
		sum += h.Older.Weight * meanPower(oldest, age(now, h.Older.First))
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

// meanPower is the mean of 1/√t for t between from and to.
func meanPower(from, to float64) float64 {
	// Ages that are all but equal would cancel out in the difference quotient.
	if to-from < 1e-6*from {
		return 1 / math.Sqrt(from)
	}
	return 2 * (math.Sqrt(to) - math.Sqrt(from)) / (to - from)
}
