package actr

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"
)

// A second implementation of the base level for d = 0.5 in 200 bits, by square roots and a series.

const bits = 200

func float(x float64) *big.Float { return new(big.Float).SetPrec(bits).SetFloat64(x) }

func root(x *big.Float) *big.Float { return new(big.Float).SetPrec(bits).Sqrt(x) }

// lnBig is 2 artanh((m-1)/(m+1)) + e ln 2 for x = m 2^e.
func lnBig(x *big.Float) float64 {
	m := new(big.Float).SetPrec(bits)
	e := x.MantExp(m)
	artanh := func(y *big.Float) *big.Float {
		sum, power, square := float(0), new(big.Float).Copy(y), new(big.Float).Mul(y, y)
		for n := 1; n < 400; n += 2 {
			sum.Add(sum, new(big.Float).Quo(power, float(float64(n))))
			power.Mul(power, square)
		}
		return sum
	}
	ratio := new(big.Float).Quo(new(big.Float).Sub(m, float(1)), new(big.Float).Add(m, float(1)))
	ln := new(big.Float).Mul(float(2), artanh(ratio))
	third := new(big.Float).Quo(float(1), float(3)) // ln 2 = 2 artanh(1/3)
	ln2 := new(big.Float).Mul(float(2), artanh(third))
	ln.Add(ln, ln2.Mul(ln2, float(float64(e))))
	result, _ := ln.Float64()
	return result
}

// exactLevel is ln( Σ w/√t + W · 2(√T - √k)/(T - k) ) for ages in seconds.
func exactLevel(recent []Event, older Summary) float64 {
	sum, oldest := float(0), 1.0
	for _, e := range recent {
		t := now.Sub(e.At).Seconds()
		oldest = max(oldest, t)
		sum.Add(sum, new(big.Float).Quo(float(e.Weight), root(float(t))))
	}
	if older.Count > 0 {
		first := now.Sub(older.First).Seconds()
		mean := new(big.Float).Sub(root(float(first)), root(float(oldest)))
		mean.Mul(mean, float(2*older.Weight))
		sum.Add(sum, mean.Quo(mean, new(big.Float).Sub(float(first), float(oldest))))
	}
	return lnBig(sum)
}

func TestSecondImplementation(t *testing.T) {
	// Known to 15 digits, so that the implementation itself is not believed blindly.
	if got := lnBig(float(10)); !near(got, 2.302585092994046, 1e-15) {
		t.Fatalf("ln 10 = %v", got)
	}
	random := rand.New(rand.NewPCG(9, 9))
	for i := range 200 {
		h := summarize(randomHistory(random, 1+random.IntN(60)), 1+random.IntN(20))
		for j := range h.Recent {
			h.Recent[j].Weight = 0.1 + random.Float64()
		}
		if got, want := BaseLevel(now, h), exactLevel(h.Recent, h.Older); !near(got, want, 1e-9) {
			t.Fatalf("history %d: %v, exactly %v", i, got, want)
		}
	}
}

func TestBurstAndOldDates(t *testing.T) {
	second := make([]Event, 1000)
	for i := range second {
		second[i] = ago(400 + float64(i)/1000)
	}
	// 1000 uses between 400 s and 401 s ago: between ln(1000/√401) and ln(1000/√400) = ln 50.
	if got := BaseLevel(now, History{Recent: second}); got < math.Log(1000/math.Sqrt(401)) || got > math.Log(50) {
		t.Errorf("a thousand uses in one second give %v", got)
	}
	// In 1900, 126 years are 3,980,448,000 s before: ln(1/√3980448000) = -½ ln 3980448000.
	old := Event{At: time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC), Weight: 1}
	seconds := now.Sub(old.At).Seconds()
	if got := BaseLevel(now, History{Recent: []Event{old}}); !near(got, -0.5*math.Log(seconds), 1e-9) {
		t.Errorf("a use in 1900 gives %v", got)
	}
	// A clock that was set back a year: every use lies in the future and counts as made just now.
	if got := BaseLevel(now.AddDate(-1, 0, 0), History{Recent: []Event{ago(10), ago(20)}}); !near(got, math.Log(2), 1e-12) {
		t.Errorf("with a clock set back a year %v", got)
	}
}
