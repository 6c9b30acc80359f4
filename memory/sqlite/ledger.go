package sqlite

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/memory"
)

var _ memory.Ledger = (*Store)(nil)

// ledger keeps the goals that records serve, and the chunks of records.
type ledger struct{ *database }

// SetGoal implements memory.Ledger.
func (l ledger) SetGoal(ctx context.Context, g memory.Goal) error {
	g.ID = strings.TrimSpace(g.ID)
	if g.ID == "" {
		return fmt.Errorf("%w: a goal needs an id", memory.ErrInvalid)
	}
	if known := []string{"", memory.GoalActive, memory.GoalDone, memory.GoalDropped}; !slices.Contains(known, g.Status) {
		return fmt.Errorf("%w: the status of a goal is active, done or dropped (got %q)", memory.ErrInvalid, g.Status)
	}
	if err := l.write(ctx, func(tx tx) error { return setGoal(ctx, tx, g) }); err != nil {
		return fmt.Errorf("set a goal: %w", err)
	}
	return nil
}

// setGoal adds a goal, or changes what is given of the one that is there.
func setGoal(ctx context.Context, tx tx, g memory.Goal) error {
	id, title := withoutSecrets(g.ID), withoutSecrets(g.Title)
	_, err := tx.ExecContext(ctx, `INSERT INTO goals (id, title, status, created_at_ms, updated_at_ms) VALUES (?1, ?2, ?3, ?4, ?4)
		ON CONFLICT (id) DO UPDATE SET title = iif(?5 = '', title, ?5), status = iif(?6 = '', status, ?6), updated_at_ms = ?4`,
		id, cmp.Or(title, id), cmp.Or(g.Status, memory.GoalActive), toMs(tx.now), title, g.Status)
	return err
}

// Goals implements memory.Ledger. Goals of records that an earlier AURORA made are listed, too.
func (l ledger) Goals(ctx context.Context) ([]memory.Goal, error) {
	rows, err := l.db.QueryContext(ctx, `WITH counts AS (
			SELECT goal_id, count(*) AS records, min(created_at_ms) AS first, max(updated_at_ms) AS last
			FROM records WHERE goal_id <> '' AND deleted_at_ms IS NULL GROUP BY goal_id)
		SELECT * FROM (
			SELECT id, title, status, created_at_ms, updated_at_ms, coalesce(records, 0) FROM goals LEFT JOIN counts ON goal_id = id
			UNION ALL SELECT goal_id, goal_id, 'active', first, last, records FROM counts
				WHERE NOT EXISTS (SELECT 1 FROM goals WHERE id = goal_id))
		ORDER BY status <> 'active', updated_at_ms DESC, id`)
	if err != nil {
		return nil, fmt.Errorf("list goals: %w", err)
	}
	var goals []memory.Goal
	err = each(rows, func() error {
		var g memory.Goal
		var created, updated int64
		err := rows.Scan(&g.ID, &g.Title, &g.Status, &created, &updated, &g.Records)
		g.CreatedAt, g.UpdatedAt = fromMs(created), fromMs(updated)
		goals = append(goals, g)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list goals: %w", err)
	}
	return goals, nil
}

// Annotate implements memory.Ledger.
func (l ledger) Annotate(ctx context.Context, id string, chunk []byte) error {
	cleaned, err := memory.CleanChunk(chunk)
	if err != nil {
		return fmt.Errorf("annotate %s: %w", id, err)
	}
	err = l.write(ctx, func(tx tx) error {
		result, err := tx.ExecContext(ctx, `UPDATE records SET chunk = ? WHERE id = ? AND deleted_at_ms IS NULL`, string(cleaned), id)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return cmp.Or(err, memory.ErrNotFound)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("annotate %s: %w", id, err)
	}
	return nil
}
