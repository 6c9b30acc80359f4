package actr

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/quick"
	"time"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func ago(seconds float64) Event {
	return Event{At: now.Add(-time.Duration(seconds * float64(time.Second))), Weight: 1}
}

func TestBaseLevel(t *testing.T) {
	rejected := ago(10)
	rejected.Weight = -1.5
	for _, test := range []struct {
		name   string
		events []Event
		want   float64
	}{
		{"never", nil, math.Inf(-1)},
		{"one second", []Event{ago(1)}, 0},
		{"100 seconds", []Event{ago(100)}, math.Log(0.1)},
		{"twice", []Event{ago(100), ago(400)}, math.Log(0.1 + 0.05)},
		{"identical times", []Event{ago(100), ago(100)}, math.Log(0.2)},
		{"now", []Event{ago(0)}, 0},
		{"in the future", []Event{ago(-3600)}, 0},
		{"rejected", []Event{ago(10), rejected}, Floor},
		{"forgiven", []Event{ago(10), ago(10), rejected}, math.Log(0.5 * math.Pow(10, -0.5))},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := BaseLevel(now, History{Recent: test.events}); !near(got, test.want, 1e-9) {
				t.Errorf("BaseLevel = %v, want %v", got, test.want)
			}
		})
	}
}

func TestOlderAtOneMomentEqualsExact(t *testing.T) {
	exact := History{Recent: []Event{ago(500), ago(500), ago(500)}}
	hybrid := History{Recent: []Event{ago(500)}, Older: Summary{Count: 2, Weight: 2, First: ago(500).At}}
	if got, want := BaseLevel(now, hybrid), BaseLevel(now, exact); !near(got, want, 1e-9) {
		t.Errorf("hybrid %v, exact %v", got, want)
	}
}

func TestOlderOnly(t *testing.T) {
	h := History{Older: Summary{Count: 3, Weight: 3, First: ago(400).At}}
	if got := BaseLevel(now, h); math.IsInf(got, 0) || got <= Floor {
		t.Errorf("BaseLevel of a summary alone = %v", got)
	}
}

// The approximation must stay close to the exact value for histories as people make them: uses spread over weeks.
func TestHybridIsCloseToExact(t *testing.T) {
	const keep = 16
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		all := randomHistory(random, 17+random.IntN(500))
		exact := BaseLevel(now, History{Recent: all})
		if hybrid := BaseLevel(now, summarize(all, keep)); !near(hybrid, exact, 0.1) {
			t.Fatalf("%d events: hybrid %v, exact %v", len(all), hybrid, exact)
		}
	}
}

// Values of pyactr 0.3.2 (utilities.baselevel_learning, decay 0.5).
func TestValuesOfPyactr(t *testing.T) {
	every := func(n int, first, step float64) []float64 {
		ages := make([]float64, n)
		for i := range ages {
			ages[i] = first + float64(i)*step
		}
		return ages
	}
	for _, c := range []struct {
		ages []float64
		want float64
	}{
		{[]float64{10}, -1.1512925464970227},
		{[]float64{1, 1, 1}, 1.0986122886681098},
		{[]float64{60, 3600, 86400}, -1.9026808805291031},
		{[]float64{5, 50, 500, 5000, 50000, 500000, 5000000}, -0.4249048259274389},
		{every(16, 3600, 3600), -2.197625466445905},
		{every(16, 30*86400, 1), -4.61138289274335},
	} {
		h := History{Recent: make([]Event, len(c.ages))}
		for i, age := range c.ages {
			h.Recent[i] = ago(age)
		}
		if got := BaseLevel(now, h); !near(got, c.want, 1e-9) {
			t.Errorf("uses %v s ago: %v, pyactr has %v", c.ages, got, c.want)
		}
	}
}

// What docs/memory.md says of the approximation: it errs where many uses lie close together and one long before them.
func TestErrorOfTheApproximation(t *testing.T) {
	const day = 86400.0
	between := func(n int, from, to float64) []Event {
		events := make([]Event, n)
		for i := range events {
			events[i] = ago(from + (to-from)*float64(i)/float64(n-1))
		}
		return events
	}
	for _, c := range []struct {
		what  string
		uses  []Event
		least float64
		most  float64
	}{
		{"evenly over 90 days", between(100, 3600, 90*day), 0, 0.01},
		{"evenly over a year", between(1000, 3600, 365*day), 0, 0.01},
		{"an hour of a month ago, and today", append(between(16, 60, 8*3600), between(200, 30*day, 30*day+3600)...), 0.2, 0.25},
		{"once a year ago, and the last hour", append(between(216, 60, 3600), ago(365*day)), -1.6, -1.5},
		{"once two years ago, and yesterday", append(between(500, day, 1.3*day), ago(730*day)), -2.3, -2.2},
	} {
		exact := BaseLevel(now, History{Recent: c.uses})
		if off := BaseLevel(now, summarize(c.uses, 16)) - exact; off < c.least || off > c.most {
			t.Errorf("%s: the approximation is off by %.3f, want %v to %v", c.what, off, c.least, c.most)
		}
	}
}

func TestProperties(t *testing.T) {
	property := func(name string, holds func(seed uint64) bool) {
		t.Run(name, func(t *testing.T) {
			if err := quick.Check(holds, nil); err != nil {
				t.Error(err)
			}
		})
	}
	property("another use raises", func(seed uint64) bool {
		random := rand.New(rand.NewPCG(seed, 1))
		h := randomHistory(random, 1+random.IntN(40))
		more := append(h[:len(h):len(h)], ago(random.Float64()*1e6))
		return BaseLevel(now, History{Recent: more}) > BaseLevel(now, History{Recent: h})
	})
	property("time lowers", func(seed uint64) bool {
		random := rand.New(rand.NewPCG(seed, 2))
		h := summarize(randomHistory(random, 2+random.IntN(40)), 8)
		later := now.Add(MinAge + time.Duration(random.Int64N(int64(1e6*time.Second))))
		return BaseLevel(later, h) < BaseLevel(now, h)
	})
	property("order does not matter", func(seed uint64) bool {
		random := rand.New(rand.NewPCG(seed, 3))
		h := randomHistory(random, 2+random.IntN(40))
		before := BaseLevel(now, History{Recent: h})
		random.Shuffle(len(h), func(i, j int) { h[i], h[j] = h[j], h[i] })
		return near(before, BaseLevel(now, History{Recent: h}), 1e-9)
	})
	property("finite for any clock", func(seed uint64) bool {
		random := rand.New(rand.NewPCG(seed, 4))
		anyTime := func() time.Time { return time.Unix(random.Int64()-random.Int64(), 0) }
		weight := random.NormFloat64() * math.Pow(10, float64(random.IntN(300)))
		h := History{
			Recent: []Event{{At: anyTime(), Weight: weight}},
			Older:  Summary{Count: random.IntN(3), Weight: -weight, First: anyTime()},
		}
		got := BaseLevel(now, h)
		return got >= Floor && !math.IsInf(got, 0)
	})
}

func randomHistory(random *rand.Rand, n int) []Event {
	all := make([]Event, n)
	for i := range all {
		all[i] = ago(1 + random.Float64()*float64(30*24*3600))
	}
	return all
}

// summarize keeps the latest events exactly and sums up the rest.
func summarize(all []Event, keep int) History {
	sorted := slices.Clone(all)
	slices.SortFunc(sorted, func(a, b Event) int { return b.At.Compare(a.At) })
	if len(sorted) <= keep {
		return History{Recent: sorted}
	}
	h := History{Recent: sorted[:keep]}
	for _, e := range sorted[keep:] {
		h.Older.Count++
		h.Older.Weight += e.Weight
		h.Older.First = e.At
	}
	return h
}

func near(a, b, tolerance float64) bool { return a == b || math.Abs(a-b) <= tolerance }

func BenchmarkBaseLevel(b *testing.B) {
	h := summarize(randomHistory(rand.New(rand.NewPCG(1, 2)), 100), 16)
	for b.Loop() {
		BaseLevel(now, h)
	}
}
