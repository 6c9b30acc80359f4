package sqlite

import (
	"context"
	"fmt"
)

// movingPrefix marks ids that are on their way, so that two that change places don't become one.
const movingPrefix = "\x00moving:"

// Rename implements memory.Store.
func (a activation) Rename(ctx context.Context, ids map[string]string) error {
	if err := a.uses.flush(ctx); err != nil {
		return fmt.Errorf("rename: %w", err)
	}
	err := a.write(ctx, func(tx tx) error {
		known, err := knownSubjects(ctx, tx, ids)
		if err != nil {
			return err
		}
		for _, from := range known {
			if err := renameSubject(ctx, tx, from, movingPrefix+ids[from]); err != nil {
				return err
			}
		}
		for _, from := range known {
			if err := renameSubject(ctx, tx, movingPrefix+ids[from], ids[from]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("rename: %w", err)
	}
	return nil
}

// knownSubjects returns those of the ids about which anything is kept.
func knownSubjects(ctx context.Context, tx tx, ids map[string]string) ([]string, error) {
	wanted := make([]string, 0, len(ids))
	for from, to := range ids {
		if from != to && to != "" && len(to) <= maxSubject {
			wanted = append(wanted, from)
		}
	}
	rows, err := tx.QueryContext(ctx, `SELECT value FROM json_each(?) WHERE value IN (SELECT subject FROM activations)
		OR value IN (SELECT from_id FROM relationships) OR value IN (SELECT to_id FROM relationships) ORDER BY value`, jsonList(wanted))
	if err != nil {
		return nil, err
	}
	var known []string
	err = each(rows, func() error {
		var id string
		err := rows.Scan(&id)
		known = append(known, id)
		return err
	})
	return known, err
}

// renameSubject gives to one id what another one has, on top of what it has itself.
func renameSubject(ctx context.Context, tx tx, from, to string) error {
	for _, statement := range []string{
		`UPDATE access_events SET subject = ?2 WHERE subject = ?1`,
		`INSERT INTO activations (subject, access_count, weight, first_access_ms, last_access_ms, first_active_ms, bonus)
			SELECT ?2, access_count, weight, first_access_ms, last_access_ms, first_active_ms, bonus FROM activations WHERE subject = ?1
			ON CONFLICT (subject) DO UPDATE SET
				access_count    = access_count + excluded.access_count,
				weight          = weight + excluded.weight,
				first_access_ms = min(first_access_ms, excluded.first_access_ms),
				last_access_ms  = max(last_access_ms, excluded.last_access_ms),
				first_active_ms = min(first_active_ms, excluded.first_active_ms),
				bonus           = bonus + excluded.bonus`,
		`DELETE FROM activations WHERE subject = ?1`,
		`UPDATE OR REPLACE relationships SET from_id = ?2 WHERE from_id = ?1`,
		`UPDATE OR REPLACE relationships SET to_id = ?2 WHERE to_id = ?1`,
	} {
		if _, err := tx.ExecContext(ctx, statement, from, to); err != nil {
			return err
		}
	}
	return nil
}
