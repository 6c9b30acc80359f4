package budget

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// A Tracker keeps the account in a file. Several trackers, in one process or in many, may keep the same one.
type Tracker struct {
	path   string // "" keeps it in memory
	limits Limits
	now    func() time.Time

	mu     sync.Mutex
	memory account
	open   []pledge // reservations of this process that are not settled, the oldest first
}

// A pledge is a reservation, and the start of the period that it counts in.
type pledge struct {
	start time.Time
	usd   float64
}

// account is what the file holds.
type account struct {
	Period
	History []Period `json:"history,omitempty"` // periods that are over, the oldest first
}

// maxHistory bounds how many past periods are kept.
const maxHistory = 400

// Open returns the tracker of a file, which it creates with the first change. A nil now means time.Now.
func Open(path string, limits Limits, now func() time.Time) *Tracker {
	if now == nil {
		now = time.Now
	}
	return &Tracker{path: path, limits: limits, now: now}
}

// Status returns the present period.
func (t *Tracker) Status(ctx context.Context) (Period, error) {
	var p Period
	err := t.change(ctx, func(a *account) (bool, error) { p = a.Period; return false, nil })
	return p, err
}

// History returns the periods that are over and touch a month; the zero time means all.
func (t *Tracker) History(ctx context.Context, month time.Time) ([]Period, error) {
	var list []Period
	err := t.change(ctx, func(a *account) (bool, error) {
		for _, p := range append(slices.Clone(a.History), a.Period) {
			if month.IsZero() || p.Start.Before(month.AddDate(0, 1, 0)) && !p.End.Before(month) {
				list = append(list, p)
			}
		}
		return false, nil
	})
	return list, err
}

// Reset begins the present period anew; what was spent goes to the history.
func (t *Tracker) Reset(ctx context.Context) error {
	return t.change(ctx, func(a *account) (bool, error) {
		a.roll(t.periodAt(t.now()))
		return true, nil
	})
}

// CountQuery adds one query to the present period.
func (t *Tracker) CountQuery(ctx context.Context) error {
	return t.change(ctx, func(a *account) (bool, error) { a.Queries++; return true, nil })
}

type forcedKey struct{}

// Forced returns a context whose calls may pass the hard limit where the settings allow it.
func Forced(ctx context.Context) context.Context { return context.WithValue(ctx, forcedKey{}, true) }

// Reserve implements llm.Meter: what a call may cost counts as spent until it is settled, so that no number of calls at
// a time, in any process, can pass the limit (BUD-022).
func (t *Tracker) Reserve(ctx context.Context, usd float64) error {
	if err := take(ctx, usd); err != nil || usd <= 0 || !t.limits.Enabled {
		return err
	}
	err := t.change(ctx, func(a *account) (bool, error) {
		forced := ctx.Value(forcedKey{}) != nil && t.limits.AllowOverride
		if a.Consumed+usd > a.LimitUSD*t.limits.BlockAt/100 && !forced {
			return false, t.blocked(a.Period)
		}
		a.add(usd)
		t.open = append(t.open, pledge{a.Start, usd})
		return true, nil
	})
	if err != nil {
		_ = take(ctx, -usd)
	}
	return err
}

// redeem forgets the oldest reservation of an amount, and returns the start of the period that it counts in, the zero time
// when there is none.
func (t *Tracker) redeem(usd float64) time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := slices.IndexFunc(t.open, func(p pledge) bool { return p.usd == usd })
	if at < 0 {
		return time.Time{}
	}
	start := t.open[at].start
	t.open = slices.Delete(t.open, at, at+1)
	return start
}

// period returns the period that began at start, the present one when none did.
func (a *account) period(start time.Time) *Period {
	if at := slices.IndexFunc(a.History, func(p Period) bool { return p.Start.Equal(start) }); at >= 0 && !a.Start.Equal(start) {
		return &a.History[at]
	}
	return &a.Period
}

// Settle implements llm.Meter. What was reserved in a period that is over is settled there, however the clock went since.
func (t *Tracker) Settle(ctx context.Context, reserved, spent float64) {
	_ = take(ctx, min(0, spent-reserved)) // what a call took beyond its reservation is gone all the same
	if !t.limits.Enabled {
		return
	}
	start := t.redeem(reserved)
	if reserved == spent {
		return
	}
	// A file that can't be written now keeps the reservation: too much is counted, never too little.
	_ = t.change(ctx, func(a *account) (bool, error) { a.period(start).add(spent - reserved); return true, nil })
}

func (p *Period) add(usd float64) {
	p.Consumed = max(0, p.Consumed+usd)
	p.Remaining = max(0, p.LimitUSD-p.Consumed)
}

func (a *account) roll(next Period) {
	if a.Queries > 0 || a.Consumed > 0 {
		a.History = append(a.History, a.Period)
		a.History = a.History[max(0, len(a.History)-maxHistory):]
	}
	a.Period = next
}

// change runs do on the account, under the file's lock, and writes the account when do says that it changed.
func (t *Tracker) change(ctx context.Context, do func(*account) (changed bool, err error)) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.path == "" {
		t.roll(&t.memory)
		_, err := do(&t.memory)
		return err
	}
	if err := os.MkdirAll(filepath.Dir(t.path), 0o700); err != nil {
		return fmt.Errorf("open budget: %w", err)
	}
	unlock, err := lock(ctx, t.path+".lock")
	if err != nil {
		return fmt.Errorf("lock budget: %w", err)
	}
	defer unlock()
	a, err := t.read()
	if err != nil {
		return err
	}
	rolled := t.roll(&a)
	changed, err := do(&a)
	if err != nil || !changed && !rolled {
		return err
	}
	a.Updated = t.now().UTC()
	return t.write(a)
}

// roll begins a new period when the present one is over, and takes over a limit that was changed. A clock that was set
// back begins nothing.
func (t *Tracker) roll(a *account) (rolled bool) {
	now := t.now().UTC()
	if a.Start.IsZero() || t.limits.AutoReset && now.After(a.End.Add(time.Second-1)) {
		a.roll(t.periodAt(now))
		return true
	}
	a.LimitUSD = t.limits.HardUSD
	a.Remaining = max(0, a.LimitUSD-a.Consumed)
	return false
}

// read returns the account in the file. A file that holds no account is moved aside, and a new one begins.
func (t *Tracker) read() (account, error) {
	data, err := os.ReadFile(t.path)
	if errors.Is(err, fs.ErrNotExist) {
		return account{}, nil
	}
	if err != nil {
		return account{}, fmt.Errorf("read budget: %w", err)
	}
	var a account
	if err := json.Unmarshal(data, &a); err == nil && a.sound() {
		return a, nil
	}
	aside := fmt.Sprintf("%s.damaged-%s", t.path, t.now().UTC().Format("20060102T150405"))
	if err := os.Rename(t.path, aside); err != nil {
		return account{}, fmt.Errorf("move the damaged budget aside: %w", err)
	}
	return account{}, nil
}

// sound refuses what no tracker writes, such as figures that were edited by hand.
func (a *account) sound() bool {
	good := func(f float64) bool { return f >= 0 && !math.IsInf(f, 0) && !math.IsNaN(f) }
	return !a.Start.IsZero() && a.End.After(a.Start) && good(a.Consumed) && good(a.LimitUSD) && a.Queries >= 0
}

// write replaces the file as a whole.
func (t *Tracker) write(a account) error {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(a); err != nil {
		return fmt.Errorf("encode budget: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(t.path), ".budget-*") // mode 0600
	if err != nil {
		return fmt.Errorf("write budget: %w", err)
	}
	_, err = f.Write(b.Bytes())
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), t.path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return fmt.Errorf("write budget: %w", err)
	}
	return nil
}
