package sqlite

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/actr"
)

const (
	// exactUses is how many of the latest uses count one by one; the approximation of those before them is then
	// within a few hundredths of the exact activation.
	exactUses = 16

	maxSubject = 4096 // bytes of an id
)

// Use implements memory.Store. Ids that name no record are those of chunks of code, or of records yet to come.
func (s *Store) Use(ctx context.Context, ids []string, what memory.Use, value float64) error {
	if _, err := what.Weight(value); err != nil {
		return fmt.Errorf("record use: %w", err)
	}
	for _, id := range ids {
		if id == "" || len(id) > maxSubject {
			return fmt.Errorf("record use: %w: an id has 1 to %d bytes (got %d)", memory.ErrInvalid, maxSubject, len(id))
		}
	}
	if len(ids) == 0 {
		return nil
	}
	err := s.write(ctx, func(tx tx) error {
		for _, id := range ids {
			if err := recordUse(ctx, tx, id, what, value); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("record use: %w", err)
	}
	return nil
}

func recordUse(ctx context.Context, tx tx, id string, what memory.Use, value float64) error {
	weight, err := what.Weight(value)
	if err != nil {
		return err
	}
	now := toMs(tx.now)
	_, err = tx.ExecContext(ctx, `INSERT INTO access_events (subject, action, weight, at_ms) VALUES (?, ?, ?, ?)`,
		id, what, weight, now)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO activations VALUES (?1, 1, ?2, ?3, ?3) ON CONFLICT (subject) DO UPDATE SET
		access_count    = access_count + 1,
		weight          = weight + excluded.weight,
		first_access_ms = min(first_access_ms, excluded.first_access_ms),
		last_access_ms  = max(last_access_ms, excluded.last_access_ms)`, id, weight, now)
	return err
}

// rebuildUses makes up for uses that were lost: every record was created, and activations are sums over events.
func rebuildUses(ctx context.Context, tx tx) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO access_events (subject, action, weight, at_ms)
		SELECT id, ?, 1, created_at_ms FROM records WHERE id NOT IN (SELECT subject FROM access_events)`, memory.Created)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT OR REPLACE INTO activations
		SELECT subject, count(*), sum(weight), min(at_ms), max(at_ms) FROM access_events GROUP BY subject`)
	return err
}

// Activation implements memory.Store.
func (s *Store) Activation(ctx context.Context, ids []string) (map[string]float64, error) {
	used, err := s.usage(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("read activation: %w", err)
	}
	now := s.opts.Now()
	levels := make(map[string]float64, len(used))
	for id, u := range used {
		levels[id] = u.level(now)
	}
	return levels, nil
}

// addUsage fills in what the hits' uses tell.
func (s *Store) addUsage(ctx context.Context, hits []memory.Hit) error {
	ids := make([]string, len(hits))
	for i, hit := range hits {
		ids[i] = hit.ID
	}
	used, err := s.usage(ctx, ids)
	if err != nil {
		return err
	}
	now := s.opts.Now()
	for i := range hits {
		hits[i].Activation = math.Inf(-1)
		if u := used[hits[i].ID]; u != nil {
			hits[i].Activation, hits[i].AccessCount, hits[i].LastUsed = u.level(now), u.count, u.last
		}
	}
	return nil
}

// A usage is the account of one id.
type usage struct {
	count       int
	weight      float64
	first, last time.Time
	recent      []actr.Event
}

func (u *usage) level(now time.Time) float64 {
	h := actr.History{Recent: u.recent}
	if older := u.count - len(u.recent); older > 0 {
		h.Older = actr.Summary{Count: older, Weight: u.weight, First: u.first}
		for _, e := range u.recent {
			h.Older.Weight -= e.Weight
		}
	}
	return actr.BaseLevel(now, h, actr.DefaultDecay)
}

// usage returns the account of each id that was ever used.
func (s *Store) usage(ctx context.Context, ids []string) (map[string]*usage, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	used, err := s.totals(ctx, ids)
	if err != nil || len(used) == 0 {
		return nil, err
	}
	var often []string
	for id, u := range used {
		if u.count == 1 { // most are; their one event is known already
			u.recent = []actr.Event{{At: u.last, Weight: u.weight}}
			continue
		}
		often = append(often, id)
	}
	rows, err := s.db.QueryContext(ctx, `SELECT e.subject, e.weight, e.at_ms FROM json_each(?) wanted
		JOIN access_events e ON e.seq IN (
			SELECT seq FROM access_events WHERE subject = wanted.value ORDER BY at_ms DESC LIMIT ?)`,
		jsonList(often), exactUses)
	if err != nil {
		return nil, err
	}
	err = each(rows, func() error {
		var id string
		var e actr.Event
		var at int64
		if err := rows.Scan(&id, &e.Weight, &at); err != nil {
			return err
		}
		e.At = fromMs(at)
		used[id].recent = append(used[id].recent, e)
		return nil
	})
	return used, err
}

func (s *Store) totals(ctx context.Context, ids []string) (map[string]*usage, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT subject, access_count, weight, first_access_ms, last_access_ms
		FROM activations WHERE subject IN (SELECT value FROM json_each(?))`, jsonList(ids))
	if err != nil {
		return nil, err
	}
	used := map[string]*usage{}
	err = each(rows, func() error {
		var id string
		var u usage
		var first, last int64
		err := rows.Scan(&id, &u.count, &u.weight, &first, &last)
		u.first, u.last = fromMs(first), fromMs(last)
		used[id] = &u
		return err
	})
	return used, err
}
