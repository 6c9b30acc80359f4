package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/aurora-sidecar/aurora/internal/scrub"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/actr"
)

const (
	// exactUses is how many of the latest uses count one by one; the approximation of those before them is then
	// within a few hundredths of the exact activation.
	exactUses = 16

	maxSubject = 4096 // bytes of an id

	// maxBonus bounds what outcomes of queries add to or take off an activation.
	maxBonus = 1.0

	learned = "learned" // action of an event that is no use but carries a bonus
)

// activation keeps the uses of records and chunks, and tells by them, by links and by a query how active they are.
type activation struct {
	*database
	uses  *uses
	links links
}

// Use implements memory.Store. Ids that name no record are those of chunks of code, or of records yet to come.
func (a activation) Use(ctx context.Context, ids []string, what memory.Use, value float64) error {
	weight, err := memory.WeightOf(what, value)
	if err != nil {
		return fmt.Errorf("record use: %w", err)
	}
	now := fromMs(toMs(a.opts.Now()))
	list := make([]pendingUse, len(ids))
	for i, id := range ids {
		if id == "" || len(id) > maxSubject {
			return fmt.Errorf("record use: %w: an id has 1 to %d bytes (got %d)", memory.ErrInvalid, maxSubject, len(id))
		}
		list[i] = pendingUse{subject: withoutSecrets(id), action: what, weight: weight, at: now}
	}
	if err := cmp.Or(ctx.Err(), a.lost); err != nil {
		return fmt.Errorf("record use: %w", err)
	}
	if len(list) > 0 {
		a.uses.add(list)
	}
	return nil
}

// withoutSecrets is an id, or another short text that comes from outside, as it may be written down.
func withoutSecrets(id string) string {
	clean, _ := scrub.Text(id)
	return clean
}

// recordUse writes one use and moves the clock of activity time.
func recordUse(ctx context.Context, tx tx, use pendingUse) error {
	clock, err := readClock(ctx, tx)
	if err != nil {
		return err
	}
	clock = clock.Advance(use.at)
	active := clock.Active.Milliseconds()
	if _, err := tx.ExecContext(ctx, `INSERT INTO activity VALUES (1, ?, ?) ON CONFLICT (one) DO UPDATE SET
		at_ms = excluded.at_ms, active_ms = excluded.active_ms`, toMs(use.at), active); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO access_events (subject, action, weight, at_ms, active_ms) VALUES (?, ?, ?, ?, ?)`,
		use.subject, use.action, use.weight, toMs(use.at), active)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO activations (subject, access_count, weight, first_access_ms, last_access_ms, first_active_ms)
		VALUES (?1, 1, ?2, ?3, ?3, ?4) ON CONFLICT (subject) DO UPDATE SET
		access_count    = access_count + 1,
		weight          = weight + excluded.weight,
		first_access_ms = CASE access_count WHEN 0 THEN excluded.first_access_ms ELSE min(first_access_ms, excluded.first_access_ms) END,
		last_access_ms  = max(last_access_ms, excluded.last_access_ms),
		first_active_ms = CASE access_count WHEN 0 THEN excluded.first_active_ms ELSE min(first_active_ms, excluded.first_active_ms) END`,
		use.subject, use.weight, toMs(use.at), active)
	return err
}

// recordBonus adds to an activation, within bounds.
func recordBonus(ctx context.Context, tx tx, id string, bonus float64) error {
	id, now := withoutSecrets(id), toMs(tx.now)
	_, err := tx.ExecContext(ctx, `INSERT INTO access_events (subject, action, weight, at_ms, bonus) VALUES (?, ?, 0, ?, ?)`,
		id, learned, now, bonus)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO activations (subject, access_count, weight, first_access_ms, last_access_ms, bonus)
		VALUES (?1, 0, 0, ?2, ?2, ?3)
		ON CONFLICT (subject) DO UPDATE SET bonus = max(-?4, min(?4, bonus + excluded.bonus))`, id, now, bonus, maxBonus)
	return err
}

type rowQueryer interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// readClock returns the clock of activity time.
func readClock(ctx context.Context, db rowQueryer) (actr.Clock, error) {
	var at, active int64
	err := db.QueryRowContext(ctx, `SELECT at_ms, active_ms FROM activity`).Scan(&at, &active)
	if errors.Is(err, sql.ErrNoRows) {
		return actr.Clock{}, nil
	}
	if err != nil {
		return actr.Clock{}, fmt.Errorf("read the clock of activity: %w", err)
	}
	return actr.Clock{At: fromMs(at), Active: time.Duration(active) * time.Millisecond}, nil
}

// rebuildUses makes up for uses that were lost: every record was created, and all else are sums over events.
func rebuildUses(ctx context.Context, tx tx) error {
	for _, statement := range []string{
		`INSERT INTO access_events (subject, action, weight, at_ms)
			SELECT id, 'created', 1, created_at_ms FROM records WHERE id NOT IN (SELECT subject FROM access_events)`,
		`INSERT OR REPLACE INTO activations (subject, access_count, weight, first_access_ms, last_access_ms, first_active_ms, bonus)
			SELECT subject, count(*) FILTER (WHERE action <> 'learned'), sum(weight), min(at_ms), max(at_ms), min(active_ms),
				max(-1.0, min(1.0, sum(bonus))) FROM access_events GROUP BY subject`,
		`INSERT OR REPLACE INTO activity
			SELECT 1, at_ms, active_ms FROM access_events ORDER BY active_ms DESC, at_ms DESC LIMIT 1`,
	} {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// Activation implements memory.Store.
func (a activation) Activation(ctx context.Context, ids []string) (map[string]float64, error) {
	used, now, err := a.usage(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("read activation: %w", err)
	}
	levels := make(map[string]float64, len(used))
	for id, u := range used {
		levels[id] = u.level(now)
	}
	return levels, nil
}

// A usage is the account of one id.
type usage struct {
	count       int
	weight      float64
	bonus       float64
	first, last time.Time
	firstActive time.Time
	recent      []actr.Event
}

// level is the base level with what outcomes added to it. All times of u are on the axis of now.
func (u *usage) level(now time.Time) float64 {
	h := actr.History{Recent: u.recent}
	if older := u.count - len(u.recent); older > 0 {
		h.Older = actr.Summary{Count: older, Weight: u.weight, First: u.first}
		if !u.firstActive.IsZero() {
			h.Older.First = u.firstActive
		}
		for _, e := range u.recent {
			h.Older.Weight -= e.Weight
		}
	}
	return actr.BaseLevel(now, h) + u.bonus
}

// usage returns the account of each id that was ever used, and now, both on the axis of time that is configured.
func (a activation) usage(ctx context.Context, ids []string) (map[string]*usage, time.Time, error) {
	if len(ids) == 0 {
		return nil, a.opts.Now(), nil
	}
	for {
		waiting, flushes := a.uses.of(ids)
		used, now, err := a.written(ctx, ids)
		if err != nil {
			return nil, now, err
		}
		if a.uses.flushed(flushes) { // what waited may be in both
			continue
		}
		for _, use := range waiting {
			a.count(used, use, now)
		}
		return used, now, nil
	}
}

// count adds a use that waits to be written. It is so young that its age is the same on both axes.
func (a activation) count(used map[string]*usage, use pendingUse, now time.Time) {
	at := now.Add(-a.opts.Now().Sub(use.at))
	u := used[use.subject]
	if u == nil {
		u = &usage{first: use.at, firstActive: at}
		used[use.subject] = u
	}
	u.count++
	u.weight += use.weight
	if use.at.After(u.last) {
		u.last = use.at
	}
	u.recent = append(u.recent, actr.Event{At: at, Weight: use.weight})
}

// written is usage of what is in the database.
func (a activation) written(ctx context.Context, ids []string) (used map[string]*usage, now time.Time, err error) {
	now = a.opts.Now()
	if a.opts.ActivityTime {
		clock, err := readClock(ctx, a.db)
		if err != nil {
			return nil, now, err
		}
		now = actr.ActiveTime(clock.Advance(now).Active)
	}
	used, err = a.totals(ctx, ids)
	if err != nil || len(used) == 0 {
		return used, now, err
	}
	var often []string
	for id, u := range used {
		if u.count == 1 && !a.opts.ActivityTime { // most are; their one event is known already
			u.recent = []actr.Event{{At: u.last, Weight: u.weight}}
			continue
		}
		often = append(often, id)
	}
	return used, now, a.addRecent(ctx, used, often)
}

// addRecent reads the latest uses of ids.
func (a activation) addRecent(ctx context.Context, used map[string]*usage, ids []string) error {
	rows, err := a.db.QueryContext(ctx, `SELECT e.subject, e.weight, e.at_ms, e.active_ms FROM json_each(?) wanted
		JOIN access_events e ON e.seq IN (
			SELECT seq FROM access_events WHERE subject = wanted.value AND action <> 'learned' ORDER BY at_ms DESC LIMIT ?)`,
		jsonList(ids), exactUses)
	if err != nil {
		return err
	}
	return each(rows, func() error {
		var id string
		var e actr.Event
		var at, active int64
		if err := rows.Scan(&id, &e.Weight, &at, &active); err != nil {
			return err
		}
		e.At = fromMs(at)
		if a.opts.ActivityTime {
			e.At = actr.ActiveTime(time.Duration(active) * time.Millisecond)
		}
		used[id].recent = append(used[id].recent, e)
		return nil
	})
}

func (a activation) totals(ctx context.Context, ids []string) (map[string]*usage, error) {
	rows, err := a.db.QueryContext(ctx, `SELECT subject, access_count, weight, first_access_ms, last_access_ms, first_active_ms, bonus
		FROM activations WHERE subject IN (SELECT value FROM json_each(?))`, jsonList(ids))
	if err != nil {
		return nil, err
	}
	used := map[string]*usage{}
	err = each(rows, func() error {
		var id string
		var u usage
		var first, last, active int64
		err := rows.Scan(&id, &u.count, &u.weight, &first, &last, &active, &u.bonus)
		u.first, u.last = fromMs(first), fromMs(last)
		if a.opts.ActivityTime {
			u.firstActive = actr.ActiveTime(time.Duration(active) * time.Millisecond)
		}
		used[id] = &u
		return err
	})
	return used, err
}

// addUsage fills in what the hits' uses tell.
func (a activation) addUsage(ctx context.Context, hits []memory.Hit) error {
	ids := make([]string, len(hits))
	for i, hit := range hits {
		ids[i] = hit.ID
	}
	used, now, err := a.usage(ctx, ids)
	if err != nil {
		return err
	}
	for i := range hits {
		h := &hits[i]
		h.Parts.BaseLevel = math.Inf(-1)
		if u := used[h.ID]; u != nil {
			h.Parts.BaseLevel, h.AccessCount, h.LastUsed = u.level(now), u.count, u.last
		}
		h.Activation = h.Parts.Activation()
	}
	return nil
}
