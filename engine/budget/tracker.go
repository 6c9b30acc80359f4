package budget

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/memory"
)

// A Tracker keeps account of spending in the journal. Several trackers, in one process or in many, may keep the same one.
type Tracker struct {
	journal memory.Journal
	limits  Limits
	now     func() time.Time

	mu   sync.Mutex
	open []pledge // reservations of this process that are not settled, the oldest first
}

// A pledge is a reservation, with its number in the journal.
type pledge struct {
	number int64
	usd    float64
}

// New returns the tracker of a journal. A nil now means time.Now.
func New(journal memory.Journal, limits Limits, now func() time.Time) *Tracker {
	if now == nil {
		now = time.Now
	}
	return &Tracker{journal: journal, limits: limits, now: now}
}

// errNoJournal is why nothing is spent without a journal.
var errNoJournal = errors.New("there is no journal to keep it in")

// Status returns the present period.
func (t *Tracker) Status(ctx context.Context) (Period, error) {
	if t.journal == nil {
		return Period{}, errNoJournal
	}
	spent, err := t.journal.Spent(ctx, t.since)
	return t.present(spent), err
}

// since is where the present period begins: the one of the present moment or, when the clock was set back, of the latest
// charge.
func (t *Tracker) since(latest time.Time) time.Time {
	return t.periodAt(later(t.now(), latest)).Start
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// present is the period of what was spent in it.
func (t *Tracker) present(spent memory.Spent) Period {
	p := t.periodAt(later(t.now(), spent.Latest))
	p.Queries, p.part = spent.Queries, spent.Part
	if !spent.Latest.IsZero() {
		p.Updated = spent.Latest
	}
	p.add(spent.USD)
	return p
}

// History returns the periods that are over and touch a month, and the present one; the zero time means all.
func (t *Tracker) History(ctx context.Context, month time.Time) ([]Period, error) {
	present, err := t.Status(ctx)
	if err != nil {
		return nil, err
	}
	days, err := t.journal.Spending(ctx)
	if err != nil {
		return nil, err
	}
	all := append(t.past(days, present), present)
	return slices.DeleteFunc(all, func(p Period) bool {
		return !month.IsZero() && (!p.Start.Before(month.AddDate(0, 1, 0)) || p.End.Before(month))
	}), nil
}

// past folds days into the periods before the present one.
func (t *Tracker) past(days []memory.SpentDay, present Period) []Period {
	var list []Period
	part := -1
	for _, d := range days {
		p := t.periodAt(d.Day)
		if last := len(list) - 1; last < 0 || d.Part != part || !p.Start.Equal(list[last].Start) {
			list = append(list, p)
		}
		part = d.Part
		last := &list[len(list)-1]
		if d.LimitUSD > 0 {
			last.LimitUSD = d.LimitUSD
		}
		last.Queries += d.Queries
		last.Updated = d.Day
		last.add(d.USD)
	}
	if last := len(list) - 1; last >= 0 && part == present.part && list[last].Start.Equal(present.Start) {
		list = list[:last]
	}
	slices.SortStableFunc(list, func(a, b Period) int { return a.Start.Compare(b.Start) })
	return list
}

// Reset begins the present period again; what was spent goes to the history.
func (t *Tracker) Reset(ctx context.Context) error {
	if t.journal == nil {
		return errNoJournal
	}
	_, err := t.journal.Append(ctx, []memory.JournalEntry{{Metric: memory.Metric{At: t.now(), Op: memory.OpReset}}}, 0)
	return err
}

// Reserve implements llm.Meter: what a call may cost counts as spent until it is settled, so that no number of calls at
// a time, in any process, can pass the limit. force passes it where the settings allow that.
func (t *Tracker) Reserve(ctx context.Context, usd float64, force bool) error {
	if usd <= 0 || !t.limits.Enabled {
		return nil
	}
	if t.journal == nil {
		return errNoJournal
	}
	forced := force && t.limits.AllowOverride
	number, err := t.journal.Reserve(ctx, t.charge(usd), t.since, func(spent memory.Spent) error {
		if p := t.present(spent); p.Consumed+usd > p.LimitUSD && !forced {
			return t.blocked(p)
		}
		return nil
	})
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open = append(t.open, pledge{number, usd})
	return nil
}

func (t *Tracker) charge(usd float64) memory.Charge {
	return memory.Charge{At: t.now(), USD: usd, LimitUSD: t.limits.HardUSD}
}

// redeem forgets the oldest reservation of an amount, and returns its number, 0 when there is none.
func (t *Tracker) redeem(usd float64) int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := slices.IndexFunc(t.open, func(p pledge) bool { return p.usd == usd })
	if at < 0 {
		return 0
	}
	number := t.open[at].number
	t.open = slices.Delete(t.open, at, at+1)
	return number
}

// Settle implements llm.Meter. What was reserved in a period that is over is settled there, however the clock went since.
func (t *Tracker) Settle(ctx context.Context, reserved, spent float64) {
	if !t.limits.Enabled || t.journal == nil {
		return
	}
	number := t.redeem(reserved)
	if reserved == spent {
		return
	}
	// A journal that can't be written now keeps the reservation: too much is counted, never too little.
	_ = t.journal.Settle(context.WithoutCancel(ctx), number, t.charge(spent-reserved))
}

func (p *Period) add(usd float64) {
	p.Consumed = max(0, p.Consumed+usd)
	p.Remaining = max(0, p.LimitUSD-p.Consumed)
}
