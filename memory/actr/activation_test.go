package actr

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"testing/quick"
	"time"
)

const day = 24 * time.Hour

func TestActivationIsTheSum(t *testing.T) {
	// The example of S0 6.8.1: 0.85 = 0.7 + 0.15; with a boost of 0.25 and a decay of 0.5 it is 0.6.
	if got := (Parts{BaseLevel: 0.7, Spreading: 0.15}).Activation(); !near(got, 0.85, 1e-12) {
		t.Errorf("activation %v", got)
	}
	if got := (Parts{0.7, 0.15, 0.25, 0.5}).Activation(); !near(got, 0.6, 1e-12) {
		t.Errorf("activation %v", got)
	}
}

func TestContextBoost(t *testing.T) {
	for _, test := range []struct {
		query, keywords []string
		want            float64
	}{
		{nil, []string{"a"}, 0},
		{[]string{"a"}, nil, 0},
		{[]string{"a", "b"}, []string{"b", "c"}, 0.25},           // 0.5 · 1/2
		{[]string{"a", "b", "a"}, []string{"a", "a", "b"}, 0.5},  // 0.5 · 2/2
		{[]string{"a", "b", "c", "d"}, []string{"d", "c"}, 0.25}, // 0.5 · 2/4
	} {
		if got := ContextBoost(test.query, test.keywords); !near(got, test.want, 1e-12) {
			t.Errorf("%v in %v: %v, want %v", test.query, test.keywords, got, test.want)
		}
	}
}

func TestDecayPenalty(t *testing.T) {
	for _, test := range []struct {
		idle time.Duration
		m    Mechanism
		want float64
	}{
		{10 * day, Logarithmic, 0.5},               // ½ log10 10
		{100 * day, Logarithmic, 1},                // ½ log10 100
		{1000 * day, "", 1.5},                      // logarithmic is the default
		{day, Logarithmic, 0},                      // log10 1
		{time.Hour, Logarithmic, 0},                // less than a day does not reward
		{30 * day, Exponential, 0.693147180559945}, // ln 2
		{60 * day, Exponential, 1.386294361119891}, // 2 ln 2
		{1000 * day, None, 0},
		{-365 * day, Exponential, 0}, // the clock was set back
	} {
		if got := DecayPenalty(test.idle, test.m); !near(got, test.want, 1e-12) {
			t.Errorf("%v %q: %v, want %v", test.idle, test.m, got, test.want)
		}
	}
}

func TestRecallProbability(t *testing.T) {
	for _, test := range []struct{ a, want float64 }{
		{-4, 0.5},           // at the midpoint
		{-2, 0.73105857863}, // 1/(1+e^-1)
		{-6, 0.26894142137}, // 1/(1+e)
		{0, 0.88079707798},  // 1/(1+e^-2)
		{math.Inf(-1), 0},
		{math.NaN(), 0},
		{-1600, 0},
	} {
		if got := RecallProbability(test.a); !near(got, test.want, 1e-10) {
			t.Errorf("probability of %v: %v, want %v", test.a, got, test.want)
		}
	}
}

// from makes Links of a table.
func from(table map[string][]Link) Links {
	return func(ids []string) (map[string][]Link, error) {
		found := map[string][]Link{}
		for _, id := range ids {
			found[id] = table[id]
		}
		return found, nil
	}
}

func TestSpread(t *testing.T) {
	chain := map[string][]Link{
		"migration": {{"schema", 1}, {"rollback", 0.5}},
		"schema":    {{"table", 1}, {"migration", 1}}, // a circle
		"table":     {{"column", 1}},
		"column":    {{"byte", 1}},
		"docs":      {{"schema", 1}, {"docs", 1}}, // and one of length one
	}
	for _, test := range []struct {
		name    string
		sources map[string]float64
		want    map[string]float64
	}{
		{"nothing", nil, map[string]float64{}},
		{"no attention", map[string]float64{"migration": 0}, map[string]float64{}},
		// 0.7, 0.7 · 0.5, 0.7² = 0.49, 0.7³ = 0.343; four hops are too far.
		{"one", map[string]float64{"migration": 1}, map[string]float64{"schema": 0.7, "rollback": 0.35, "table": 0.49, "column": 0.343}},
		// Each of two has half the attention. schema: ½ 0.7 + ½ 0.7; table: ½ 0.49 twice; column: ½ 0.343 twice;
		// rollback: ½ 0.35 from migration, ½ 0.7 · 0.7 · 0.35/0.7 = ½ 0.1715 over schema from docs; migration: ½ 0.49 from docs.
		{"two", map[string]float64{"migration": 2, "docs": 2}, map[string]float64{"schema": 0.7, "rollback": 0.175 + 0.08575,
			"migration": 0.245, "table": 0.49, "column": 0.343}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := Spread(test.sources, from(chain))
			if err != nil || len(got) != len(test.want) {
				t.Fatalf("got %v, %v; want %v", got, err, test.want)
			}
			for id, want := range test.want {
				if !near(got[id], want, 1e-12) {
					t.Errorf("%s: %v, want %v", id, got[id], want)
				}
			}
		})
	}
	failed := errors.New("no table")
	_, err := Spread(map[string]float64{"a": 1}, func([]string) (map[string][]Link, error) { return nil, failed })
	if !errors.Is(err, failed) {
		t.Errorf("error %v", err)
	}
}

// Whatever the graph, nobody gets more than the factor, and all is finite.
func TestSpreadIsBounded(t *testing.T) {
	bounded := func(seed uint64) bool {
		random := rand.New(rand.NewPCG(seed, 5))
		name := func() string { return string(rune('a' + random.IntN(12))) }
		table, sources := map[string][]Link{}, map[string]float64{}
		for range 60 {
			from := name()
			table[from] = append(table[from], Link{name(), random.NormFloat64() * 3})
		}
		for range 4 {
			sources[name()] = random.NormFloat64() * 10
		}
		got, err := Spread(sources, from(table))
		for _, activation := range got {
			if !(activation >= 0 && activation <= 0.7+1e-12) {
				return false
			}
		}
		return err == nil
	}
	if err := quick.Check(bounded, nil); err != nil {
		t.Error(err)
	}
}

func TestClock(t *testing.T) {
	monday := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	var c Clock
	for _, step := range []struct {
		at   time.Time
		want time.Duration
	}{
		{monday, 0},
		{monday.Add(10 * time.Minute), 10 * time.Minute},
		{monday.Add(25 * time.Minute), 25 * time.Minute}, // a pause of exactly MaxPause
		{monday.Add(3 * day), 40 * time.Minute},          // of a longer one MaxPause counts
		{monday.AddDate(-1, 0, 0), 40 * time.Minute},     // the clock was set back a year
		{monday.AddDate(-1, 0, 0).Add(time.Minute), 41 * time.Minute},
	} {
		if c = c.Advance(step.at); c.Active != step.want {
			t.Errorf("%v: active %v, want %v", step.at, c.Active, step.want)
		}
	}
	// An idle weekend costs nothing on this axis: 15 minutes ago rather than 3 days.
	if got, want := BaseLevel(ActiveTime(40*time.Minute), History{Recent: []Event{{ActiveTime(25 * time.Minute), 1}}}),
		-0.5*math.Log(900); !near(got, want, 1e-12) {
		t.Errorf("base level %v, want %v", got, want)
	}
}

func TestLaterUseNeverLowers(t *testing.T) {
	later := func(seed uint64) bool {
		random := rand.New(rand.NewPCG(seed, 6))
		h := randomHistory(random, 1+random.IntN(40))
		before := BaseLevel(now, History{Recent: h})
		i := random.IntN(len(h))
		h[i].At = h[i].At.Add(time.Duration(random.Int64N(int64(30 * day))))
		return BaseLevel(now, History{Recent: h}) >= before
	}
	if err := quick.Check(later, nil); err != nil {
		t.Error(err)
	}
}
