package budget

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"
)

// Limits are the settings of a budget.
type Limits struct {
	Enabled       bool
	SoftUSD       float64
	HardUSD       float64
	Period        string // daily, weekly, monthly
	AllowOverride bool
}

// warnShare is the share of the hard limit from which there is a warning, if the soft limit lies above it.
const warnShare = 0.8

// A Period is what was spent in one stretch of time.
type Period struct {
	Start     time.Time `json:"period_start"`
	End       time.Time `json:"period_end"` // its last second
	LimitUSD  float64   `json:"limit_usd"`
	Consumed  float64   `json:"consumed_usd"`
	Remaining float64   `json:"remaining_usd"`
	Queries   int       `json:"query_count"`
	Updated   time.Time `json:"last_updated"`

	part int // how many resets came before
}

// Percent is the share of the limit that is gone.
func (p Period) Percent() float64 {
	if p.LimitUSD <= 0 {
		return 100
	}
	return 100 * p.Consumed / p.LimitUSD
}

// What a query costs by its level, before it is asked, in US dollars.
var estimates = map[string]struct{ base, multiplier float64 }{
	"SIMPLE": {0.001, 1}, "MEDIUM": {0.05, 3}, "COMPLEX": {0.50, 5}, "CRITICAL": {0.50, 8},
}

// Estimate is what a query of a level costs in US dollars, from the tokens of its text.
func Estimate(level string, tokens int) float64 {
	e := estimates[level]
	return e.base * e.multiplier * float64(tokens) / 1000
}

// A Blocked says that the limit is reached.
type Blocked struct {
	Period   Period
	Override bool   // a forced query would pass
	reset    string // "monthly"
}

// Error is the text of Annex I.
func (b *Blocked) Error() string {
	p := b.Period
	return fmt.Sprintf("Budget Limit Exceeded: $%.2f / $%.2f. Query blocked to prevent overspending", p.Consumed, p.LimitUSD)
}

// Remedy lists what can be done.
func (b *Blocked) Remedy() string {
	force := "Force override: not allowed (cost_budgets.allow_force_override)"
	if b.Override {
		force = `Force override: aurora ask --force "query"`
	}
	return fmt.Sprintf("Options:\n  1. Wait for %s reset (%s)\n  2. Increase budget limit: aurora config set cost_budgets.hard_limit_usd %.0f\n  3. %s\nCurrent usage: %d queries, $%.2f spent",
		b.reset, b.Period.End.Format(time.DateOnly), math.Ceil(2*b.Period.LimitUSD), force, b.Period.Queries, b.Period.Consumed)
}

// A Warning says that the soft limit is reached.
type Warning struct {
	Period  Period
	Queries int // that the rest is enough for, by what they cost so far
}

// Short is the warning on one line.
func (w *Warning) Short() string {
	return fmt.Sprintf("Near budget limit (%.0f%%)", w.Period.Percent())
}

// Long is the warning as a terminal shows it.
func (w *Warning) Long() string {
	p := w.Period
	return fmt.Sprintf("Budget Warning: %.0f%% consumed ($%.2f / $%.2f)\nRemaining: $%.2f (est. %d queries)\nPeriod ends: %s\n",
		p.Percent(), p.Consumed, p.LimitUSD, p.Remaining, w.Queries, p.End.Format(time.DateOnly))
}

// Check holds an estimate against the limits: an error when the query must not run, a warning when the person should
// know. force passes the hard limit where the settings allow it.
func (t *Tracker) Check(ctx context.Context, estimate float64, force bool) (*Warning, error) {
	if !t.limits.Enabled {
		return nil, nil
	}
	p, err := t.Status(ctx)
	if err != nil {
		return nil, err
	}
	if p.Consumed+estimate > p.LimitUSD && !(force && t.limits.AllowOverride) {
		return nil, t.blocked(p)
	}
	soft := min(t.limits.SoftUSD, p.LimitUSD*warnShare)
	if p.Consumed+estimate < soft {
		return nil, nil
	}
	return &Warning{p, t.left(p, estimate)}, nil
}

func (t *Tracker) blocked(p Period) *Blocked {
	return &Blocked{Period: p, Override: t.limits.AllowOverride, reset: t.limits.Period}
}

// left is how many more queries the rest is enough for.
func (t *Tracker) left(p Period, estimate float64) int {
	each := estimate
	if p.Queries > 0 && p.Consumed > 0 {
		each = p.Consumed / float64(p.Queries)
	}
	if each <= 0 {
		return 0
	}
	return int(min(p.Remaining/each, 1e6))
}

// periodAt is the empty period around a moment.
func (t *Tracker) periodAt(now time.Time) Period {
	now = now.UTC()
	day := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	start, end := day, day.AddDate(0, 0, 1)
	switch strings.ToLower(t.limits.Period) {
	case "weekly":
		start = day.AddDate(0, 0, -(int(day.Weekday())+6)%7) // Monday
		end = start.AddDate(0, 0, 7)
	case "monthly":
		start = time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
		end = start.AddDate(0, 1, 0)
	}
	return Period{Start: start, End: end.Add(-time.Second), LimitUSD: t.limits.HardUSD, Remaining: t.limits.HardUSD, Updated: now}
}
